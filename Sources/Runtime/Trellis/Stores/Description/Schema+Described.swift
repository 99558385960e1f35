extension Schema {
  /// A schema of models this program has no classes of. A store keeps them in the tables, and under the
  /// fingerprint, that the classes would give it.
  package convenience init(
    described models: [DescribedModel], version: Version, source: SchemaSource
  ) {
    let byName = Dictionary(models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.init(
      entities: models.map { Entity(described: $0, inheriting: Self.inherited(by: $0, byName)) },
      version: version, encodingVersion: Self.schemaEncodingVersion, conflicting: [], source: source)
    link()
  }

  /// The properties of the models above one, the root's first.
  private static func inherited(
    by model: DescribedModel, _ models: [String: DescribedModel]
  ) -> [any SchemaProperty] {
    var inherited: [any SchemaProperty] = []
    var above = model.superentity.flatMap { models[$0] }
    var left = models.count
    while let next = above, left > 0 {
      inherited = next.properties + inherited
      above = next.superentity.flatMap { models[$0] }
      left -= 1
    }
    return inherited
  }
}

extension Schema {
  /// Completes a schema that a store has recorded, so that it has tables.
  ///
  /// A property that the newer schema continues gets the type that it has there, optional where the recorded one is. A
  /// caller compares the types first. The types of other properties decide about nothing.
  ///
  /// - Parameter columns: the store's columns by class and property.
  func describeModels(withTypesOf newer: Schema, columns: [String: String]) {
    let origins = SchemaOrigins(self, of: newer)
    var successors: [String: (attribute: Attribute, members: [FlattenedMember])] = [:]
    for entity in newer.entities {
      for attribute in entity.properties.compactMap(\.asAttribute) {
        guard let model = origins.models[entity.name], let former = origins.former(attribute.name, of: entity.name)
        else { continue }
        let members = entity.definition?.layout.property(named: attribute.name)?.flattenedMembers ?? []
        successors["\(model).\(former.name)"] = (attribute, members)
      }
    }
    for entity in entities.filter({ $0.superentity == nil }).flatMap(\.hierarchy) {
      // A recorded class has copies of the properties that it inherits.
      entity.inheritedProperties = entity.superentity?.properties ?? []
      for attribute in entity.storedProperties.compactMap(\.asAttribute) {
        let place = "\(entity.name).\(attribute.name)"
        let successor = successors[place]
        attribute.describeType(as: successor?.attribute.valueType ?? attribute.standIn)
        guard attribute.options.contains(.flattened) else { continue }
        attribute.describeMembers(like: successor?.members ?? [], columns: columns, in: place)
      }
      entity.definition = ModelDefinition(
        described: entity.name, originalName: entity.originalName, superentity: entity.superentityName,
        layout: ModelLayout(described: ModelProperty.described(entity.properties)))
    }
  }
}

extension Schema {
  /// `Int?` for `Int` and for `Int?`.
  fileprivate static func optional(_ type: any Any.Type) -> any Any.Type {
    func optional<T>(_: T.Type) -> any Any.Type { T?.self }
    return type is any OptionalValue.Type ? type : _openExistential(type, do: optional)
  }
}

extension Schema.Attribute {
  /// The type itself, or one that has a column of the same kind.
  fileprivate var standIn: any Any.Type {
    guard valueType == Any.self else { return valueType }
    return rawType.flatMap { StandardValues.type(named: $0) } ?? DescribedValue.self
  }

  /// Sets the type, optional where the attribute is. The recorded names stay.
  fileprivate func describeType(as type: any Any.Type) {
    let (name, rawType) = (self.type, typeRawType)
    valueType = isOptional ? Schema.optional(type) : wrappedType(of: type)
    (self.type, typeRawType) = (name, rawType)
  }

  /// Finds the columns of a flattened struct.
  ///
  /// - Parameters:
  ///   - members: those of the property that continues the attribute.
  ///   - place: the class and the property, as in the names of the store's columns.
  fileprivate func describeMembers(like members: [FlattenedMember], columns: [String: String], in place: String) {
    let parts = (self as? Schema.CompositeAttribute)?.properties ?? []
    let found = parts.filter { columns["\(place).\($0.name)"] != nil }
    describedMembers = found.map { part in
      let type = members.first { $0.name == part.name }?.type ?? part.standIn
      let own = part.isOptional ? Schema.optional(type) : wrappedType(of: type)
      return FlattenedMember(described: part.name, type: own as? any ColumnValue.Type ?? DescribedValue.self)
    }
  }
}

extension Schema.Entity {
  fileprivate convenience init(described model: DescribedModel, inheriting inherited: [any SchemaProperty]) {
    self.init(model.name)
    originalName = model.originalName ?? model.name
    superentityName = model.superentity
    inheritedProperties = inherited
    storedProperties = model.properties
    let all = inherited + model.properties
    definition = ModelDefinition(
      described: model.name, originalName: model.originalName, superentity: model.superentity,
      layout: ModelLayout(described: ModelProperty.described(all)))
    for property in all { addConstraint(of: property) }
    for unique in model.uniques { add(unique: unique.properties, unique.policy) }
    for index in model.indexes { add(index: index.properties, isRTree: index.isRTree) }
  }
}

extension ModelProperty {
  /// The properties of a model, numbered as those of a class are.
  fileprivate static func described(_ properties: [any SchemaProperty]) -> [ModelProperty] {
    var columns = 0
    var lists = 0
    return properties.map { property in
      let relationship = property.asRelationship
      let attribute = property.asAttribute
      let slot: Int
      if relationship?.isToMany == true {
        slot = lists
        lists += 1
      } else if attribute?.isTransient == true {
        slot = -1
      } else {
        slot = columns
        columns += 1
      }
      // An entity without a class is never read by key path.
      let path = \UnknownModel._$identifier
      return ModelProperty(
        name: property.name, keyPath: path, accessedKeyPath: path, chainedKeyPath: nil,
        kind: relationship.map(Kind.init(described:)) ?? .attribute(property.valueType), slot: slot,
        attribute: attribute, relationship: relationship)
    }
  }
}

extension ModelProperty.Kind {
  fileprivate init(described relationship: Schema.Relationship) {
    self =
      relationship.isToMany
      ? .toMany(UnknownModel.self, isOptional: relationship.isOptional)
      : .toOne(UnknownModel.self, isOptional: relationship.isOptional)
  }
}

extension Schema.Attribute {
  /// A plain or a composite attribute, as the type asks for.
  ///
  /// - Parameters:
  ///   - codedForm: see ``CodedForm``.
  ///   - jsonFields: see ``JSONFields``.
  ///   - defaultValue: the value of the attribute in older rows; nil if only the program knows it.
  package static func described(
    _ name: String, _ type: DescribedType, _ options: [Option], originalName: String?, hashModifier: String?,
    codedForm: String?, jsonFields: String?, defaultValue: (any ColumnValue)?
  ) -> Schema.Attribute {
    let attribute = described(name, type, options)
    attribute.originalName = originalName ?? name
    attribute.hashModifier = hashModifier
    attribute.codedForm = codedForm
    attribute.jsonFields = jsonFields
    attribute.defaultValue = defaultValue
    return attribute
  }

  private static func described(
    _ name: String, _ type: DescribedType, _ options: [Option], hasColumn: Bool = true
  ) -> Schema.Attribute {
    let attribute: Schema.Attribute
    if type.parts.isEmpty {
      attribute = Schema.Attribute(name: name, options: options, valueType: type.standIn)
    } else {
      let composite = Schema.CompositeAttribute(name: name, options: options, valueType: type.standIn)
      composite.properties = type.parts.map { described($0.name, $0.type, [], hasColumn: options.contains(.flattened)) }
      attribute = composite
    }
    attribute.type = ValueTypeName(named: type.name)
    attribute.typeRawType = !hasColumn ? nil : type.isOpaque ? unknownRawType : type.rawType
    if options.contains(.flattened) {
      attribute.describedMembers = type.columns.compactMap { column in
        type.parts.first { $0.name == column }.map {
          FlattenedMember(described: column, type: $0.type.standIn)
        }
      }
    }
    return attribute
  }
}

package import Trellis

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
  ) -> [DescribedProperty] {
    var inherited: [DescribedProperty] = []
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

extension Schema.Entity {
  fileprivate convenience init(described model: DescribedModel, inheriting inherited: [DescribedProperty]) {
    self.init(model.name)
    originalName = model.originalName ?? model.name
    superentityName = model.superentity
    inheritedProperties = inherited.map(\.schemaProperty)
    storedProperties = model.properties.map(\.schemaProperty)
    let all = inheritedProperties + storedProperties
    definition = ModelDefinition(
      described: model.name, originalName: model.originalName, superentity: model.superentity,
      layout: ModelLayout(described: ModelProperty.described(all)))
    for property in all where property.isUnique {
      if (property as? Schema.Relationship)?.isToMany == true { continue }
      uniquenessConstraints.append([property.name])
      if property.isRelationship { conflictPolicies[[property.name]] = .fail }
    }
    for unique in model.uniques {
      if !uniquenessConstraints.contains(unique.properties) {
        uniquenessConstraints.append(unique.properties)
      }
      if unique.policy != .replace { conflictPolicies[unique.properties] = unique.policy }
    }
    for index in model.indexes {
      if !indices.contains(index.properties) { indices.append(index.properties) }
      if index.isRTree { rtreeIndices.insert(index.properties) }
    }
  }
}

extension DescribedProperty {
  fileprivate var schemaProperty: any SchemaProperty {
    switch kind {
    case .attribute(let type, let options):
      let attribute = Schema.Attribute.described(name, type, options)
      attribute.originalName = originalName ?? name
      attribute.hashModifier = hashModifier
      attribute.codedForm = codedForm
      attribute.jsonFields = jsonFields
      attribute.defaultValue = defaultValue
      return attribute
    case .relationship(let described):
      let relationship = Schema.Relationship(
        deleteRule: described.deleteRule, minimumModelCount: described.minimumCount,
        maximumModelCount: described.maximumCount, originalName: originalName ?? name,
        hashModifier: hashModifier)
      relationship.name = name
      relationship.options = described.options
      relationship.type = ValueTypeName(named: described.typeName)
      relationship.destination = described.destination
      relationship.inverseName = described.inverse
      relationship.isToMany = described.isToMany
      relationship.isNilAllowed = described.isOptional
      return relationship
    }
  }
}

extension Schema.Attribute {
  /// A plain or a composite attribute, as the type asks for.
  fileprivate static func described(
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

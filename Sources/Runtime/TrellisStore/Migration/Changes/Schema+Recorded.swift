extension Schema {
  /// Completes a schema recorded in a store so that tables can be derived from it.
  ///
  /// A property that still exists in the newer schema receives its type from that schema, but keeps the recorded
  /// optionality. The caller compares the types first. The types of other properties have no effect.
  package func describeModels(withTypesOf newer: Schema) {
    let origins = SchemaOrigins(self, of: newer)
    var newAttributes: [String: (attribute: Attribute, members: [FlattenedMember])] = [:]
    for entity in newer.entities {
      for attribute in entity.properties.compactMap(\.asAttribute) {
        guard let model = origins.models[entity.name], let former = origins.former(attribute.name, of: entity.name)
        else { continue }
        let members = entity.definition?.layout.property(named: attribute.name)?.flattenedMembers ?? []
        newAttributes["\(model).\(former.name)"] = (attribute, members)
      }
    }
    for entity in entities.filter({ $0.superentity == nil }).flatMap(\.hierarchy) {
      // In a recorded schema, a class contains copies of inherited properties.
      entity.inheritedProperties = entity.superentity?.properties ?? []
      for attribute in entity.storedProperties.compactMap(\.asAttribute) {
        let place = "\(entity.name).\(attribute.name)"
        let successor = newAttributes[place]
        attribute.describeType(as: successor?.attribute.valueType ?? attribute.standIn)
        guard attribute.options.contains(.flattened) else { continue }
        attribute.describeMembers(like: successor?.members ?? [])
      }
      entity.definition = ModelDefinition(
        described: entity.name, originalName: entity.originalName, superentity: entity.superentityName,
        layout: ModelLayout(described: entity.properties))
    }
  }
}

extension Schema {
  /// Returns `Int?` for both `Int` and `Int?`.
  fileprivate static func optional(_ type: any Any.Type) -> any Any.Type {
    func optional<T>(_: T.Type) -> any Any.Type { T?.self }
    return type is any OptionalValue.Type ? type : _openExistential(type, do: optional)
  }
}

extension Schema.Attribute {
  /// The type itself, or a substitute with the same column type.
  fileprivate var standIn: any Any.Type {
    guard valueType == Any.self else { return valueType }
    return rawType.flatMap { StandardValues.type(named: $0) } ?? Self.jsonType
  }

  /// A type stored as JSON.
  private static let jsonType: any ColumnValue.Type = [String].self

  /// Sets the type, but keeps the attribute's optionality and the recorded names.
  fileprivate func describeType(as type: any Any.Type) {
    let (name, rawType) = (self.type, typeRawType)
    valueType = isOptional ? Schema.optional(type) : wrappedType(of: type)
    (self.type, typeRawType) = (name, rawType)
  }

  /// Determines a flattened struct's columns.
  ///
  /// - Parameter members: The members of the corresponding property in the newer schema.
  fileprivate func describeMembers(like members: [FlattenedMember]) {
    let parts = (self as? Schema.CompositeAttribute)?.properties ?? []
    describedMembers = parts.map { part in
      let type = members.first { $0.name == part.name }?.type ?? part.standIn
      let own = part.isOptional ? Schema.optional(type) : wrappedType(of: type)
      return FlattenedMember(described: part.name, type: own as? any ColumnValue.Type ?? Self.jsonType)
    }
  }
}

extension ModelLayout {
  /// Creates a layout with properties numbered as in a model class.
  package convenience init(described properties: [any SchemaProperty]) {
    self.init(
      properties.map { property in
        ModelProperty(
          described: property,
          property.asRelationship.map(ModelProperty.Kind.init(described:)) ?? .attribute(property.valueType))
      })
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

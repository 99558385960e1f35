import SchemaImport
import SchemaModel
import SchemaVersions

/// Builds the model for a store that contains none, from the app's sources and the store's columns.
enum SourceModel {
  static func model(of schema: ResolvedSchema, _ contents: AppleStoreContents) -> CoreDataModel {
    var reader = Reader(schema: schema, contents: contents)
    return reader.model()
  }

  private struct Reader {
    let schema: ResolvedSchema
    let contents: AppleStoreContents
    var composites: [CoreDataComposite] = []

    mutating func model() -> CoreDataModel {
      var model = CoreDataModel()
      for entity in schema.entities {
        var copy = CoreDataEntity(name: entity.name, line: 1)
        copy.parent = entity.superentity
        let columns = Set(contents.columns["Z" + root(of: entity).name.uppercased()] ?? [])
        for property in entity.properties {
          switch property {
          case .attribute(let attribute):
            guard !attribute.isTransient, !attribute.options.contains(.ephemeral) else { continue }
            copy.attributes.append(self.attribute(attribute, columns))
          case .relationship(let relationship): copy.relationships.append(Self.relationship(relationship))
          }
        }
        copy.attributes.sort { $0.name < $1.name }
        copy.relationships.sort { $0.name < $1.name }
        model.entities.append(copy)
      }
      model.entities.sort { $0.name < $1.name }
      model.composites = composites
      return model
    }

    private func root(of entity: ResolvedEntity) -> ResolvedEntity {
      var current = entity
      for _ in 0..<ResolvedSchema.maximumDepth {
        guard let name = current.superentity, let parent = schema.entities.first(where: { $0.name == name }) else {
          break
        }
        current = parent
      }
      return current
    }

    private mutating func attribute(_ attribute: ResolvedAttribute, _ columns: Set<String>) -> CoreDataAttribute {
      var copy = CoreDataAttribute(name: attribute.name, line: 1)
      if case .optional = attribute.type { copy.isOptional = true }
      copy.isExternal = attribute.options.contains(.externalStorage)
      copy.type = type(of: attribute.type.unwrapped)
      // A struct, or an enum with raw values, has either a column or elements.
      guard !columns.contains("Z" + attribute.name.uppercased()) else { return copy }
      switch attribute.type.unwrapped {
      case .structure(let name):
        guard let type = schema.structs.first(where: { $0.name == name }) else { break }
        let elements = type.fields.map { field in
          var element = CoreDataAttribute(name: type.coding.name(of: field.name) ?? field.name, line: 1)
          if case .optional = field.type { element.isOptional = true }
          element.type = self.type(of: field.type.unwrapped)
          return element
        }
        compose(&copy, name, elements)
      case .enumeration(let name):
        guard let raw = schema.enums.first(where: { $0.name == name })?.rawType else { break }
        var element = CoreDataAttribute(name: "rawValue", line: 1)
        element.type = type(of: .scalar(raw))
        compose(&copy, name, [element])
      default: break
      }
      return copy
    }

    private mutating func compose(_ copy: inout CoreDataAttribute, _ name: String, _ elements: [CoreDataAttribute]) {
      copy.type = "Composite"
      copy.composite = name
      guard !composites.contains(where: { $0.name == name }) else { return }
      composites.append(CoreDataComposite(name: name, attributes: elements.sorted { $0.name < $1.name }, line: 1))
    }

    private func type(of type: ValueType) -> String {
      switch type {
      case .scalar(let scalar):
        if let name = scalar.traits.coreDataType { return name }
        if case .integer? = scalar.traits.number { return "Integer 64" }
        return scalar == .character ? "String" : "Transformable"
      case .enumeration(let name):
        guard let raw = schema.enums.first(where: { $0.name == name })?.rawType else { return "Transformable" }
        return self.type(of: .scalar(raw))
      default: return "Transformable"
      }
    }

    private static func relationship(_ relationship: ResolvedRelationship) -> CoreDataRelationship {
      var copy = CoreDataRelationship(name: relationship.name, line: 1)
      copy.destination = relationship.destination
      copy.inverse = relationship.inverseName
      copy.inverseEntity = relationship.inverseName == nil ? nil : relationship.destination
      copy.isOptional = relationship.isOptional
      copy.isToMany = relationship.isToMany
      copy.isOrdered = relationship.isOrdered
      return copy
    }
  }
}

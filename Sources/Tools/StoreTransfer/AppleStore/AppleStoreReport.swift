import SchemaImport

/// The contents of a Core Data store, and which parts an import copies.
package struct AppleStoreReport: Sendable, Encodable {
  package struct Entity: Sendable, Encodable {
    package var name: String
    package var table: String
    package var rows: Int64
    /// The name in the schema; `nil` if the entity is not imported.
    package var importedAs: String?
    package var properties: [Property]
  }

  package struct Property: Sendable, Encodable {
    package var name: String
    /// The attribute type, `to-one` or `to-many`.
    package var type: String
    /// The column; `nil` for composites and lists.
    package var column: String?
    package var isCopied = false
  }

  package private(set) var entities: [Entity]
  package private(set) var notes: [String] = []

  init(_ layout: AppleStoreLayout) {
    entities = layout.model.entities.map { entity in
      let attributes = entity.attributes.map { attribute in
        Property(
          name: attribute.name, type: attribute.isTransient ? "\(attribute.type), not stored" : attribute.type,
          column: layout.column(of: attribute.name, in: entity.name))
      }
      let relationships = entity.relationships.map { relationship in
        Property(
          name: relationship.name, type: relationship.isToMany ? "to-many" : "to-one",
          column: layout.column(of: relationship.name, in: entity.name))
      }
      return Entity(
        name: entity.name, table: layout.table(of: entity.name), rows: layout.rowCount(of: entity.name),
        properties: attributes + relationships)
    }
  }

  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  mutating func copied(_ entity: String, as name: String) {
    guard let index = entities.firstIndex(where: { $0.name == entity }) else { return }
    entities[index].importedAs = name
  }

  /// Marks a property as copied.
  mutating func copied(_ property: String, of entity: String) {
    guard let index = entities.firstIndex(where: { $0.name == entity }),
      let place = entities[index].properties.firstIndex(where: { $0.name == property })
    else { return }
    entities[index].properties[place].isCopied = true
  }

  /// A line for each entity and omitted property, followed by the notes.
  package var lines: [String] {
    var lines: [String] = []
    for entity in entities {
      let copied = entity.properties.count { $0.isCopied }
      let stored = entity.properties.count
      lines.append(
        "\(entity.name): \(entity.rows) \(entity.rows == 1 ? "row" : "rows") in \(entity.table), \(copied) of \(stored) "
          + "properties" + (entity.importedAs == nil ? ", not imported" : ""))
      for property in entity.properties where !property.isCopied {
        lines.append("  \(entity.name).\(property.name) (\(property.type)) is not imported")
      }
    }
    return lines + notes
  }
}

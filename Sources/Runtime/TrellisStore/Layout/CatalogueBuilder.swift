import Foundation

/// Assigns tables and column names to a schema's entities.
///
/// Name collisions are resolved in alphabetical order by model and property. The declaration order does not matter, so
/// reordering the declarations keeps the same tables.
package struct CatalogueBuilder {
  let schema: Schema
  var tableNames = NameScope(reserved: InternalTables.all.map(\.name))
  var tables: [TableDefinition] = []
  /// Lists stored in a join table, by `Entity.property`.
  var joins: [String: ListLayout.Kind] = [:]
  /// Position columns for ordered lists, by `Entity.property`.
  var orderColumns: [String: String] = [:]
  /// Sorted by name.
  var hierarchies: [Hierarchy] = []
  /// All hierarchy members by entity name.
  var entities: [String: NamedEntity] = [:]
  /// Declared and inherited relationships by entity and property name.
  let relationships: [String: [String: Schema.Relationship]]

  private init(_ schema: Schema) {
    self.schema = schema
    relationships = Dictionary(
      schema.entities.map { ($0.name, $0.relationshipsByName) }, uniquingKeysWith: { old, _ in old })
  }

  /// - Throws: ``SwiftDataError/unknownSchema`` if the schema cannot be mapped to tables.
  package static func catalogue(of schema: Schema) throws -> StoreCatalogue {
    if let name = schema.conflictingNames.first {
      throw SwiftDataError.unknownSchema.explained(
        "the schema contains two different models named '\(name)'")
    }
    var builder = CatalogueBuilder(schema)
    let entities = schema.entities.sorted { $0.name < $1.name }
    for root in entities where root.superentity == nil { try builder.addHierarchy(root) }
    for hierarchy in builder.hierarchies { builder.nameColumns(of: hierarchy) }
    for entity in entities { try builder.addJoins(of: entity) }
    for root in schema.entities where root.superentity == nil {
      if let hierarchy = builder.entities[root.name]?.hierarchy { try builder.addTable(of: hierarchy) }
    }
    let layouts = schema.entities.compactMap { builder.entities[$0.name]?.layout }
    return StoreCatalogue(
      schema: schema, layout: StoreLayout(entities: layouts), tables: builder.tables,
      constraints: builder.entities.mapValues(\.constraints), namedColumns: builder.hierarchies.flatMap(\.names))
  }

  private mutating func addHierarchy(_ root: Schema.Entity) throws {
    let table = tableNames.claim(root.name)
    let hierarchy = Hierarchy(root: root.name, table: table)
    for entity in root.hierarchy {
      guard let definition = entity.definition else {
        throw SwiftDataError.unknownSchema.explained(
          "entity '\(entity.name)' has no model class: create the schema from model types")
      }
      let member = NamedEntity(
        entity, definition, in: hierarchy,
        above: entity.superentity.flatMap { entities[$0.name] },
        relationships: relationships[entity.name] ?? [:])
      hierarchy.members.append(member)
      entities[entity.name] = member
    }
    hierarchies.append(hierarchy)
  }

  private mutating func nameColumns(of hierarchy: Hierarchy) {
    for member in hierarchy.members { nameColumns(of: member, in: hierarchy) }
    hierarchy.keyColumn = hierarchy.columnNames.claim(underscoring: "id")
    guard hierarchy.members.count > 1 else { return }
    hierarchy.entityColumn = hierarchy.columnNames.claim(underscoring: "entity")
  }

  private mutating func nameColumns(of member: NamedEntity, in hierarchy: Hierarchy) {
    let entity = member.entity.name
    let columns = member.definition.layout.columns
    let declared = member.declaredProperties
    member.columns = columns.map(\.name)
    member.members = columns.map { _ in [] }
    for property in columns.sorted(by: { $0.name < $1.name }) {
      let slot = property.slot
      if let inherited = member.inheritedColumn(of: property) {
        (member.columns[slot], member.members[slot]) = inherited
        continue
      }
      guard declared?.contains(property.name) != false else {
        member.members[slot] = property.flattenedMembers.map { "\(property.name)_\($0.name)" }
        continue
      }
      func claim(_ wanted: String, _ part: String) -> String {
        let column = hierarchy.columnNames.claim(wanted)
        hierarchy.names.append(
          NamedColumn(owner: entity, property: property.name, part: part, table: hierarchy.table, column: column))
        return column
      }
      member.columns[slot] = claim(property.name, "")
      member.members[slot] = property.flattenedMembers.map { claim("\(property.name)_\($0.name)", ".\($0.name)") }
    }
  }
}

extension CatalogueBuilder {
  /// An inheritance hierarchy and the table it shares.
  final class Hierarchy {
    let root: String
    let table: String
    // Only the builder reads and writes these properties.
    /// Parents first.
    @exclusivity(unchecked) var members: [NamedEntity] = []
    @exclusivity(unchecked) var columnNames = NameScope()
    @exclusivity(unchecked) var names: [NamedColumn] = []
    @exclusivity(unchecked) var columns: [ColumnDefinition] = []
    @exclusivity(unchecked) var keyColumn = "id"
    @exclusivity(unchecked) var entityColumn = "entity"

    init(root: String, table: String) {
      self.root = root
      self.table = table
    }
  }

  /// An entity with assigned column names.
  final class NamedEntity {
    let entity: Schema.Entity
    let definition: ModelDefinition
    /// The hierarchy, which owns this object.
    unowned let hierarchy: Hierarchy
    let above: NamedEntity?
    /// Includes inherited relationships.
    let relationships: [String: Schema.Relationship]
    /// Column names by slot.
    @exclusivity(unchecked) var columns: [String] = []
    /// Flattened struct columns by slot.
    @exclusivity(unchecked) var members: [[String]] = []
    @exclusivity(unchecked) var layout: EntityLayout?
    /// Includes inherited constraints.
    @exclusivity(unchecked) var constraints: [UniqueConstraint] = []

    init(
      _ entity: Schema.Entity, _ definition: ModelDefinition, in hierarchy: Hierarchy,
      above: NamedEntity?, relationships: [String: Schema.Relationship]
    ) {
      self.entity = entity
      self.definition = definition
      self.hierarchy = hierarchy
      self.above = above
      self.relationships = relationships
    }

    /// The declared property names; `nil` if the entity declares exactly the properties that the model itself adds.
    var declaredProperties: Set<String>? {
      let inherited = above?.definition.layout.properties.count ?? 0
      let own = definition.layout.properties.count - inherited
      return entity.storedProperties.count == own ? nil : Set(entity.storedProperties.map(\.name))
    }

    func inheritedColumn(of property: ModelProperty) -> (String, [String])? {
      guard let above else { return nil }
      let layout = above.definition.layout
      guard layout.columns.indices ~= property.slot,
        layout.columns[property.slot].name == property.name
      else { return nil }
      return (above.columns[property.slot], above.members[property.slot])
    }

    /// Returns the column name for a property.
    func column(of property: String) -> String {
      guard let slot = definition.layout.property(named: property)?.slot, columns.indices ~= slot
      else { return property }
      return columns[slot]
    }
  }
}

extension Schema.Entity {
  /// Returns the entity that declares a property: this entity or an ancestor.
  func declarer(of property: String) -> Schema.Entity {
    guard let superentity, superentity.properties.contains(where: { $0.name == property }) else { return self }
    return superentity.declarer(of: property)
  }
}

/// A class's property and the column that stores it.
///
/// Two classes in a hierarchy may use the same property name; each then has a separate column.
struct NamedColumn: Sendable {
  let owner: String
  let property: String
  /// The suffix that distinguishes a property's columns if there are several.
  var part = ""
  var table: String
  let column: String

  var key: String { "\(owner).\(property)\(part)" }
}

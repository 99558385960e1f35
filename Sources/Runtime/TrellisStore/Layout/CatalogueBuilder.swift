import Foundation

/// Finds names and tables for the entities of a schema.
///
/// If two tables or columns would have one name, the order of the models' and properties' names decides. The order of
/// declarations is of no importance, so a program that declares them in a different order uses the same tables.
package struct CatalogueBuilder {
  let schema: Schema
  var tableNames = NameScope(reserved: InternalTables.all.map(\.name))
  var tables: [TableDefinition] = []
  /// By entity and property: lists with a separate table.
  var joins: [String: ListLayout.Kind] = [:]
  /// By entity and property of an ordered list: the column of the members' places.
  var orderColumns: [String: String] = [:]
  /// In the order of their names.
  var hierarchies: [Hierarchy] = []
  /// By name: the members of the hierarchies.
  var entities: [String: NamedEntity] = [:]
  /// By entity and name, inherited ones included.
  let relationships: [String: [String: Schema.Relationship]]

  private init(_ schema: Schema) {
    self.schema = schema
    relationships = Dictionary(
      schema.entities.map { ($0.name, $0.relationshipsByName) }, uniquingKeysWith: { old, _ in old })
  }

  /// - Throws: ``SwiftDataError/unknownSchema`` when the schema cannot be kept in tables.
  package static func catalogue(of schema: Schema) throws -> StoreCatalogue {
    if let name = schema.conflictingNames.first {
      throw SwiftDataError.unknownSchema.explained(
        "two different models of the schema are called '\(name)'")
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
          "entity '\(entity.name)' has no model class: make the schema from model types")
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
  /// The shared table of one inheritance chain.
  final class Hierarchy {
    let root: String
    let table: String
    // Read and written by the builder alone.
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

  /// An entity and the names of its columns.
  final class NamedEntity {
    let entity: Schema.Entity
    let definition: ModelDefinition
    /// Holds the entity.
    unowned let hierarchy: Hierarchy
    let above: NamedEntity?
    /// Inherited ones included.
    let relationships: [String: Schema.Relationship]
    /// By slot, as the model numbers its properties.
    @exclusivity(unchecked) var columns: [String] = []
    /// By slot: the columns of a flattened struct.
    @exclusivity(unchecked) var members: [[String]] = []
    @exclusivity(unchecked) var layout: EntityLayout?
    /// Inherited ones included.
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

    /// The properties the entity declares, where these are not simply those the model has beyond the
    /// one above it.
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

    /// The column of a property, by its name.
    func column(of property: String) -> String {
      guard let slot = definition.layout.property(named: property)?.slot, columns.indices ~= slot
      else { return property }
      return columns[slot]
    }
  }
}

extension Schema.Entity {
  /// The entity that declares a property: this one or one above it.
  func declarer(of property: String) -> Schema.Entity {
    guard let superentity, superentity.properties.contains(where: { $0.name == property }) else { return self }
    return superentity.declarer(of: property)
  }
}

/// The column of a property of a class. Two classes of one hierarchy may have properties of one name, and each has its
/// own column.
struct NamedColumn: Sendable {
  let owner: String
  let property: String
  /// What stands behind the property where it has several columns.
  var part = ""
  var table: String
  let column: String

  var key: String { "\(owner).\(property)\(part)" }
}

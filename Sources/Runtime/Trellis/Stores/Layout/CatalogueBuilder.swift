/// Finds names and tables for the entities of a schema. Deterministic: the same schema always gives
/// the same catalogue.
package struct CatalogueBuilder {
  let schema: Schema
  var tableNames = NameScope(reserved: InternalTables.all.map(\.name))
  var tables: [TableDefinition] = []
  var presets: [String: [String: any ColumnValue]] = [:]
  var valueTypes: [ObjectIdentifier: ValueType] = [:]
  /// By table and column that can be NULL: the rows that must have a value.
  var holders: [String: [String: SQLFragment]] = [:]
  /// By entity and property: lists with a separate table.
  var joins: [String: ListLayout.Kind] = [:]
  /// By entity and property of an ordered list: the column of the members' places.
  var orderColumns: [String: String] = [:]
  /// In the order of the schema.
  var hierarchies: [Hierarchy] = []
  /// By name: the members of the hierarchies.
  var entities: [String: NamedEntity] = [:]
  /// By entity of the schema.
  let relationships: [String: Relationships]
  /// The tables of the store, where there is one.
  let known: Set<String>
  /// The store's columns by class and property, where they are known.
  let recorded: [String: String]

  struct Relationships {
    /// Those the entity declares.
    var own: [Schema.Relationship] = []
    /// Inherited ones included.
    var byName: [String: Schema.Relationship] = [:]

    init(_ entity: Schema.Entity) {
      for property in entity.inheritedProperties {
        guard let relationship = property.asRelationship else { continue }
        if byName[relationship.name] == nil { byName[relationship.name] = relationship }
      }
      for property in entity.storedProperties {
        guard let relationship = property.asRelationship else { continue }
        own.append(relationship)
        if byName[relationship.name] == nil { byName[relationship.name] = relationship }
      }
    }
  }

  private init(_ schema: Schema, _ known: Set<String>, _ recorded: [String: String]) {
    self.schema = schema
    self.known = known
    self.recorded = recorded
    self.relationships = Dictionary(
      schema.entities.map { ($0.name, Relationships($0)) }, uniquingKeysWith: { old, _ in old })
  }

  /// - Parameters:
  ///   - known: the tables of a store. A table of pairs has the name of the list that came first when the table was made;
  ///     the order of models in a schema may have changed since.
  ///   - columns: the columns of a store of this schema, by class and property. Of two properties whose columns would
  ///     have one name, the first one gets it; the order of properties may have changed since.
  /// - Throws: ``SwiftDataError/unknownSchema`` when the schema cannot be kept in tables.
  package static func catalogue(
    of schema: Schema, knowing known: Set<String> = [], columns: [String: String] = [:]
  ) throws -> StoreCatalogue {
    if let name = schema.conflictingNames.first {
      throw SwiftDataError.unknownSchema.explained(
        "two different models of the schema are called '\(name)'")
    }
    var builder = CatalogueBuilder(schema, known, columns)
    for root in schema.entities where root.superentity == nil { try builder.addHierarchy(root) }
    for hierarchy in builder.hierarchies { builder.nameColumns(of: hierarchy) }
    for entity in schema.entities { try builder.addJoins(of: entity) }
    for hierarchy in builder.hierarchies { try builder.addTable(of: hierarchy) }
    let layouts = schema.entities.compactMap { builder.entities[$0.name]?.layout }
    return StoreCatalogue(
      schema: schema, layout: StoreLayout(entities: layouts), tables: builder.tables,
      constraints: builder.entities.mapValues(\.constraints), presets: builder.presets, holders: builder.holders,
      namedColumns: builder.hierarchies.flatMap(\.names))
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
        relationships: relationships[entity.name]?.byName ?? [:])
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
    member.columns.reserveCapacity(columns.count)
    for property in columns {
      if let inherited = member.inheritedColumn(of: property) {
        member.columns.append(inherited.name)
        member.members.append(inherited.members)
        continue
      }
      guard declared?.contains(property.name) != false else {
        member.columns.append(property.name)
        member.members.append(property.flattenedMembers.map { "\(property.name)_\($0.name)" })
        continue
      }
      let name = claim(property.name, for: "\(entity).\(property.name)", in: hierarchy)
      hierarchy.names.append(NamedColumn(owner: entity, property: property.name, table: hierarchy.table, column: name))
      var memberNames: [String] = []
      for part in property.flattenedMembers {
        let name = claim(
          "\(property.name)_\(part.name)", for: "\(entity).\(property.name).\(part.name)", in: hierarchy)
        memberNames.append(name)
        hierarchy.names.append(
          NamedColumn(
            owner: entity, property: property.name, part: ".\(part.name)", table: hierarchy.table, column: name))
      }
      member.columns.append(name)
      member.members.append(memberNames)
    }
  }

  /// The name of a column: the one that it has in the store, or else the wanted one.
  func claim(_ wanted: String, for key: @autoclosure () -> String, in hierarchy: Hierarchy) -> String {
    hierarchy.columnNames.claim(recorded.isEmpty ? wanted : recorded[key()] ?? wanted)
  }
}

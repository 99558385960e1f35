/// Finds names and tables for the entities of a schema. Deterministic: the same schema always gives
/// the same catalogue.
struct CatalogueBuilder {
  let schema: Schema
  var tableNames = NameScope(reserved: [StoreCatalogue.metadataTable])
  var tables: [TableDefinition] = []
  var layouts: [String: EntityLayout] = [:]
  var constraints: [String: [UniqueConstraint]] = [:]
  var renamings = StoreCatalogue.Renamings()
  var presets: [String: [String: any ColumnValue]] = [:]
  var columnTypes: [TypeKey: ColumnType] = [:]
  /// By table and column that can be NULL: the rows that must have a value.
  var holders: [String: [String: SQLFragment]] = [:]
  /// By entity and property: lists with a table of their own.
  var joins: [String: ListLayout.Kind] = [:]
  /// By entity and property of an ordered list: the column of the members' places.
  var orderColumns: [String: String] = [:]
  /// By entity and property, where one of them was renamed: what the two were called.
  var formerKeys: [String: String] = [:]
  /// By root entity.
  var hierarchies: [String: Hierarchy] = [:]
  let relationships: [String: [String: Schema.Relationship]]

  /// The shared table of one inheritance chain.
  struct Hierarchy {
    var root: String
    /// Parents first.
    var members: [Schema.Entity]
    var table: String
    var columnNames = NameScope()
    /// By entity and property.
    var names: [String: String] = [:]
    var columns: [ColumnDefinition] = []
    var keyColumn = "id"
    var entityColumn = "entity"
  }

  private init(_ schema: Schema) {
    self.schema = schema
    self.relationships = Dictionary(
      schema.entities.map { ($0.name, $0.relationshipsByName) }, uniquingKeysWith: { old, _ in old }
    )
  }

  /// - Throws: ``SwiftDataError/unknownSchema`` when the schema cannot be kept in tables.
  static func catalogue(of schema: Schema) throws -> StoreCatalogue {
    if let name = schema.conflictingNames.first {
      throw SwiftDataError.unknownSchema.explained(
        "two different models of the schema are called '\(name)'")
    }
    var builder = CatalogueBuilder(schema)
    let roots = schema.entities.filter { $0.superentity == nil }
    for root in roots { builder.addHierarchy(root) }
    for root in roots { try builder.nameColumns(of: root.name) }
    for entity in schema.entities { try builder.addJoins(of: entity) }
    for root in roots { try builder.addTable(of: root.name) }
    let entities = schema.entities.compactMap { builder.layouts[$0.name] }
    return StoreCatalogue(
      schema: schema, layout: StoreLayout(entities: entities), tables: builder.tables,
      constraints: builder.constraints, renamings: builder.renamings, presets: builder.presets,
      holders: builder.holders,
      tableColumns: builder.hierarchies.values.map(\.names),
      formerKeys: builder.formerKeys)
  }

  private mutating func addHierarchy(_ root: Schema.Entity) {
    let table = tableNames.claim(root.name)
    if root.originalName != root.name { renamings.tables[table] = root.originalName }
    hierarchies[root.name] = Hierarchy(root: root.name, members: root.hierarchy, table: table)
  }

  private mutating func nameColumns(of root: String) throws {
    guard var hierarchy = hierarchies[root] else { return }
    for entity in hierarchy.members {
      let own = Set(entity.storedProperties.map(\.name))
      for property in try definition(of: entity).layout.columns where own.contains(property.name) {
        let name = hierarchy.columnNames.claim(property.name)
        let key = "\(entity.name).\(property.name)"
        hierarchy.names[key] = name
        let members = property.flattenedMembers
        let formerEntity = entity.originalName.nonEmpty ?? entity.name
        for member in members {
          let name = hierarchy.columnNames.claim("\(property.name)_\(member.name)")
          hierarchy.names["\(entity.name).\(property.name).\(member.name)"] = name
        }
        let original =
          property.attribute?.originalName.nonEmpty ?? property.relationship?.originalName.nonEmpty
        if formerEntity != entity.name || (original ?? property.name) != property.name {
          let former = "\(formerEntity).\(original ?? property.name)"
          formerKeys[key] = former
          for member in members { formerKeys["\(key).\(member.name)"] = "\(former).\(member.name)" }
        }
        if let original, original != property.name {
          renamings.columns[hierarchy.table, default: [:]][name] = original
          for member in members {
            guard let name = hierarchy.names["\(key).\(member.name)"] else { continue }
            renamings.columns[hierarchy.table, default: [:]][name] = "\(original)_\(member.name)"
          }
        }
      }
    }
    hierarchy.keyColumn = hierarchy.columnNames.claim(underscoring: "id")
    if hierarchy.members.count > 1 {
      hierarchy.entityColumn = hierarchy.columnNames.claim(underscoring: "entity")
    }
    if hierarchy.members.count > 1 {
      for entity in hierarchy.members {
        guard let former = entity.originalName.nonEmpty, former != entity.name else { continue }
        renamings.entities.append(
          .init(
            table: hierarchy.table, column: hierarchy.entityColumn, from: former, to: entity.name))
      }
    }
    hierarchies[root] = hierarchy
  }

  func definition(of entity: Schema.Entity) throws -> ModelDefinition {
    guard let definition = entity.definition else {
      throw SwiftDataError.unknownSchema.explained(
        "entity '\(entity.name)' has no model class: make the schema from model types")
    }
    return definition
  }

  func root(of entity: String) -> String { schema.entitiesByName[entity]?.root.name ?? entity }
  func hierarchy(of entity: String) -> Hierarchy? { hierarchies[root(of: entity)] }

  /// The entity that declares a property: the given one or one above it.
  func declarer(of property: String, in entity: Schema.Entity) -> Schema.Entity {
    guard let above = entity.superentity, above.properties.contains(where: { $0.name == property })
    else { return entity }
    return declarer(of: property, in: above)
  }

  func columnName(
    of property: String, in entity: Schema.Entity, _ hierarchy: Hierarchy? = nil
  ) -> String {
    let declarer = declarer(of: property, in: entity)
    let names = hierarchy?.names ?? self.hierarchy(of: entity.name)?.names
    return names?["\(declarer.name).\(property)"] ?? property
  }
}

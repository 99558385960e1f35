/// A store's tables: model layouts, constraints and table definitions.
package struct StoreCatalogue: Sendable {
  package let schema: Schema
  package var layout: StoreLayout
  package let tables: [TableDefinition]
  /// Unique constraints by entity, including inherited constraints.
  package var constraints: [String: [UniqueConstraint]]
  let namedColumns: [NamedColumn]
  /// Column names by class and property, for tools.
  package var columnNames: [String: String] {
    Dictionary(namedColumns.map { ($0.key, $0.column) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the value that existing rows receive in a new column.
  package func preset(of column: String, in table: String) -> SQLValue? {
    for entity in layout.entities where entity.table == table {
      // Before the first subclass was added, the table held only root rows.
      if column == entity.entityColumn, !entity.discriminators.isEmpty { return .text(entity.rootName) }
      for place in entity.columns {
        if let part = place.members.firstIndex(where: { $0.name == column }) {
          return place.property.flattenedMembers[part].preset.flatMap { try? ColumnForm($0).value }
        }
        guard place.name == column, place.members.isEmpty else { continue }
        let attribute = schema.entitiesByName[entity.name]?.attributesByName[place.property.name]
        if let value = attribute?.preset { return value }
      }
    }
    return nil
  }

  /// Returns the member values of a flattened property's default; `nil` if it has none.
  func memberPresets(of column: ColumnLayout, in entity: String) -> [SQLValue]? {
    let value = schema.entitiesByName[entity]?.attributesByName[column.property.name]?.defaultValue
    guard !column.members.isEmpty, let value = (value as? any OptionalValue).map(\.wrappedValue) ?? value else {
      return nil
    }
    var presets: [SQLValue] = []
    for member in column.property.flattenedMembers {
      // Optional members can be nil; a value of a different type has no members.
      guard let part = value[keyPath: member.keyPath] else { return nil }
      guard let preset = try? (part as? any ColumnValue).map({ try ColumnForm($0).value }) ?? .null else { return nil }
      presets.append(preset)
    }
    return presets
  }

  /// Conditions for columns that may be NULL in some rows, by table and column.
  ///
  /// A condition matches the rows that must have a value: rows whose class declares the property, or whose optional
  /// struct is not nil.
  var holders: [String: [String: SQLFragment]] {
    var holders: [String: [String: SQLFragment]] = [:]
    for entity in layout.entities {
      let above = schema.entitiesByName[entity.name]?.superentity.flatMap { layout.entity(named: $0.name) }
      let isOwn: SQLFragment = "\(name: entity.entityColumn) IN (\(literals: entity.discriminators))"
      for column in entity.columns.dropFirst(above?.columns.count ?? 0) {
        let isOptional = column.property.isOptional
        if above != nil, !isOptional, !column.type.isOptional {
          holders[entity.table, default: [:]][column.name] = isOwn
        }
        var conditions = above == nil ? [] : [isOwn]
        if isOptional { conditions.append("\(name: column.name) IS NOT NULL") }
        guard !conditions.isEmpty else { continue }
        for part in column.members where part.name != column.name && !part.type.isOptional {
          holders[entity.table, default: [:]][part.name] = conditions.joined(separator: " AND ")
        }
      }
    }
    return holders
  }

  /// Returns true if a column is nullable but required for some classes or inside an optional struct.
  package func isRequiredInPart(_ column: String, in table: String) -> Bool {
    holders[table]?[column] != nil
  }

  /// Returns true if a table column is `NOT NULL`.
  package func isRequired(_ column: String, in table: String) -> Bool {
    tables.first { $0.name == table }?.column(named: column)?.isRequired ?? false
  }

  /// Columns with values that may be stored in files.
  package var externalColumns: [ExternalFiles.Column] {
    var columns: [ExternalFiles.Column] = []
    for entity in layout.entities {
      for slot in entity.columns.indices where entity.columns[slot].property.isExternal {
        let place = ExternalFiles.Column(table: entity.table, name: entity.columns[slot].name)
        if !columns.contains(place) { columns.append(place) }
      }
    }
    return columns
  }

  /// Returns true if the layout contains a property, given as `Model.property`.
  func hasProperty(_ name: String) -> Bool {
    layout.entities.contains { entity in
      entity.definition.layout.properties.contains { "\(entity.name).\($0.name)" == name }
    }
  }

  /// The name of the store metadata table.
  package static let metadataTable = "trellis_metadata"
}

extension StoreCatalogue {
  /// Returns a copy with renamed tables, for example to qualify them with a database schema.
  package func renamingTables(_ renamed: (String) -> String) -> StoreCatalogue {
    let entities = layout.entities.map { entity in
      EntityLayout(
        name: entity.name, table: renamed(entity.table), keyColumn: entity.keyColumn, entityColumn: entity.entityColumn,
        definition: entity.definition, rootName: entity.rootName, discriminators: entity.discriminators,
        columns: entity.columns, lists: entity.lists.map { $0.renamingTable(renamed) })
    }
    var layout = StoreLayout(entities: entities)
    layout.formerNames = self.layout.formerNames
    let tables = tables.map { table in
      var table = table
      table.name = renamed(table.name)
      for index in table.columns.indices {
        guard let reference = table.columns[index].reference else { continue }
        table.columns[index].reference?.table = renamed(reference.table)
      }
      return table
    }
    let namedColumns = namedColumns.map { column in
      var column = column
      column.table = renamed(column.table)
      return column
    }
    return StoreCatalogue(
      schema: schema, layout: layout, tables: tables, constraints: constraints, namedColumns: namedColumns)
  }
}

extension ListLayout {
  fileprivate func renamingTable(_ renamed: (String) -> String) -> ListLayout {
    guard case .join(let table, let owner, let member, let position) = kind else { return self }
    return ListLayout(
      slot: slot, destination: destination,
      kind: .join(table: renamed(table), owner: owner, member: member, position: position), property: property,
      orderColumn: orderColumn)
  }
}

/// The actual database tables, read from SQLite's schema.
extension Connection {
  /// Returns the differences from a new store's tables, ignoring column order, defaults and index names.
  ///
  /// - Parameter allowsMore: True to accept foreign columns and indexes.
  func differences(from catalogue: StoreCatalogue, allowsMore: Bool) throws -> [String] {
    var differences = try driftedColumns(of: catalogue.tables)
    for table in catalogue.tables {
      if !allowsMore {
        differences += try columns(of: table.name).filter { table.column(named: $0.name) == nil }
          .map { "column '\(table.name).\($0.name)' should not exist" }
      }
      let indexes = try indexes(of: table.name)
      for index in table.indexes where !indexes.contains(where: { $0.index.isSame(as: index) }) {
        differences.append(
          "the index on '\(table.name)' (\(index.columns.joined(separator: ", "))) is missing")
      }
      for (name, index) in indexes where !allowsMore && !table.indexes.contains(where: { $0.isSame(as: index) }) {
        differences.append("index '\(name)' on '\(table.name)' should not exist")
      }
    }
    for name in try tableNames().sorted() where name.hasPrefix("trellis_old_") || name.hasPrefix("trellis_moving_") {
      differences.append("temporary table '\(name)' still exists")
    }
    return differences
  }

  /// Returns the tables and columns that are missing or differ.
  package func driftedColumns(of tables: [TableDefinition]) throws -> [String] {
    var differences: [String] = []
    for table in tables {
      let columns = try columns(of: table.name)
      if columns.isEmpty { differences.append("table '\(table.name)' is missing") }
      for column in table.columns where !columns.isEmpty {
        var wanted = column
        // SQLite makes the columns in a composite key NOT NULL.
        if table.key.contains(column.name) { wanted.isRequired = true }
        let found = columns.first { $0.name == column.name }
        guard found != wanted else { continue }
        let form = found.map { "is \($0.definition.text) and should be \(column.definition.text)" } ?? "is missing"
        differences.append("column '\(table.name).\(column.name)' \(form)")
      }
    }
    return differences
  }

  private func columns(of table: String) throws -> [ColumnDefinition] {
    let references = try rows("PRAGMA foreign_key_list(\(name: table))")
    let found = try rows("PRAGMA table_info(\(name: table))")
    let keys = found.count { $0[5] != .integer(0) }
    return found.map { row in
      let name = row[1].text
      let isRowKey = keys == 1 && row[5] != .integer(0)
      var column = ColumnDefinition(
        name: name, type: ColumnType.Affinity(rawValue: row[2].text) ?? .any, isRowKey: isRowKey,
        isRequired: row[3] != .integer(0))
      if let reference = references.first(where: { $0[3] == .text(name) }) {
        let action = ColumnDefinition.Reference.Action(rawValue: reference[6].text) ?? .noAction
        column.reference = .init(table: reference[2].text, onDelete: action)
      }
      return column
    }
  }
}

extension Connection {
  /// Returns the table's indexes created with `CREATE INDEX`, including names.
  package func indexes(of table: String) throws -> [(name: String, index: IndexDefinition)] {
    try rows("PRAGMA index_list(\(name: table))").filter { $0[3] == .text("c") }.map { row in
      let name = row[1].text
      let columns = try rows("PRAGMA index_info(\(name: name))").map { $0[2].text }
      var index = IndexDefinition(name: name, columns: columns, isUnique: row[2] != .integer(0))
      if row[4] != .integer(0) { index.condition = try condition(ofIndex: name) }
      return (name, index)
    }
  }

  /// Renames a table temporarily and drops the indexes so that the names can be reused. References in other tables
  /// still use the original name.
  ///
  /// - Returns: The temporary name.
  func setAside(_ table: String) throws -> String {
    let aside = "trellis_old_\(table)"
    for (name, _) in try indexes(of: table) { try execute("DROP INDEX \(name: name)") }
    try execute("PRAGMA legacy_alter_table = ON")
    defer { try? execute("PRAGMA legacy_alter_table = OFF") }
    try execute("ALTER TABLE \(name: table) RENAME TO \(name: aside)")
    return aside
  }

  /// Parses an index condition such as `WHERE "entity" IN ('A', 'B')`.
  private func condition(ofIndex name: String) throws -> IndexDefinition.Condition? {
    let found = try rows(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = \(value: .text(name))")
    guard case .text(let sql)? = found.first?.first, let start = sql.firstRange(of: " WHERE ")
    else { return nil }
    let text = sql[start.upperBound...]
    guard let middle = text.firstRange(of: " IN (") else { return nil }
    let column = text[..<middle.lowerBound].filter { $0 != "\"" }
    let values = text[middle.upperBound...].dropLast().split(separator: ", ")
      .map { $0.dropFirst().dropLast().split(separator: "''", omittingEmptySubsequences: false) }
      .map { $0.joined(separator: "'") }
    return .init(column: String(column), values: values)
  }
}

extension IndexDefinition {
  /// Returns true if both indexes have the same columns and conditions. Index names are ignored.
  package func isSame(as other: IndexDefinition) -> Bool {
    columns == other.columns && isUnique == other.isUnique && condition?.column == other.condition?.column
      && Set(condition?.values ?? []) == Set(other.condition?.values ?? [])
  }
}

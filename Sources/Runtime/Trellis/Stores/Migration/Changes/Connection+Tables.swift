/// The tables that a database has, by SQLite's own schema.
extension Connection {
  /// The differences to the tables of a new store, except the order of columns, defaults and the names of indexes.
  ///
  /// - Parameter allowsMore: true to accept columns and indexes of other programs.
  func differences(from catalogue: StoreCatalogue, allowsMore: Bool) throws -> [String] {
    var differences: [String] = []
    let names = try tableNames()
    for table in catalogue.tables {
      guard names.contains(table.name) else {
        differences.append("table '\(table.name)' is missing")
        continue
      }
      differences += try self.differences(from: table, allowsMore: allowsMore)
    }
    for name in names.sorted() where name.hasPrefix("trellis_old_") || name.hasPrefix("trellis_moving_") {
      differences.append("table '\(name)' is left")
    }
    return differences
  }

  private func differences(from table: TableDefinition, allowsMore: Bool) throws -> [String] {
    var differences: [String] = []
    let columns = try self.columns(of: table.name)
    for column in table.columns {
      guard let found = columns.first(where: { $0.name == column.name }) else {
        differences.append("column '\(table.name).\(column.name)' is missing")
        continue
      }
      var wanted = column
      // SQLite requires the columns of a key of several columns.
      if table.key.contains(column.name) { wanted.isRequired = true }
      if found != wanted {
        differences.append(
          "column '\(table.name).\(column.name)' is \(found.definition.text) and should be "
            + column.definition.text)
      }
    }
    for column in columns where !allowsMore && table.column(named: column.name) == nil {
      differences.append("column '\(table.name).\(column.name)' should be gone")
    }
    let indexes = try indexes(of: table.name)
    for index in table.indexes where !indexes.contains(where: { $0.index.isSame(as: index) }) {
      differences.append(
        "the index on '\(table.name)' (\(index.columns.joined(separator: ", "))) is missing")
    }
    for (name, index) in indexes where !allowsMore && !table.indexes.contains(where: { $0.isSame(as: index) }) {
      differences.append("index '\(name)' on '\(table.name)' should be gone")
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
  /// The indexes of a table that `CREATE INDEX` has made, by their names.
  func indexes(of table: String) throws -> [(name: String, index: IndexDefinition)] {
    try rows("PRAGMA index_list(\(name: table))").filter { $0[3] == .text("c") }.map { row in
      let name = row[1].text
      let columns = try rows("PRAGMA index_info(\(name: name))").map { $0[2].text }
      var index = IndexDefinition(name: name, columns: columns, isUnique: row[2] != .integer(0))
      if row[4] != .integer(0) { index.condition = try condition(ofIndex: name) }
      return (name, index)
    }
  }

  /// Creates a table again, with the same columns and rows and other constraints. SQLite cannot change those of a column.
  /// Indexes and triggers stay.
  func rebuild(_ table: TableDefinition) throws {
    let objects = try rows(
      """
      SELECT sql FROM sqlite_schema
      WHERE tbl_name = \(value: .text(table.name)) AND type IN ('index', 'trigger') AND sql IS NOT NULL
      """
    ).map(\.[0].text)
    let aside = "trellis_old_\(table.name)"
    // References of other tables still lead to the name.
    try execute("PRAGMA legacy_alter_table = ON")
    try execute("ALTER TABLE \(name: table.name) RENAME TO \(name: aside)")
    try execute("PRAGMA legacy_alter_table = OFF")
    for row in try rows(
      "SELECT name FROM sqlite_schema WHERE tbl_name = \(value: .text(aside)) AND sql IS NOT NULL AND type = 'index'")
    {
      try execute("DROP INDEX \(name: row[0].text)")
    }
    try execute(table.creation)
    let names = table.columns.map(\.name)
    try execute("INSERT INTO \(name: table.name) (\(names: names)) SELECT \(names: names) FROM \(name: aside)")
    try execute("DROP TABLE \(name: aside)")
    for sql in objects { try executeText(sql) }
  }

  /// Reads the condition `WHERE "entity" IN ('A', 'B')` of an index.
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
  /// True if both indexes contain the same values. Their names do not count.
  package func isSame(as other: IndexDefinition) -> Bool {
    columns == other.columns && isUnique == other.isUnique && condition?.column == other.condition?.column
      && Set(condition?.values ?? []) == Set(other.condition?.values ?? [])
  }
}

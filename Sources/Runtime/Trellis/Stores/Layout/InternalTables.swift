/// The tables that every store has beside those of its models.
enum InternalTables {
  static let all = [StoreMetadata.table] + HistoryTables.definitions

  /// The number of columns of all internal tables. A store that records a lower number lacks some of them.
  static let columnCount = Int64(all.reduce(0) { $0 + $1.columns.count })

  /// The number of columns in stores that have a history and do not record the number.
  static let firstColumnCount: Int64 = 22

  /// Creates the missing tables and adds the missing columns. This is the only way in which an internal table changes,
  /// so a new column must be optional, and rows of earlier releases have NULL in it.
  static func prepare(_ tables: [TableDefinition], _ connection: Connection) throws {
    for table in tables {
      let existing = try connection.columnNames(of: table.name)
      if existing.isEmpty {
        for statement in table.statements { try connection.execute(statement) }
      } else {
        for column in table.columns where !existing.contains(column.name) {
          try connection.execute("ALTER TABLE \(name: table.name) ADD COLUMN \(column.definition)")
        }
      }
    }
  }
}

extension Connection {
  /// The columns of a table; empty if it does not exist.
  func columnNames(of table: String) throws -> Set<String> {
    Set(try rows("SELECT name FROM pragma_table_info(\(value: .text(table)))").map(\.[0].text))
  }

  func tableNames() throws -> Set<String> {
    Set(try rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map(\.[0].text))
  }
}

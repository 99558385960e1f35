/// The tables that every store has beside those of its models.
enum InternalTables {
  static let all = [StoreMetadata.table] + HistoryTables.definitions
}

extension Connection {
  func tableNames() throws -> Set<String> {
    Set(try rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map(\.[0].text))
  }
}

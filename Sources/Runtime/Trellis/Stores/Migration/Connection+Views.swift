/// The views other programs have made.
extension Connection {
  /// Drops them: SQLite gives no table and no column another name while some view shows what is not there.
  ///
  /// - Returns: the statements that make them, and what they have in place of tables.
  func putAsideViews() throws -> [String] {
    let found = try rows(
      """
      SELECT type, name, sql FROM sqlite_schema WHERE type = 'view' OR (type = 'trigger'
      AND tbl_name IN (SELECT name FROM sqlite_schema WHERE type = 'view')) ORDER BY type = 'trigger', rowid
      """)
    for row in found where row[0] == .text("view") { try execute("DROP VIEW \(name: row[1].text)") }
    return found.map(\.[2].text)
  }

  /// Makes them again, as they were: what they show is looked for when somebody asks.
  func restore(_ views: [String]) throws { for sql in views { try executeText(sql) } }

  /// Runs a statement as somebody else has written it.
  func executeText(_ sql: String) throws {
    let statement = try take(sql)
    defer { giveBack(statement) }
    try statement.run()
  }
}

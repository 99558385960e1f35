/// Database objects that were not created by Trellis.
///
/// Such objects do not affect reading and saving, but a migration loses foreign columns in tables that it rewrites.
struct ForeignObjects {
  /// Views and view triggers.
  static let views: SQLFragment = """
    type = 'view' OR (type = 'trigger' AND tbl_name IN (SELECT name FROM sqlite_schema WHERE type = 'view'))
    """
  static let triggers: SQLFragment = "type = 'trigger' AND name NOT LIKE 'trellis\\_%' ESCAPE '\\'"

  /// Foreign columns in the store's tables, except for columns that unplanned stages keep.
  let columns: [(table: TableDefinition, name: String)]
  /// Foreign tables and views with names that a newer version needs.
  let conflicting: [String]

  init(before stages: [StageChanges], _ connection: Connection) throws {
    let tables = stages.first?.old.tables ?? []
    columns = try tables.flatMap { table in
      try connection.rows("PRAGMA table_info(\(name: table.name))").map { (table: table, name: $0[1].text) }
    }.filter { table, name in
      !table.columns.contains { NameScope.areEqual($0.name, name) }
        && !stages.contains { !$0.step.isPlanned && $0.keeps(name, of: table) }
    }
    let later = stages.flatMap(\.new.tables)
    let names = try connection.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')").map(\.[0].text)
    conflicting = names.filter { name in
      !tables.contains { NameScope.areEqual($0.name, name) } && later.contains { NameScope.areEqual($0.name, name) }
    }
  }

  /// Returns the problems that block the migration, with suggested fixes; `nil` if there are none.
  func obstacle(refusesColumns: Bool) -> String? {
    let stray = refusesColumns ? columns : []
    let lines =
      stray.map { table, column in
        "column '\(table.name).\(column)' belongs to no version of the schema: move its values elsewhere and "
          + "drop it (\(Self.drop(column, of: table.name).text)), or set 'migration.strayColumns' in the configuration "
          + "to '.drop' (the backup still contains the column)"
      }
      + conflicting.map {
        "table '\($0)' belongs to another program, but the schema needs its name: rename or drop the table"
      }
    guard !lines.isEmpty else { return nil }
    return "the store was changed by other means, and a migration would lose these changes; nothing was touched:\n"
      + lines.map { "  - \($0)" }.joined(separator: "\n")
  }

  /// Drops the foreign columns and the foreign indexes on their tables.
  func drop(_ connection: Connection, explaining failure: (String) -> SwiftDataError) throws {
    for (table, column) in columns {
      for (name, index) in try connection.indexes(of: table.name)
      where !table.indexes.contains(where: { $0.isSame(as: index) }) {
        try connection.execute("DROP INDEX \(name: name)")
      }
      do {
        try connection.execute(Self.drop(column, of: table.name))
      } catch let error as SQLiteError where error.code != .full {
        throw failure(
          "column '\(table.name).\(column)' belongs to another program and cannot be dropped: \(error.message)")
      }
    }
  }

  private static func drop(_ column: String, of table: String) -> SQLFragment {
    "ALTER TABLE \(name: table) DROP COLUMN \(name: column)"
  }
}

extension StageChanges {
  /// Returns true if the stage neither rewrites the unknown column's table nor needs the column's name.
  fileprivate func keeps(_ column: String, of table: TableDefinition) -> Bool {
    guard let move = moves.first(where: { $0.source?.name == table.name }) else { return false }
    return !move.isRebuilt && !move.table.columns.contains { NameScope.areEqual($0.name, column) }
  }
}

extension Connection {
  /// Drops views and triggers.
  ///
  /// - Returns: The statements that recreate them.
  func setAside(where condition: SQLFragment) throws -> [String] {
    let found = try rows(
      "SELECT type, name, sql FROM sqlite_schema WHERE \(condition) ORDER BY type = 'trigger', rowid")
    for row in found {
      // Dropping a view also drops the view's triggers.
      let drop: SQLFragment = row[0] == .text("view") ? "DROP VIEW" : "DROP TRIGGER IF EXISTS"
      try execute("\(drop) \(name: row[1].text)")
    }
    return found.map(\.[2].text)
  }

  /// Runs a statement that recreates a foreign object.
  func executeText(_ sql: String) throws {
    let statement = try take(sql)
    defer { checkIn(statement) }
    try statement.run()
  }
}

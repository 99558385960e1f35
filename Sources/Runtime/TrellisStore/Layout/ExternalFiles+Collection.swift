import CSQLite
import Foundation

/// Removal of unreferenced files.
extension ExternalFiles {
  /// The table in which triggers record files whose value was replaced or whose row was deleted.
  package static let table = "trellis_discarded_files"

  /// Creates the table and triggers.
  package func prepare(_ connection: Connection) throws {
    // The old triggers are dropped, because renaming a table or column does not rename them.
    let old = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'trellis\\_%' ESCAPE '\\'")
    for case .text(let name)? in old.map(\.first) {
      try connection.execute("DROP TRIGGER \(name: name)")
    }
    for statement in Self.definitions(for: columns) { try connection.execute(statement) }
  }

  /// Returns the statements that create the table and triggers.
  package static func definitions(for columns: [Column]) -> [SQLFragment] {
    let creation: SQLFragment = """
      CREATE TABLE IF NOT EXISTS \(name: table)
      ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE) STRICT
      """
    return [creation]
      + columns.flatMap { column -> [SQLFragment] in
        let note: SQLFragment = """
          INSERT OR IGNORE INTO \(name: table) ("name") VALUES (old.\(name: column.name))
          """
        let trigger = "trellis_\(column.table)_\(column.name)"
        return [
          """
          CREATE TRIGGER \(name: trigger + "_replaced") AFTER UPDATE OF \(name: column.name)
          ON \(name: column.table) WHEN typeof(old.\(name: column.name)) = 'text'
          AND old.\(name: column.name) IS NOT new.\(name: column.name)
          BEGIN \(note); END
          """,
          """
          CREATE TRIGGER \(name: trigger + "_deleted") AFTER DELETE ON \(name: column.table)
          WHEN typeof(old.\(name: column.name)) = 'text' BEGIN \(note); END
          """,
        ]
      }
  }

  /// Removes files left by an uncommitted transaction. The writer calls this outside of a transaction.
  func recover(_ connection: Connection) throws {
    let lists = leftLists()
    guard !lists.isEmpty else { return }
    try connection.write {
      for list in lists {
        guard let text = (try? CompanionFile.read(list)).flatMap({ String(data: $0, encoding: .utf8) })
        else { continue }
        for name in text.split(separator: "\n").map(String.init) where try !isReferred(to: name, connection) {
          remove(name)
        }
        try? FileManager.default.removeItem(atPath: list)
      }
      removeEmptyListFolder()
    }
  }

  private func isReferred(to name: String, _ connection: Connection) throws -> Bool {
    for column in columns {
      let rows = try connection.rows(
        """
        SELECT 1 FROM \(name: column.table)
        WHERE \(name: column.name) = \(value: .text(name)) LIMIT 1
        """)
      if !rows.isEmpty { return true }
    }
    return false
  }

  /// Records unreferenced files in a store that may not have the table yet.
  func discard(_ names: [String], _ connection: Connection) throws {
    guard !names.isEmpty else { return }
    try prepare(connection)
    for name in names {
      try connection.executeCached("INSERT INTO \(name: Self.table) (\"name\") VALUES (\(value: .text(name)))")
    }
  }

  /// Removes files from replaced and deleted values once no reader needs them. Files still in use are left for the
  /// next writer.
  func collect(_ connection: Connection) throws {
    let noted = try discarded(connection)
    let names = noted.filter { !ExternalFile.isLive(folder + "/" + $0.name) }
    guard let last = noted.last, !names.isEmpty else { return }
    // A full checkpoint succeeds only if every reader in every process sees the newest state. It also makes
    // that state durable, in which no row refers to the files.
    sqlite3_busy_timeout(connection.handle, 0)
    defer { sqlite3_busy_timeout(connection.handle, Connection.busyTimeout) }
    guard try connection.rows("PRAGMA wal_checkpoint(FULL)").first?.first == .integer(0) else { return }
    try connection.write {
      let current = Set(try discarded(connection).filter { $0.id <= last.id }.map(\.name))
      for (id, name) in names where current.contains(name) {
        remove(name)
        try connection.executeCached(
          "DELETE FROM \(name: Self.table) WHERE \"id\" = \(value: .integer(id))")
      }
    }
  }

  private func discarded(_ connection: Connection) throws -> [(id: Int64, name: String)] {
    try connection.rows("SELECT \"id\", \"name\" FROM \(name: Self.table) ORDER BY \"id\"")
      .compactMap { row in
        guard case .integer(let id) = row[0], case .text(let name) = row[1] else { return nil }
        return (id, name)
      }
  }
}

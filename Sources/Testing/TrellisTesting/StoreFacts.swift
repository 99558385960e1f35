import CSQLite
package import Foundation

/// A store file's structure, read with SQLite only.
package struct StoreFacts: Equatable {
  /// The metadata, except for values that differ between stores of the same version.
  private(set) var description: [String] = []
  /// Tables, columns, indexes, foreign keys and triggers. Index names and column order are ignored.
  private(set) var tables: [String] = []
  private(set) var identifier = ""
  private(set) var fingerprint = ""
  package private(set) var version = ""
  /// Each table's next key.
  private(set) var nextKeys: [String: Int] = [:]
  /// The integrity check results; empty if the file is intact.
  package private(set) var complaints: [String] = []

  package init(of url: URL) throws {
    let file = try DatabaseFile(url)
    for row in try file.rows("SELECT key, value FROM trellis_metadata ORDER BY key") {
      switch row[0] {
      case "identifier": identifier = row[1]
      case let key where key.hasPrefix("next "): nextKeys[String(key.dropFirst(5))] = Int(row[1]) ?? 0
      case "fingerprint": fingerprint = row[1]
      case "version": version = row[1]
      default: break
      }
      if Self.describing.contains(row[0]) { description.append("\(row[0]) = \(row[1])") }
    }
    for query in Self.shape { tables += try file.rows(query).map { $0.joined(separator: " ") } }
    tables.sort()
    complaints = try file.rows("PRAGMA integrity_check").map { $0[0] }.filter { $0 != "ok" }
    complaints += try file.rows("PRAGMA foreign_key_check")
      .map { "row \($0[1]) of '\($0[0])' refers to a missing row of '\($0[2])'" }
    complaints += try Self.missingFiles(of: url, file)
  }

  /// External files that are missing or do not have the length given in their name.
  private static func missingFiles(of url: URL, _ file: DatabaseFile) throws -> [String] {
    let triggers = try file.rows(
      """
      SELECT tbl_name, substr(name, length(tbl_name) + 10, length(name) - length(tbl_name) - 18)
      FROM sqlite_schema WHERE type = 'trigger' AND name = 'trellis_' || tbl_name || '_'
      || substr(name, length(tbl_name) + 10, length(name) - length(tbl_name) - 18) || '_replaced'
      """)
    return try triggers.flatMap { trigger in
      let (table, column) = (DatabaseFile.quoted(trigger[0]), DatabaseFile.quoted(trigger[1]))
      let names = try file.rows("SELECT \(column) FROM \(table) WHERE typeof(\(column)) = 'text'")
      return names.map { $0[0] }.filter { name in
        let path = url.path + "-external/" + name
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        return size == nil || size != name.split(separator: "-").last.flatMap { Int($0) }
      }.map { "the file '\($0)' of '\(trigger[0]).\(trigger[1])' is missing or damaged" }
    }
  }

  /// Metadata keys that describe the version. The schema itself is excluded, because it contains default values that
  /// can differ each time; the fingerprint covers it.
  private static let describing: Set<String> = ["columns", "fingerprint", "format", "source", "tables", "version"]

  private static let shape = [
    """
    SELECT 'table', l.name, CASE l.wr WHEN 1 THEN 'without rowid' ELSE '' END,
    CASE l.strict WHEN 1 THEN 'strict' ELSE '' END
    FROM pragma_table_list l WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    """,
    """
    SELECT 'column', m.name || '.' || c.name, c.type, CASE c."notnull" WHEN 1 THEN 'not null' ELSE '' END,
    CASE c.pk WHEN 0 THEN '' ELSE 'key ' || c.pk END
    FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
    """,
    """
    SELECT CASE i."unique" WHEN 1 THEN 'unique' ELSE 'index' END, m.name,
    (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)),
    (SELECT CASE instr(s.sql, ' WHERE ') WHEN 0 THEN '' ELSE substr(s.sql, instr(s.sql, ' WHERE ')) END
     FROM sqlite_schema s WHERE s.name = i.name)
    FROM sqlite_schema m, pragma_index_list(m.name) i WHERE m.type = 'table' AND i.origin = 'c'
    """,
    """
    SELECT 'reference', m.name || '.' || k."from", k."table", k."to", k.on_delete, k.on_update
    FROM sqlite_schema m, pragma_foreign_key_list(m.name) k WHERE m.type = 'table'
    """,
    "SELECT 'trigger', tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'",
  ]
}

/// A database file opened for reading.
private final class DatabaseFile {
  private let handle: OpaquePointer

  init(_ url: URL) throws {
    var opened: OpaquePointer?
    // Reading a write-ahead log left by a killed process requires write access.
    let result = sqlite3_open_v2(url.path, &opened, SQLITE_OPEN_READWRITE, nil)
    guard result == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      throw DatabaseFileError(message: "cannot be opened (\(result))", path: url.path)
    }
    handle = opened
    sqlite3_busy_timeout(handle, 5_000)
  }

  deinit { sqlite3_close_v2(handle) }

  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  func rows(_ sql: String) throws -> [[String]] {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure
    }
    defer { sqlite3_finalize(prepared) }
    var rows: [[String]] = []
    var result = sqlite3_step(prepared)
    while result == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(prepared)).map { column in
          sqlite3_column_text(prepared, column).map { String(cString: $0) } ?? ""
        })
      result = sqlite3_step(prepared)
    }
    guard result == SQLITE_DONE else { throw failure }
    return rows
  }

  private var failure: DatabaseFileError {
    DatabaseFileError(
      message: String(cString: sqlite3_errmsg(handle)),
      path: sqlite3_db_filename(handle, nil).map { String(cString: $0) } ?? "")
  }
}

private struct DatabaseFileError: Error, CustomStringConvertible {
  let message: String
  let path: String
  var description: String { "'\(path)': \(message)" }
}

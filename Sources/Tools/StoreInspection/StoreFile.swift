import CSQLite
import Foundation

/// An SQLite file opened read-only.
package final class StoreFile: InspectedStore {
  package let path: String
  private let handle: OpaquePointer

  /// - Throws: ``InspectionError`` if the file is missing or unreadable.
  package init(_ path: String) throws {
    self.path = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw InspectionError("\(path): no such store")
    }
    guard !isFolder.boolValue else { throw InspectionError("\(path): is a folder, not a store") }
    var opened: OpaquePointer?
    // If the write-ahead log is missing, open the file as immutable. SQLite then needs no locks and creates no files.
    // SQLite names the log after the file, not after a link to it.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let hasLog = FileManager.default.fileExists(atPath: file + "-wal")
    let location = Self.location(file, hasLog ? "mode=ro" : "mode=ro&immutable=1")
    let result = sqlite3_open_v2(location, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
    guard result == SQLITE_OK, let opened else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close(opened)
      throw InspectionError("\(path): cannot be opened: \(reason)")
    }
    handle = opened
    sqlite3_busy_timeout(handle, 5_000)
  }

  deinit { sqlite3_close(handle) }

  private static func location(_ path: String, _ options: String) -> String {
    let url = URL(fileURLWithPath: path)
    return "file:\(url.path(percentEncoded: true))?\(options)"
  }

  package var size: Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int).flatMap { $0 } ?? 0
  }

  package func metadata() throws -> [String: StoredValue] {
    do {
      let rows = try rows("SELECT \"key\", \"value\" FROM \"trellis_metadata\"")
      return Dictionary(
        rows.compactMap { row in row[0].text.map { ($0, row[1]) } }, uniquingKeysWith: { first, _ in first })
    } catch {
      throw InspectionError("\(path): not a Trellis store: \(error)")
    }
  }

  package func tables() throws -> [String] {
    try rows("SELECT \"name\" FROM \"sqlite_schema\" WHERE \"type\" = 'table' ORDER BY \"rowid\"")
      .compactMap { $0[0].text }.filter { !$0.hasPrefix("sqlite_") && !$0.hasPrefix("trellis_") }
  }

  package func columns(of table: String) throws -> [String] {
    try rows("SELECT \"name\" FROM pragma_table_info(\(literal: table))").compactMap { $0[0].text }
  }

  package func comparable(_ column: String, of table: String) -> SQLText { "\(name: column)" }

  package func rows(_ sql: SQLText) throws -> [[StoredValue]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, text(of: sql), -1, &statement, nil) == SQLITE_OK, let statement else {
      throw InspectionError(String(cString: sqlite3_errmsg(handle)))
    }
    defer { sqlite3_finalize(statement) }
    var rows: [[StoredValue]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
      case SQLITE_DONE: return rows
      default: throw InspectionError(String(cString: sqlite3_errmsg(handle)))
      }
    }
  }

  private func value(_ statement: OpaquePointer, _ column: Int32) -> StoredValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
    case SQLITE_NULL: .null
    default: sqlite3_column_text(statement, column).map { .text(String(cString: $0)) } ?? .null
    }
  }

  private func text(of sql: SQLText) -> String {
    sql.pieces.map { piece in
      switch piece {
      case .sql(let text): "\(text)"
      case .table(let name), .name(let name): "\"" + name.replacing("\"", with: "\"\"") + "\""
      case .literal(let text): "'" + text.replacing("'", with: "''") + "'"
      case .number(let number): "\(number)"
      }
    }.joined()
  }
}

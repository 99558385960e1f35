import CSQLite
import Foundation

/// A store that is opened for reading only.
final class StoreFile {
  private let handle: OpaquePointer

  /// - Throws: ``InspectionError`` if the file is missing or unreadable.
  init(_ path: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw InspectionError("\(path): there is no store")
    }
    guard !isFolder.boolValue else { throw InspectionError("\(path): a folder is no store") }
    var opened: OpaquePointer?
    // Without a write-ahead log, open the file as immutable. SQLite then needs no locks and creates no files.
    let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
    let location = Self.location(path, hasLog ? "mode=ro" : "mode=ro&immutable=1")
    let result = sqlite3_open_v2(location, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
    guard result == SQLITE_OK, let opened else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
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

  /// A column value, reduced to the required types.
  enum Value: Equatable {
    case null
    case integer(Int64)
    case text(String)

    var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
  }

  func rows(_ sql: SQLText) throws -> [[Value]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql.text, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw InspectionError(String(cString: sqlite3_errmsg(handle)))
    }
    defer { sqlite3_finalize(statement) }
    var rows: [[Value]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
      case SQLITE_DONE: return rows
      default: throw InspectionError(String(cString: sqlite3_errmsg(handle)))
      }
    }
  }

  private func value(_ statement: OpaquePointer, _ column: Int32) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
    case SQLITE_NULL: .null
    default: sqlite3_column_text(statement, column).map { .text(String(cString: $0)) } ?? .null
    }
  }

  func number(_ sql: SQLText) throws -> Int { try rows(sql).first?.first?.integer ?? 0 }
}

/// The reason why a store cannot be inspected.
package struct InspectionError: Error, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

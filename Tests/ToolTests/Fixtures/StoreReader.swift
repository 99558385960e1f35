import Foundation

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Reads a store file without the app that created it.
struct StoreReader {
  private let connection: Connection

  init(_ url: URL) throws { connection = try Connection(url.path, .readOnly) }

  func rows(_ text: SQLFragment) throws -> [[SQLValue]] { try connection.rows(text) }

  func text(_ key: String) throws -> String? { try StoreMetadata.text(for: key, connection) }

  /// The names, types and definitions of all objects in the file.
  var definitions: [[SQLValue]] {
    get throws { try rows("SELECT \"name\", \"type\", \"tbl_name\", \"sql\" FROM sqlite_schema") }
  }

  /// The metadata, without the identifier and the values that are compared separately.
  var metadata: [String: SQLValue] {
    get throws {
      let all = try rows("SELECT \"key\", \"value\" FROM \"trellis_metadata\"")
      return all.reduce(into: [:]) { found, row in
        guard case .text(let key) = row[0], key != "identifier", key != "schema" else { return }
        found[key] = row[1]
      }
    }
  }

  /// The recorded schema without default values, which can contain the current date.
  var schema: NSObject? {
    get throws {
      let data = Data((try text("schema") ?? "").utf8)
      return Self.withoutDefaults(try JSONSerialization.jsonObject(with: data)) as? NSObject
    }
  }

  private static func withoutDefaults(_ value: Any) -> Any {
    switch value {
    case let object as [String: Any]:
      return object.filter { $0.key != "defaultText" }.mapValues(withoutDefaults) as NSDictionary
    case let list as [Any]: return list.map(withoutDefaults) as NSArray
    default: return value
    }
  }

  /// The results of SQLite's integrity checks.
  var problems: [String] {
    get throws {
      let integrity = try rows("PRAGMA integrity_check").filter { $0.first != .text("ok") }
      let keys = try rows("PRAGMA foreign_key_check")
      return (integrity + keys).map { "\($0)" }
    }
  }
}

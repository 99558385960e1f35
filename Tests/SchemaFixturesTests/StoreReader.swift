import Foundation

@testable import Trellis

/// Looks into the file of a store, without a program.
struct StoreReader {
  private let connection: Connection

  init(_ url: URL) throws { connection = try Connection(url.path, .readOnly) }

  func rows(_ text: SQLFragment) throws -> [[SQLValue]] { try connection.rows(text) }

  func text(_ key: String) throws -> String? { try StoreMetadata.text(for: key, connection) }

  /// Name, type and definition of everything in the file.
  var definitions: [[SQLValue]] {
    get throws { try rows("SELECT \"name\", \"type\", \"tbl_name\", \"sql\" FROM sqlite_schema") }
  }

  /// What the store says of itself, but for its name and for the texts that are compared otherwise.
  var metadata: [String: SQLValue] {
    get throws {
      let all = try rows("SELECT \"key\", \"value\" FROM \"trellis_metadata\"")
      return all.reduce(into: [:]) { found, row in
        guard case .text(let key) = row[0], key != "identifier", key != "schema" else { return }
        found[key] = row[1]
      }
    }
  }

  /// The schema as it is written down, without defaults: a date is another one each time.
  var schema: NSObject? {
    get throws {
      let data = Data((try text("schema") ?? "").utf8)
      return Self.withoutDefaults(try JSONSerialization.jsonObject(with: data)) as? NSObject
    }
  }

  private static func withoutDefaults(_ value: Any) -> Any {
    switch value {
    case let object as [String: Any]:
      return object.filter { $0.key != "defaultValue" }.mapValues(withoutDefaults) as NSDictionary
    case let list as [Any]: return list.map(withoutDefaults) as NSArray
    default: return value
    }
  }

  /// What SQLite finds wrong.
  var problems: [String] {
    get throws {
      let integrity = try rows("PRAGMA integrity_check").filter { $0.first != .text("ok") }
      let keys = try rows("PRAGMA foreign_key_check")
      return (integrity + keys).map { "\($0)" }
    }
  }
}

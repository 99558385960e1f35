import Foundation
package import SchemaDriver
package import StoreInspection

/// Opens stores in databases for the verbs that read stores.
package protocol StoreDatabases: Sendable {
  /// - Parameters:
  ///   - address: A URL or a conninfo string, which may contain a password.
  ///   - schema: The schema of the database with the tables; nil for the first one on the search path.
  /// - Throws: ``InspectionError`` without the password.
  func store(at address: String, schema: String?) throws -> any InspectedStore
}

/// The value of `--store`: the path of a file, or the address of a database.
package enum StoreAddress {
  case file(String)
  case database(String)

  /// The keywords of libpq that a conninfo string begins with.
  private static let keywords: Set<String> = [
    "host", "hostaddr", "port", "dbname", "user", "password", "passfile", "service", "sslmode", "options",
    "application_name", "connect_timeout", "target_session_attrs",
  ]

  package init(_ text: String, _ session: Session) {
    // Also what only resembles an address, because messages repeat the path of a file, and not an address.
    let keyword = text.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces).lowercased()
    let isConninfo = text.contains("=") && (Self.keywords.contains(keyword) || text.contains("password"))
    if text.contains("://"), !text.hasPrefix("file:") {
      self = .database(text)
    } else if isConninfo, !FileManager.default.fileExists(atPath: session.path(text)) {
      self = .database(text)
    } else {
      self = .file(text)
    }
  }

  /// The error of a tool without the client library. It does not repeat the address, which may contain a password.
  package static func refusal(of verb: String) -> DriverFailure {
    DriverFailure(
      [
        "error: the store is in a PostgreSQL database, but this tool is built without libpq: call "
          + "'swift run trellis-postgres \(verb)' with the same arguments"
      ], .usage)
  }
}

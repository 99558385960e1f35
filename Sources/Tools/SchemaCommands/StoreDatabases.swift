import Foundation
package import SchemaDriver
package import StoreInspection

/// Opens stores in databases for the verbs that read stores.
package protocol StoreDatabases: Sendable {
  /// - Parameters:
  ///   - address: A URL or a conninfo string, which may contain a password.
  ///   - schema: The database schema that contains the tables, or nil for the first on the search path.
  /// - Throws: ``InspectionError``. The message omits the password.
  func store(at address: String, schema: String?) throws -> any InspectedStore
}

/// The value of `--store`: a file path or a database address.
package enum StoreAddress {
  case file(String)
  case database(String)

  /// The libpq keywords that a conninfo string can begin with.
  private static let keywords: Set<String> = [
    "host", "hostaddr", "port", "dbname", "user", "password", "passfile", "service", "sslmode", "options",
    "application_name", "connect_timeout", "target_session_attrs",
  ]

  package init(_ text: String, _ session: Session) {
    // Treat anything that resembles an address as an address: messages contain file paths, but must not contain
    // addresses.
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

  /// Returns the error for a tool that is built without libpq. The message omits the address, which may contain a
  /// password.
  package static func refusal(of verb: String) -> DriverFailure {
    DriverFailure(
      [
        "error: PostgreSQL databases need the tool 'trellis-postgres', which './run install --all' installs beside "
          + "'trellis'; or call 'swift run trellis-postgres \(verb)' with the same arguments"
      ], .usage)
  }
}

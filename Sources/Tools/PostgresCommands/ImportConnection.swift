import SchemaCommands
import StoreTransfer
import Trellis
import TrellisPostgres

/// A read-only connection to the source database. All reads use the same snapshot.
final class ImportConnection {
  /// The server and the database, excluding user and password.
  var place: String { session.place }
  let databaseName: String
  let user: String
  private let session: DatabaseSession

  /// Transaction settings that make value text identical on every server.
  private static let settings: [(name: String, value: String)] = [
    ("search_path", ""), ("datestyle", "ISO, YMD"), ("timezone", "UTC"), ("intervalstyle", "postgres"),
    ("extra_float_digits", "1"), ("statement_timeout", "0"), ("idle_in_transaction_session_timeout", "0"),
    // Return rows in file order, even if a concurrent session is reading the table.
    ("synchronize_seqscans", "off"),
    // Fail if a policy would hide rows.
    ("row_security", "off"),
  ]

  /// - Throws: `PostgresError` if the settings are invalid or the server cannot be reached.
  init(_ address: String) throws {
    var configuration = PostgresDatabases.configuration(at: address, schema: nil)
    // Counting the rows of a large table takes minutes.
    configuration.timeouts.answer = configuration.timeouts.migration
    session = try DatabaseSession(configuration)
    let calls = Self.settings.map { "set_config(\(literal: $0.name), \(literal: $0.value), true)" as SQLFragment }
    _ = try session.rows("SELECT \(calls.joined(separator: ", "))")
    let facts = try session.rows(
      "SELECT current_database()::text, current_user::text, current_setting('server_encoding')")
    let texts = facts.joined().map { $0.string ?? "" }
    guard texts.count == 3 else { throw TransferError("\(session.place): the server did not name its database") }
    (databaseName, user) = (texts[0], texts[1])
    guard texts[2] != "SQL_ASCII" else {
      throw TransferError(
        "\(session.place): the database has the encoding SQL_ASCII, so the server does not know the encoding of its "
          + "text; create a database with 'ENCODING UTF8', restore a dump of this database there, and import that one")
    }
  }

  /// Runs a query whose results are Booleans, integers and text.
  func rows(_ query: SQLFragment) throws -> [[SQLValue]] { try session.rows(query) }

  /// Calls `body` with a query's rows, in blocks that need little memory.
  ///
  /// - Parameter isWide: True if rows can be longer than a database page (8 KiB).
  func read(_ query: SQLFragment, isWide: Bool, _ body: ([[SQLValue]]) throws -> Void) throws {
    _ = try session.rows("DECLARE trellis_rows NO SCROLL CURSOR FOR \(query)")
    let limit = isWide ? 256 : 2_048
    var count = isWide ? 16 : limit
    var longest = 1
    while true {
      let rows = try session.rows("FETCH FORWARD \(number: count) FROM trellis_rows")
      try body(rows)
      if rows.count < count { break }
      longest = max(longest, rows.map(Self.size).max() ?? 0)
      count = min(limit, max(1, Self.blockSize / longest), count * 2)
    }
    _ = try session.rows("CLOSE trellis_rows")
  }

  /// The maximum block size in bytes, unless a single row is longer.
  private static let blockSize = 4 << 20

  private static func size(_ row: [SQLValue]) -> Int {
    row.reduce(0) { sum, value in if case .text(let text) = value { sum + text.utf8.count } else { sum + 8 } }
  }
}

extension SQLValue {
  var string: String? { if case .text(let text) = self { text } else { nil } }
  var number: Int64? { if case .integer(let number) = self { number } else { nil } }
  var isTrue: Bool { self == .integer(1) }
  /// The numbers of a list such as `1,2`.
  var numbers: [Int64] { string?.split(separator: ",").compactMap { Int64($0) } ?? [] }
}

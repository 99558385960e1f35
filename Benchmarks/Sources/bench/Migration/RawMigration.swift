import CSQLiteRaw
import Foundation

/// Equivalent migrations with C calls, in place and in a single transaction.
final class RawMigration {
  private let connection: OpaquePointer

  init(_ url: URL) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(url.path, &handle, flags, nil) == SQLITE_OK, let handle else {
      throw RawFailure(description: "cannot open \(url.lastPathComponent)")
    }
    connection = handle
    try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF")
  }

  deinit {
    while let statement = sqlite3_next_stmt(connection, nil) { sqlite3_finalize(statement) }
    sqlite3_close(connection)
  }

  func run(_ hop: MigrationWork.Hop) throws {
    try execute("BEGIN IMMEDIATE")
    switch hop {
    case .fill: try fill()
    case .inPlace:
      try execute(
        """
        ALTER TABLE Reading RENAME COLUMN station TO place; ALTER TABLE Reading ADD COLUMN note TEXT;
        ALTER TABLE Reading ADD COLUMN rank INTEGER NOT NULL DEFAULT 5
        """)
    case .copy: try copy()
    case .none, .planned: break
    }
    try execute("COMMIT")
  }

  private static let columns = """
    station TEXT NOT NULL, sensor TEXT NOT NULL, unit TEXT NOT NULL, sequence INTEGER NOT NULL,
    quality INTEGER NOT NULL, flags INTEGER NOT NULL, value INTEGER NOT NULL, deviation ANY NOT NULL,
    taken ANY NOT NULL, isChecked INTEGER NOT NULL
    """

  /// Reads each row into Swift values and writes it, like an app that computes a value.
  private func fill() throws {
    let key = try self.key
    try execute("CREATE TABLE New (\(key) INTEGER PRIMARY KEY, \(Self.columns)) STRICT")
    let names =
      "\(key), station, sensor, unit, sequence, quality, flags, value, deviation, taken, isChecked"
    let rows = try RawStatement(connection, "SELECT \(names) FROM Reading ORDER BY \(key)")
    let insertion = try RawStatement(
      connection, "INSERT INTO New (\(names)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    while try rows.step() {
      insertion.bind(1, rows.integer(0))
      for column: Int32 in 1...3 {
        // The text is valid until the next step.
        let bytes = sqlite3_column_text(rows.handle, column)
        let count = sqlite3_column_bytes(rows.handle, column)
        insertion.bind(column + 1, UnsafeBufferPointer(start: bytes, count: Int(count)))
      }
      for column: Int32 in 4...6 { insertion.bind(column + 1, rows.integer(column)) }
      insertion.bind(8, Int64(rows.real(7) * 1000))
      insertion.bind(9, rows.real(8))
      insertion.bind(10, rows.real(9))
      insertion.bind(11, rows.integer(10))
      _ = try insertion.step()
    }
    try finish()
  }

  private func copy() throws {
    let key = try self.key
    let columns = """
      place TEXT NOT NULL, sensor TEXT NOT NULL, unit TEXT NOT NULL, sequence INTEGER NOT NULL,
      quality INTEGER NOT NULL, value INTEGER NOT NULL, deviation ANY NOT NULL, taken ANY NOT NULL,
      isChecked INTEGER NOT NULL, note TEXT, rank INTEGER NOT NULL
      """
    let names =
      "\(key), place, sensor, unit, sequence, quality, value, deviation, taken, isChecked, note, rank"
    try execute(
      """
      CREATE TABLE New (\(key) INTEGER PRIMARY KEY, \(columns)) STRICT;
      INSERT INTO New (\(names)) SELECT \(names) FROM Reading ORDER BY \(key)
      """)
    try finish()
  }

  private func finish() throws {
    while let statement = sqlite3_next_stmt(connection, nil) { sqlite3_finalize(statement) }
    try execute("DROP TABLE Reading; ALTER TABLE New RENAME TO Reading")
  }

  /// The row ID column's name.
  private var key: String {
    get throws {
      let statement = try RawStatement(
        connection, "SELECT name FROM pragma_table_info('Reading') WHERE pk = 1")
      guard try statement.step() else { throw RawFailure(description: "the table has no key") }
      let name = statement.text(0)
      sqlite3_finalize(statement.handle)
      return name
    }
  }

  private func execute(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
      throw RawFailure(description: String(cString: sqlite3_errmsg(connection)))
    }
  }

  static func compact(_ url: URL) throws {
    try RawMigration(url).execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// The row contents' checksum, independent of column names.
  static func checksum(_ url: URL) throws -> String {
    let store = try RawMigration(url)
    let statement = try RawStatement(
      store.connection,
      "SELECT count(*), sum(sequence), sum(value), sum(isChecked), sum(length(sensor)) FROM Reading")
    guard try statement.step() else { throw RawFailure(description: "the query returned no sums") }
    return (0..<5).map { statement.text($0) }.joined(separator: " ")
  }
}

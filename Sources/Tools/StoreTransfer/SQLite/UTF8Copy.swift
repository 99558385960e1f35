import CSQLite
import Trellis

/// Copies a UTF-16 database to a UTF-8 database, because SQLite attaches only databases with the same encoding.
///
/// Text that is not valid UTF-16 is copied as a blob.
struct UTF8Copy {
  private let source: Connection
  private let target: Connection

  init(_ source: Connection, _ target: Connection) {
    self.source = source
    self.target = target
  }

  static func isNeeded(_ connection: Connection) throws -> Bool {
    let statement = try Statement(verbatim: "PRAGMA encoding", on: connection)
    return try statement.step() && value(statement, 0) != .text("UTF-8")
  }

  func write() throws {
    for pragma: SQLFragment in [
      "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA writable_schema = ON",
      "PRAGMA ignore_check_constraints = ON",
    ] {
      try target.execute(pragma)
    }
    let objects = try rows(
      """
      SELECT type, name, tbl_name, sql, type = 'table' AND rootpage > 0 FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite#_%' ESCAPE '#' ORDER BY rowid
      """)
    let isStored = { (object: [SQLValue]) in object[4] == .integer(1) }
    try target.write {
      for object in objects where isStored(object) {
        guard case .text(let name) = object[1] else { continue }
        try create(object)
        try copyRows(of: name)
      }
      for object in objects where !isStored(object) {
        if object[0] == .text("index") {
          try create(object)
        } else {
          // Creating a virtual table would also create its shadow tables, which exist already.
          let values = object[..<3].map { "\(value: $0)" as SQLFragment }.joined(separator: ", ")
          try target.execute("INSERT INTO sqlite_schema VALUES (\(values), 0, \(value: object[3]))")
        }
      }
    }
  }

  private func create(_ object: [SQLValue]) throws {
    guard case .text(let sql) = object[3] else { return }
    try target.execute(SQLFragment(verbatim: sql, []))
  }

  /// Copies a table's rows, including hidden row numbers.
  private func copyRows(of table: String) throws {
    let columns = try rows("SELECT name, hidden FROM pragma_table_xinfo(\(value: .text(table)))")
      .compactMap { row -> (name: String, isStored: Bool)? in
        guard case .text(let name) = row[0] else { return nil }
        return (name, row[1] == .integer(0))
      }
    let taken = Set(columns.map { $0.name.lowercased() })
    let isRowless = try rows("SELECT wr FROM pragma_table_list(\(value: .text(table))) WHERE schema = 'main'")
    let hidden = isRowless == [[.integer(1)]] ? nil : ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    let names = (hidden.map { [$0] } ?? []) + columns.filter(\.isStored).map(\.name)
    let selection = try Statement(verbatim: "SELECT \(names: names) FROM \(name: table)", on: source)
    let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
    let insertion = try Statement(
      verbatim: "INSERT INTO \(name: table) (\(names: names)) VALUES (\(SQLFragment(verbatim: places, [])))", on: target
    )
    while try selection.step() {
      for index in names.indices {
        try insertion.bind(Self.value(selection, Int32(index)), at: Int32(index + 1))
      }
      try insertion.run()
    }
  }

  // MARK: values

  private func rows(_ fragment: SQLFragment) throws -> [[SQLValue]] {
    let statement = try Statement(verbatim: fragment, on: source)
    var rows: [[SQLValue]] = []
    while try statement.step() {
      rows.append((0..<sqlite3_column_count(statement.handle)).map { Self.value(statement, $0) })
    }
    return rows
  }

  /// Reads a value. SQLite's own conversion would change invalid text.
  private static func value(_ statement: Statement, _ column: Int32) -> SQLValue {
    guard sqlite3_column_type(statement.handle, column) == SQLITE_TEXT else { return statement.value(column) }
    let start = sqlite3_column_text16(statement.handle, column)
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes16(statement.handle, column)))
    let text = String(validating: bytes.assumingMemoryBound(to: UInt16.self), as: UTF16.self)
    return text.map { .text($0) } ?? .blob(Array(bytes))
  }
}

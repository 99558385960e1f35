import CSQLite

/// What SQLite had to say when a call failed.
///
/// The statement is told without the values bound to it.
public struct SQLiteError: Error, Sendable, Hashable {
  /// One of SQLite's primary result codes. Open: later versions of SQLite may add some.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let busy = Code(rawValue: SQLITE_BUSY)
    public static let locked = Code(rawValue: SQLITE_LOCKED)
    public static let readOnly = Code(rawValue: SQLITE_READONLY)
    public static let ioError = Code(rawValue: SQLITE_IOERR)
    public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    public static let full = Code(rawValue: SQLITE_FULL)
    public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
    public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
    public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
  }

  public let code: Code
  /// The same with its detail, as SQLite's extended result codes number it.
  public let extendedCode: Int32
  public let message: String
  public let sql: String?

  init(extendedCode: Int32, message: String, sql: String? = nil) {
    self.code = Code(rawValue: extendedCode & 0xFF)
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }

  /// The last failure of a connection.
  init(_ handle: OpaquePointer?, result: Int32, sql: String? = nil) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? result
    let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
    self.init(
      extendedCode: extended & 0xFF == result & 0xFF ? extended : result,
      message: message.map { String(cString: $0) } ?? "unknown error", sql: sql)
  }

  /// Whether a UNIQUE constraint refused a value.
  var isUniqueViolation: Bool { extendedCode == SQLITE_CONSTRAINT | (8 << 8) }
  /// Whether the primary key is taken.
  var isKeyViolation: Bool { extendedCode == SQLITE_CONSTRAINT | (6 << 8) }
  /// Whether a deferred foreign key was left dangling.
  var isForeignKeyViolation: Bool { extendedCode == SQLITE_CONSTRAINT | (3 << 8) }
}

extension SQLiteError: CustomStringConvertible {
  public var description: String {
    "SQLite error \(extendedCode): \(message)" + (sql.map { " in: \($0)" } ?? "")
  }
}

import CSQLite

/// What SQLite had to say when a call failed.
///
/// The statement is told without the values bound to it.
public struct SQLiteError: Error, Sendable, Hashable {
  /// One of SQLite's primary result codes. Open: later versions of SQLite may add some.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number SQLite gives.
    public let rawValue: Int32
    /// The code with the number SQLite gives.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Another connection is writing.
    public static let busy = Code(rawValue: SQLITE_BUSY)
    /// Another statement of this program is in the way.
    public static let locked = Code(rawValue: SQLITE_LOCKED)
    /// The file cannot be written.
    public static let readOnly = Code(rawValue: SQLITE_READONLY)
    /// The disk failed.
    public static let ioError = Code(rawValue: SQLITE_IOERR)
    /// The file is damaged.
    public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    /// The disk is full.
    public static let full = Code(rawValue: SQLITE_FULL)
    /// The file cannot be opened.
    public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    /// A constraint of the database does not hold.
    public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
    /// The file is not a database.
    public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
    /// A value is larger than SQLite takes.
    public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
  }

  /// What kind of failure it is.
  public let code: Code
  /// The same with its detail, as SQLite's extended result codes number it.
  public let extendedCode: Int32
  /// What SQLite says.
  public let message: String
  /// The statement that failed.
  public let sql: String?

  /// The system's number of the error that was behind an I/O error; 0 where there is none.
  let systemCode: Int32

  init(extendedCode: Int32, message: String, sql: String? = nil, systemCode: Int32 = 0) {
    self.code = Code(rawValue: extendedCode & 0xFF)
    self.extendedCode = extendedCode
    self.systemCode = systemCode
    self.message = message
    self.sql = sql
  }

  /// The last failure of a connection.
  init(_ handle: OpaquePointer?, result: Int32, sql: String? = nil) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? result
    let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
    self.init(
      extendedCode: extended & 0xFF == result & 0xFF ? extended : result,
      message: message.map { String(cString: $0) } ?? "unknown error", sql: sql,
      systemCode: result & 0xFF == SQLITE_IOERR ? handle.map { sqlite3_system_errno($0) } ?? 0 : 0)
  }

  /// Whether a UNIQUE constraint refused a value.
  var isUniqueViolation: Bool { extendedCode == SQLITE_CONSTRAINT | (8 << 8) }
  /// Whether the primary key is taken.
  var isKeyViolation: Bool { extendedCode == SQLITE_CONSTRAINT | (6 << 8) }
  /// Whether a deferred foreign key was left dangling.
  var isForeignKeyViolation: Bool { extendedCode == SQLITE_CONSTRAINT | (3 << 8) }
}

/// A connection is asked for a transaction, or for anything, in the middle of a statement that this thread runs.
struct ConnectionInUse: Error {
  let explanation: String
}

extension SQLiteError: CustomStringConvertible {
  public var description: String {
    "SQLite error \(extendedCode): \(message)" + (sql.map { " in: \($0)" } ?? "")
  }
}

import CSQLite

/// An error reported by SQLite. Contains the statement's text, but not the bound values.
///
/// Thrown by a fetch, a save or handwritten SQL if a statement fails. After a failed save, the store is unchanged and
/// the changes remain pending. Opening a store throws ``SwiftDataError`` with a ``StoreProblem`` instead.
///
/// ```swift
/// do {
///   try context.save()
/// } catch let error as SQLiteError where error.code == .full {
///   print("The disk is full. Free some space and save again.")
/// }
/// ```
///
/// Not in SwiftData.
public struct SQLiteError: Error, Sendable, Hashable {
  /// A primary result code from SQLite. Later SQLite versions may add codes.
  ///
  /// ```swift
  /// func advice(for error: SQLiteError) -> String {
  ///   switch error.code {
  ///   case .busy: "Try again later."
  ///   case .full: "Free some disk space."
  ///   case .corrupt, .notADatabase: "Restore a backup."
  ///   default: error.message
  ///   }
  /// }
  /// ```
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// SQLite's numeric code.
    public let rawValue: Int32
    /// Creates a code from SQLite's number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Another connection is writing. A writer retries for five seconds before it throws the error.
    public static let busy = Code(rawValue: SQLITE_BUSY)
    /// The statement conflicts with a concurrent statement in this process.
    public static let locked = Code(rawValue: SQLITE_LOCKED)
    /// The file is read-only.
    public static let readOnly = Code(rawValue: SQLITE_READONLY)
    /// The disk failed.
    public static let ioError = Code(rawValue: SQLITE_IOERR)
    /// The file is damaged.
    public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    /// The disk is full.
    public static let full = Code(rawValue: SQLITE_FULL)
    /// The file cannot be opened.
    public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    /// A database constraint is violated.
    public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
    /// The file is not a database.
    public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
    /// A value exceeds SQLite's size limit.
    public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
  }

  /// The primary result code.
  public let code: Code
  /// The extended result code.
  public let extendedCode: Int32
  /// SQLite's message, in English.
  public let message: String
  /// The statement that failed.
  public let sql: String?

  /// The `errno` of an I/O error; 0 for other errors.
  package let systemCode: Int32

  package init(extendedCode: Int32, message: String, sql: String? = nil, systemCode: Int32 = 0) {
    self.code = Code(rawValue: extendedCode & 0xFF)
    self.extendedCode = extendedCode
    self.systemCode = systemCode
    self.message = message
    self.sql = sql
  }

  /// A connection's last error.
  package init(_ handle: OpaquePointer?, result: Int32, sql: String? = nil) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? result
    let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
    self.init(
      extendedCode: extended & 0xFF == result & 0xFF ? extended : result,
      message: message.map { String(cString: $0) } ?? "unknown error", sql: sql,
      systemCode: result & 0xFF == SQLITE_IOERR ? handle.map { sqlite3_system_errno($0) } ?? 0 : 0)
  }

  /// True if a statement has too many parameters, nests expressions too deeply, or is too long.
  package var exceedsLimit: Bool {
    guard code.rawValue == SQLITE_ERROR else { return code == .tooBig }
    return ["Expression tree is too large", "too many SQL variables", "parser stack overflow", "Recursion limit"]
      .contains { message.hasPrefix($0) }
  }

  /// True if a UNIQUE constraint is violated.
  package var isUniqueViolation: Bool { extendedCode == SQLITE_CONSTRAINT | (8 << 8) }
  /// True if a foreign key is violated at the commit.
  package var isForeignKeyViolation: Bool { extendedCode == SQLITE_CONSTRAINT | (3 << 8) }
}

/// Thrown if a connection is used during a statement or transaction on the same thread.
package struct ConnectionInUse: Error {
  package let explanation: String
}

extension SQLiteError: CustomStringConvertible {
  /// The extended result code, the message and the statement.
  public var description: String {
    "SQLite error \(extendedCode): \(message)" + (sql.map { " in: \($0)" } ?? "")
  }
}

import CPostgres

/// An error reported by a PostgreSQL server, or a connection error.
///
/// ```swift
/// do {
///   try context.save()
/// } catch let error as PostgresError where error.code == .commitOutcomeUnknown {
///   // Read the models again before you repeat the save.
/// }
/// ```
///
/// The error never contains a password.
public struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch let error as PostgresError {
  ///   switch error.code {
  ///   case .connectionLost, .poolTimeout: try context.save()   // nothing was saved
  ///   case .server: print(error.sqlState ?? "", error.detail ?? "")
  ///   default: throw error
  ///   }
  /// }
  /// ```
  public enum Code: String, Sendable, Hashable {
    /// The connection settings are not valid.
    case invalidConfiguration
    /// The settings would send data to a remote host whose certificate is not verified.
    case insecureConnection
    /// The connection failed: the server is not reachable or rejects the user.
    case connectionFailed
    /// The connection was lost. Nothing was saved.
    case connectionLost
    /// The connection was lost during a commit, and the store could not determine the outcome.
    case commitOutcomeUnknown
    /// All connections in the pool were in use for longer than ``PostgresConfiguration/Timeouts/pool``.
    case poolTimeout
    /// The server did not respond within ``PostgresConfiguration/Timeouts/answer``.
    case answerTimeout
    /// The server reported an error; see ``PostgresError/sqlState``.
    case server
    /// A string contains U+0000, which PostgreSQL cannot store.
    case nullCharacter
    /// A trigger or a row security policy prevented the server from writing all rows. Nothing was saved.
    case writeSuppressed
  }

  /// The kind of failure.
  public let code: Code
  /// A message from the server or this library.
  public let message: String
  /// The server's five-character error code, for example `23505`; `nil` for connection errors.
  public let sqlState: String?
  /// Additional information from the server, for example the values that violate a constraint.
  public let detail: String?
  /// The name of the violated constraint or index.
  let constraint: String?

  init(
    _ code: Code, _ message: String, sqlState: String? = nil, detail: String? = nil, constraint: String? = nil
  ) {
    self.code = code
    self.message = message
    self.sqlState = sqlState
    self.detail = detail
    self.constraint = constraint
  }

  /// The message, the SQLSTATE and the detail.
  public var description: String {
    var text = sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message
    if let detail { text += ": \(detail)" }
    return text
  }
}

extension PostgresError {
  /// Creates the error that a result contains.
  init(_ result: OpaquePointer) {
    func field(_ code: Character) -> String? {
      PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
    }
    self.init(
      .server, field("M") ?? String(cString: PQresultErrorMessage(result)), sqlState: field("C"), detail: field("D"),
      constraint: field("n"))
  }

  /// True if a concurrent transaction caused the error and a retry can succeed.
  var isConflict: Bool {
    // Concurrent definitions of the same table cause an internal error.
    sqlState == "40001" || sqlState == "40P01" || (sqlState == "XX000" && message.contains("concurrently updated"))
  }

  /// True if a lock was not available within the transaction's `lock_timeout`.
  var isLockTimeout: Bool { sqlState == "55P03" }

  /// True if a table or column does not exist, for example after a migration by another process.
  var concernsMissingObject: Bool { sqlState == "42P01" || sqlState == "42703" }

  /// True if a migration has excluded this app version, see ``CommitOrder/generationCheck(_:)`` and
  /// ``PostgresStore/generationCheck``.
  var isOfEarlierGeneration: Bool {
    sqlState == "2201F" || (sqlState == "23514" && constraint == InternalTables.generation)
  }

  /// The error for a save that cannot be retried automatically, although the app may still use the store.
  static var migratedMeanwhile: Self {
    Self(.server, "a concurrent process migrated the store during the save, and nothing was saved: save again")
  }

  /// True if a statement creates an object that already exists.
  var isDuplicateDefinition: Bool {
    ["42P07", "42P06", "42710"].contains(sqlState ?? "") || isUniqueViolation
  }

  /// True if a statement exceeds a server limit, such as `max_stack_depth`.
  var exceedsLimit: Bool { sqlState?.hasPrefix("54") == true }

  /// True for a violated unique constraint.
  var isUniqueViolation: Bool { sqlState == "23505" }

  /// True if a row was not written: statements from ``RowColumns`` divide by zero in that case.
  var isMissingRow: Bool { sqlState == "22012" }

  /// The same error for rows written with COPY, which the client counts.
  static var missingRow: Self { Self(.server, "not all rows were copied", sqlState: "22012") }

  /// Returns the error for rows that were not written, although they are new or exist on the server.
  static func writeSuppressed(_ models: Set<String>) -> Self {
    let names = models.sorted().map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .writeSuppressed,
      "the server did not write all rows of \(names), and nothing was saved: a trigger or a row security policy on the "
        + "table suppresses insertions, updates or deletions")
  }

  /// True if a transaction sees unknown external commits: the statement of ``CommitGuard`` then takes the logarithm of
  /// zero.
  var isUnseenCommit: Bool { sqlState == "2201E" }

  /// True if the server does not support a statement, for example COPY to a table with row security.
  var refusesCopy: Bool { sqlState == "0A000" && !isStalePlan }

  /// True for a violated foreign key.
  var isForeignKeyViolation: Bool { sqlState == "23503" }

  /// True if a number exceeds the type's range.
  var isOutOfRange: Bool { sqlState == "22003" }

  /// True if the connection can no longer be used.
  var endsConnection: Bool {
    // The server is shutting down, or an administrator has ended the session.
    [.connectionLost, .connectionFailed, .answerTimeout].contains(code) || sqlState?.hasPrefix("57P") == true
      || sqlState?.hasPrefix("08") == true
  }

  /// True if an established connection was lost, so that a retry can succeed.
  var isInterruption: Bool { code == .connectionLost || sqlState?.hasPrefix("57P") == true }

  /// True if a pooler has moved the session to a different server, where the prepared statement is missing or its name
  /// refers to a different statement.
  var isStatementOfOtherSession: Bool { sqlState == "26000" || sqlState == "42P05" }

  /// True if a prepared statement's result columns have changed since it was prepared.
  var isStalePlan: Bool { sqlState == "0A000" && message.contains("cached plan") }

  /// True if a retry succeeds because it prepares the statement again or not at all.
  var concernsPreparedStatement: Bool { isStatementOfOtherSession || isStalePlan }
}

extension PostgresError {
  /// Runs `body` until it succeeds.
  ///
  /// - Parameter isRepeated: Returns true if a retry may succeed, after waiting if necessary. It limits the number of
  ///   attempts, which are counted from 1, and may throw a more specific error.
  static func repeating<Result>(
    _ body: () throws -> Result, after isRepeated: (_ error: Self, _ attempt: Int) throws -> Bool
  ) throws -> Result {
    var attempt = 1
    while true {
      do {
        return try body()
      } catch let error as Self {
        guard try isRepeated(error, attempt) else { throw error }
        attempt += 1
      }
    }
  }
}

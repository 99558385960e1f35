import CPostgres

/// An error of a PostgreSQL server, or of the connection to it.
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
  /// What has failed.
  public enum Code: String, Sendable, Hashable {
    /// The connection settings are invalid.
    case invalidConfiguration
    /// The settings would send data to another host without a verified certificate.
    case insecureConnection
    /// No connection could be made: the server is not reachable or refuses the user.
    case connectionFailed
    /// The connection was lost. Nothing was saved.
    case connectionLost
    /// The connection was lost while a transaction was committed, and the server cannot tell whether it was.
    case commitOutcomeUnknown
    /// All connections of the pool were in use for longer than ``PostgresConfiguration/Timeouts/pool``.
    case poolTimeout
    /// The server did not answer within ``PostgresConfiguration/Timeouts/answer``.
    case answerTimeout
    /// The server has reported an error; see ``PostgresError/sqlState``.
    case server
    /// A text contains U+0000, which PostgreSQL cannot store.
    case nullCharacter
    /// A trigger or a row security policy has kept the server from writing all rows. Nothing was saved.
    case writeSuppressed
  }

  /// What has failed.
  public let code: Code
  /// The message of the server or of this library.
  public let message: String
  /// The five characters of the server's error code, for example `23505`; nil for errors of the connection.
  public let sqlState: String?
  /// What the server says in addition: the values of a violated constraint, for example.
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

  public var description: String {
    var text = sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message
    if let detail { text += ": \(detail)" }
    return text
  }
}

extension PostgresError {
  /// The error in a result.
  init(_ result: OpaquePointer) {
    func field(_ code: Character) -> String? {
      PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
    }
    self.init(
      .server, field("M") ?? String(cString: PQresultErrorMessage(result)), sqlState: field("C"), detail: field("D"),
      constraint: field("n"))
  }

  /// True if another transaction has caused the error and a repetition can succeed.
  var isConflict: Bool {
    // Two definitions of one table at the same time have an internal error.
    sqlState == "40001" || sqlState == "40P01" || (sqlState == "XX000" && message.contains("concurrently updated"))
  }

  /// True if a lock was not free within the `lock_timeout` of a transaction.
  var isLockTimeout: Bool { sqlState == "55P03" }

  /// True if a table or a column does not exist, as after a migration by another program.
  var concernsMissingObject: Bool { sqlState == "42P01" || sqlState == "42703" }

  /// True if a migration has excluded the version of the program meanwhile, see ``CommitOrder/generationCheck(_:)`` and
  /// ``PostgresStore/generationCheck``.
  var isOfEarlierGeneration: Bool {
    sqlState == "2201F" || (sqlState == "23514" && constraint == InternalTables.generation)
  }

  /// The error for a save that cannot be repeated although the program may still use the store.
  static var migratedMeanwhile: Self {
    Self(.server, "a concurrent process migrated the store during the save, and nothing was saved: save again")
  }

  /// True if what a statement creates exists already.
  var isDuplicateDefinition: Bool {
    ["42P07", "42P06", "42710"].contains(sqlState ?? "") || isUniqueViolation
  }

  /// True if a statement exceeds a limit of the server, such as `max_stack_depth`.
  var exceedsLimit: Bool { sqlState?.hasPrefix("54") == true }

  /// True for a violated unique constraint.
  var isUniqueViolation: Bool { sqlState == "23505" }

  /// True if a row was not written: the statements of ``RowStatements`` divide by zero then.
  var isMissingRow: Bool { sqlState == "22012" }

  /// The same for copied rows, which are counted by the client.
  static var missingRow: Self { Self(.server, "not all rows were copied", sqlState: "22012") }

  /// The error for rows that exist or are new, and were not written.
  static func writeSuppressed(_ models: Set<String>) -> Self {
    let names = models.sorted().map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .writeSuppressed,
      "the server has not written all rows of \(names), and nothing was saved: a trigger or a row security policy of the "
        + "table suppresses insertions, updates or deletions")
  }

  /// True if a transaction sees unknown commits of others: the statement of ``CommitGuard`` takes the logarithm of zero
  /// then.
  var isUnseenCommit: Bool { sqlState == "2201E" }

  /// True if the server does not support a statement: to copy rows into a table with row security, for example.
  var refusesCopy: Bool { sqlState == "0A000" && !isStalePlan }

  /// True for a violated foreign key.
  var isForeignKeyViolation: Bool { sqlState == "23503" }

  /// True if a number is too large for its type.
  var isOutOfRange: Bool { sqlState == "22003" }

  /// True if the connection can no longer be used.
  var endsConnection: Bool {
    // The server shuts down, or an administrator has ended the session.
    [.connectionLost, .connectionFailed, .answerTimeout].contains(code) || sqlState?.hasPrefix("57P") == true
      || sqlState?.hasPrefix("08") == true
  }

  /// True if the server has gone away after it was reached, so that a repetition can succeed.
  var isInterruption: Bool { code == .connectionLost || sqlState?.hasPrefix("57P") == true }

  /// True if a pooler has moved the session to another server, which does not know a prepared statement or knows another
  /// one with its name.
  var isStatementOfOtherSession: Bool { sqlState == "26000" || sqlState == "42P05" }

  /// True if the result of a prepared statement has other columns than when it was prepared.
  var isStalePlan: Bool { sqlState == "0A000" && message.contains("cached plan") }

  /// True if a repetition succeeds because it prepares the statement again or not at all.
  var concernsPreparedStatement: Bool { isStatementOfOtherSession || isStalePlan }
}

extension PostgresError {
  /// Runs `body` until it succeeds.
  ///
  /// - Parameter isRepeated: returns true for an error after which another attempt may succeed, when it is time for it. It
  ///   bounds the attempts, which are counted from 1, and may throw an error that says more.
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

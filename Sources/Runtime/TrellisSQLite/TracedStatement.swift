/// A statement that a store has run: what ``ModelConfiguration/trace`` receives. Not in SwiftData.
///
///     configuration.trace = { statement in
///       if statement.duration > .milliseconds(20) { print(statement) }
///     }
///     // fetch from 'default', 2400 rows in 0.031 seconds: SELECT "t0"."id", … FROM "Trip" AS "t0" …
///
/// The type does not depend on SQLite: a store of another kind can make one for each of its statements.
public struct TracedStatement: Sendable {
  /// The text of the statement, with a placeholder for each value.
  public let sql: String
  /// What the program has requested.
  public let purpose: Purpose
  /// The name of the configuration whose store has run the statement.
  public let storeName: String
  /// The time from the start of the statement to its end. It includes what the program does with each row before it
  /// takes the next one.
  public let duration: Duration
  /// The number of rows that a query has returned, and that any other statement has inserted, changed or deleted.
  /// Rows that a foreign key or a trigger has changed do not count.
  public let rows: Int
  private let expansion: @Sendable () -> String?

  /// A statement, for stores that report their own.
  ///
  /// - Parameters:
  ///   - sql: the text, with placeholders.
  ///   - purpose: what the program has requested.
  ///   - storeName: the name of the store's configuration.
  ///   - duration: how long the statement ran.
  ///   - rows: the number of rows returned or changed.
  ///   - expansion: makes the text with values, and is called when a program asks for it; nil where the store no
  ///     longer has the values.
  public init(
    sql: String, purpose: Purpose, storeName: String, duration: Duration, rows: Int,
    expansion: @escaping @Sendable () -> String? = { nil }
  ) {
    self.sql = sql
    self.purpose = purpose
    self.storeName = storeName
    self.duration = duration
    self.rows = rows
    self.expansion = expansion
  }

  /// The text with its values in the places of the placeholders.
  ///
  /// The values are data of the program's users: ``sql`` has none of them, and is what belongs into a log. SQLite has
  /// the values only while ``ModelConfiguration/trace`` is called. Afterwards, and where a store cannot tell,
  /// this is ``sql``.
  public func expandedSQL() -> String { expansion() ?? sql }

  /// The purpose that all statements of the current operation have; nil where the store knows it best.
  @TaskLocal private static var operation: Purpose?

  /// Runs an operation of a context all of whose statements have one purpose, such as a fetch that also reads what is
  /// prefetched. An operation within another one belongs to that one.
  @inline(__always) package static func scope<Result>(
    _ purpose: Purpose, _ body: () throws -> Result
  ) rethrows -> Result {
    guard StatementTrace.isInUse, operation == nil else { return try body() }
    return try $operation.withValue(purpose, operation: body)
  }

  /// The purpose of a statement that a store runs for `purpose`.
  package static func currentPurpose(else purpose: Purpose) -> Purpose { operation ?? purpose }

  /// Runs code of the program. Tasks it makes are not part of the operation.
  package static func leavingScope(_ body: () -> Void) { $operation.withValue(nil, operation: body) }
}

extension TracedStatement {
  /// What the program has asked a store for.
  ///
  /// A store may have purposes of other names.
  public struct Purpose: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the purpose, such as `fetch`.
    public let rawValue: String

    /// The purpose of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// A fetch of models, identifiers or snapshots, with its batches and what it prefetches.
    public static let fetch = Purpose(rawValue: "fetch")
    /// `fetchCount(_:)`, and the number of members of a relationship.
    public static let count = Purpose(rawValue: "count")
    /// Aggregates, groups and single values.
    public static let aggregate = Purpose(rawValue: "aggregate")
    /// Handwritten SQL.
    public static let sql = Purpose(rawValue: "sql")
    /// Reading what a model does not have in memory: a relationship, an attribute that the fetch has left out, or the
    /// row of `model(for:)`.
    public static let fault = Purpose(rawValue: "fault")
    /// Reading registered models again, because another context or program has changed them, and looking for such
    /// changes.
    public static let refresh = Purpose(rawValue: "refresh")
    /// Saving, with what the delete rules read; batches and `erase()`.
    public static let save = Purpose(rawValue: "save")
    /// Reading and deleting the history.
    public static let history = Purpose(rawValue: "history")
    /// Bringing a store to another version of its schema.
    public static let migration = Purpose(rawValue: "migration")
    /// Creating or opening a store, and opening another connection to it.
    public static let opening = Purpose(rawValue: "opening")
    /// Anything else: explaining a fetch, what the library does between operations, and calls to a store that no
    /// context makes.
    public static let other = Purpose(rawValue: "other")
  }
}

extension TracedStatement: CustomStringConvertible {
  public var description: String {
    "\(purpose) \(purpose == .save ? "to" : "from") '\(storeName)', \(rows) \(rows == 1 ? "row" : "rows") in "
      + "\(duration): \(sql)"
  }
}

import CSQLite
import Foundation
import Synchronization

/// A value that is ignored when the enclosing values are compared or hashed.
package struct Uncompared<Value: Sendable>: Hashable, Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }

  package static func == (lhs: Self, rhs: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

/// Reports a store's statements to a listener.
package final class StatementTrace: Sendable {
  package typealias Listener = @Sendable (TracedStatement) -> Void

  private let listener: Listener
  private let storeName: String

  private static let hasOne = Atomic<Bool>(false)
  /// The stores whose listeners are running, by thread.
  private static let listening = Mutex<[UInt: ObjectIdentifier]>([:])

  /// True if any store in the process has had a trace.
  @inline(__always) package static var isInUse: Bool { hasOne.load(ordering: .relaxed) }

  /// Creates a trace; `nil` if there is no listener, so that nothing is measured.
  package init?(_ listener: Listener?, storeName: String) {
    guard let listener else { return nil }
    self.listener = listener
    self.storeName = storeName
    Self.hasOne.store(true, ordering: .relaxed)
  }

  private static var thread: UInt { UInt(bitPattern: Int(bitPattern: pthread_self())) }

  /// Checks that the listener does not use the store.
  ///
  /// - Throws: ``ConnectionInUse`` if the listener uses the store. The connection that ran the statement is still
  ///   processing it, and the thread may hold the store's locks.
  package func checkUse() throws {
    let isListening = Self.listening.withLock { $0[Self.thread] == ObjectIdentifier(self) }
    guard isListening else { return }
    throw ConnectionInUse(
      explanation: "the 'trace' of configuration '\(storeName)' uses the store that it traces: use the store in "
        + "a task, or after the operation")
  }

  fileprivate func report(
    _ handle: OpaquePointer, _ purpose: TracedStatement.Purpose, _ duration: Duration, rows: Int
  ) {
    guard let sql = sqlite3_sql(handle) else { return }
    let expansion = StatementExpansion(handle)
    report(String(cString: sql), purpose, duration, rows: rows, expansion.text)
    expansion.end()
  }

  /// Calls the listener, unless a listener ran the statement.
  package func report(
    _ sql: String, _ purpose: TracedStatement.Purpose, _ duration: Duration, rows: Int,
    _ expansion: @escaping @Sendable () -> String? = { nil }
  ) {
    let (thread, own) = (Self.thread, ObjectIdentifier(self))
    // Statements that a listener runs on a second store are not reported: two stores that trace each other would
    // recurse endlessly.
    let isFirst = Self.listening.withLock { listening in
      guard listening[thread] == nil else { return false }
      listening[thread] = own
      return true
    }
    guard isFirst else { return }
    let statement = TracedStatement(
      sql: sql, purpose: TracedStatement.currentPurpose(else: purpose), storeName: storeName, duration: duration,
      rows: rows, expansion: expansion)
    TracedStatement.leavingScope { listener(statement) }
    _ = Self.listening.withLock { $0.removeValue(forKey: thread) }
  }
}

/// Provides a statement's values while they are available.
private final class StatementExpansion: Sendable {
  /// The statement's address; 0 after the listener has returned.
  private let handle: Mutex<UInt>

  package init(_ handle: OpaquePointer) { self.handle = Mutex(UInt(bitPattern: handle)) }

  @Sendable package func text() -> String? {
    handle.withLock { handle in
      guard let text = sqlite3_expanded_sql(OpaquePointer(bitPattern: handle)) else { return nil }
      defer { sqlite3_free(text) }
      return String(cString: text)
    }
  }

  package func end() { handle.withLock { $0 = 0 } }
}

/// Measures a connection's statements. Used by the thread that uses the connection.
package final class ConnectionTrace {
  private struct Run {
    let start = ContinuousClock.now
    let changes: Int64
    var rows = 0
    var isOver = false
  }

  package let store: StatementTrace
  /// The purposes of the current operation and of enclosing operations.
  private var purposes: [TracedStatement.Purpose] = []
  private let connection: OpaquePointer
  /// The last run of each statement.
  private var runs: [OpaquePointer: Run] = [:]

  /// - Parameter connection: The connection, which reports to this object until ``end()``.
  package init(_ store: StatementTrace, _ connection: OpaquePointer) {
    self.store = store
    self.connection = connection
    sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE),
      { event, trace, statement, _ in
        guard let trace, let statement else { return 0 }
        Unmanaged<ConnectionTrace>.fromOpaque(trace).takeUnretainedValue()
          .record(Int32(bitPattern: event), OpaquePointer(statement))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  package func end() { sqlite3_trace_v2(connection, 0, nil, nil) }

  /// Begins an operation with a purpose; ``leave()`` ends it.
  package func enter(_ purpose: TracedStatement.Purpose) { purposes.append(purpose) }

  package func leave() { purposes.removeLast() }

  private func record(_ event: Int32, _ handle: OpaquePointer) {
    let new = Run(changes: sqlite3_total_changes64(connection))
    switch event {
    case SQLITE_TRACE_STMT:
      // SQLite also reports the start of a trigger within a statement as a statement start.
      if runs[handle]?.isOver != false { runs[handle] = new }
    case SQLITE_TRACE_ROW:
      // For statements that SQLite runs internally to read table definitions, only rows are reported.
      runs[handle]?.rows += 1
    default:
      let run = runs[handle] ?? new
      // If a statement changes nothing, SQLite retains the previous statement's count.
      let rows = new.changes != run.changes ? Int(clamping: sqlite3_changes64(connection)) : run.rows
      store.report(handle, purposes.last ?? .opening, run.start.duration(to: .now), rows: rows)
      // SQLite repeats a run if a different connection has changed the tables since the statement was prepared. It
      // reports the end of both runs, but only the start of the first.
      runs[handle] = Run(changes: sqlite3_total_changes64(connection), isOver: true)
    }
  }
}

/// A statement that a store has run, as received by ``ModelConfiguration/trace``. Not in SwiftData.
///
/// ```swift
/// var configuration = ModelConfiguration()
/// configuration.trace = { statement in
///   if statement.duration > .milliseconds(20) { print(statement) }
/// }
/// // fetch from 'default', 2400 rows in 0.031 seconds: SELECT "t0"."id", … FROM "Trip" AS "t0" …
/// ```
///
/// The type does not depend on SQLite: custom stores can report their own statements.
public struct TracedStatement: Sendable {
  /// The statement's text, with a placeholder for each value.
  public let sql: String
  /// The kind of request that caused the statement.
  public let purpose: Purpose
  /// The name of the store's configuration.
  public let storeName: String
  /// The time from the statement's start to its end. Includes the time that the caller spends on each row before it
  /// requests the next row.
  public let duration: Duration
  /// The number of rows returned by a query, or inserted, changed or deleted by any other statement.
  ///
  /// Excludes rows that a foreign key or a trigger has changed.
  public let rows: Int
  private let expansion: @Sendable () -> String?

  /// Creates a traced statement, for stores that report their own statements.
  ///
  /// - Parameters:
  ///   - sql: The text, with placeholders.
  ///   - purpose: The kind of request that caused the statement.
  ///   - storeName: The name of the store's configuration.
  ///   - duration: The time that the statement took.
  ///   - rows: The number of rows returned or changed.
  ///   - expansion: Returns the text with values, when requested; `nil` if the values are no longer available.
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

  /// Returns the text with values in place of placeholders.
  ///
  /// The values are user data, so log ``sql``, which contains none. SQLite provides the values only while
  /// ``ModelConfiguration/trace`` is called. Afterwards, or if a store has no values, this returns ``sql``.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
  /// configuration.trace = { statement in print(statement.expandedSQL()) }
  /// // SELECT … FROM "Trip" AS "t0" WHERE "t0"."destination" = 'Bergen'
  /// ```
  public func expandedSQL() -> String { expansion() ?? sql }

  /// The purpose of all statements in the current operation; `nil` if the store determines the purpose.
  @TaskLocal private static var operation: Purpose?

  /// Runs a context operation whose statements share a purpose, such as a fetch and its prefetches. A nested operation
  /// keeps the enclosing operation's purpose.
  @inline(__always) package static func scope<Result>(
    _ purpose: Purpose, _ body: () throws -> Result
  ) rethrows -> Result {
    guard StatementTrace.isInUse, operation == nil else { return try body() }
    return try $operation.withValue(purpose, operation: body)
  }

  /// Returns the current operation's purpose, or `purpose` if the store determines the purpose.
  package static func currentPurpose(else purpose: Purpose) -> Purpose { operation ?? purpose }

  /// Runs app code. Tasks that the code creates are not part of the operation.
  package static func leavingScope(_ body: () -> Void) { $operation.withValue(nil, operation: body) }
}

extension TracedStatement {
  /// The kind of request that causes a statement.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration()
  /// configuration.trace = { statement in
  ///   // Data that a loop loads row by row: prefetch it.
  ///   if statement.purpose == .fault { print(statement.sql) }
  /// }
  /// ```
  ///
  /// A store may define additional purposes.
  public struct Purpose: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The purpose's name, such as `fetch`.
    public let rawValue: String

    /// Creates a purpose from a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The purpose's name.
    public var description: String { rawValue }

    /// A fetch of models, identifiers or snapshots, including batches and prefetches.
    public static let fetch = Purpose(rawValue: "fetch")
    /// `fetchCount(_:)`, and the member count of a relationship.
    public static let count = Purpose(rawValue: "count")
    /// Aggregates, groups and single values.
    public static let aggregate = Purpose(rawValue: "aggregate")
    /// Handwritten SQL.
    public static let sql = Purpose(rawValue: "sql")
    /// Loading data that is not in memory: a relationship, an attribute that the fetch has omitted, or the row for
    /// `model(for:)`.
    public static let fault = Purpose(rawValue: "fault")
    /// Detecting changes by other contexts or processes, and reloading registered models that they affect.
    public static let refresh = Purpose(rawValue: "refresh")
    /// Saving, including the reads for delete rules; batches and `erase()`.
    public static let save = Purpose(rawValue: "save")
    /// Reading and deleting the history.
    public static let history = Purpose(rawValue: "history")
    /// Migrating a store to a different schema version.
    public static let migration = Purpose(rawValue: "migration")
    /// Creating or opening a store, and opening additional connections.
    public static let opening = Purpose(rawValue: "opening")
    /// Anything else: explaining a fetch, work between operations, and direct calls to a store.
    public static let other = Purpose(rawValue: "other")
  }
}

extension TracedStatement: CustomStringConvertible {
  /// The purpose, the store name, the row count, the duration and the text with placeholders.
  public var description: String {
    "\(purpose) \(purpose == .save ? "to" : "from") '\(storeName)', \(rows) \(rows == 1 ? "row" : "rows") in "
      + "\(duration): \(sql)"
  }
}

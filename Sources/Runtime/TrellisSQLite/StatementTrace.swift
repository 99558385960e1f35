import CSQLite
import Foundation
import Synchronization

/// A value that makes no difference when the values around it are compared.
package struct Uncompared<Value: Sendable>: Hashable, Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }

  package static func == (lhs: Self, rhs: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

/// Tells a program of the statements of one store.
package final class StatementTrace: Sendable {
  package typealias Listener = @Sendable (TracedStatement) -> Void

  private let listener: Listener
  private let storeName: String

  private static let hasOne = Atomic<Bool>(false)
  /// The stores whose listeners are running, by thread.
  private static let listening = Mutex<[UInt: ObjectIdentifier]>([:])

  /// Whether any store of the process has had a trace.
  @inline(__always) package static var isInUse: Bool { hasOne.load(ordering: .relaxed) }

  /// Nil if there is no listener: then nothing is measured.
  package init?(_ listener: Listener?, storeName: String) {
    guard let listener else { return nil }
    self.listener = listener
    self.storeName = storeName
    Self.hasOne.store(true, ordering: .relaxed)
  }

  private static var thread: UInt { UInt(bitPattern: Int(bitPattern: pthread_self())) }

  /// - Throws: ``ConnectionInUse`` if the listener uses the store. The connection that has run the statement is still
  ///   in the middle of it, and its thread may hold locks of the store.
  package func checkUse() throws {
    let isListening = Self.listening.withLock { $0[Self.thread] == ObjectIdentifier(self) }
    guard isListening else { return }
    throw ConnectionInUse(
      explanation: "the 'trace' of configuration '\(storeName)' uses the store it is told of: do that in a task, or "
        + "after the operation")
  }

  fileprivate func report(
    _ handle: OpaquePointer, _ purpose: TracedStatement.Purpose, _ duration: Duration, rows: Int
  ) {
    guard let sql = sqlite3_sql(handle) else { return }
    let expansion = StatementExpansion(handle)
    report(String(cString: sql), purpose, duration, rows: rows, expansion.text)
    expansion.end()
  }

  /// Calls the listener, unless the statement belongs to a listener.
  package func report(
    _ sql: String, _ purpose: TracedStatement.Purpose, _ duration: Duration, rows: Int,
    _ expansion: @escaping @Sendable () -> String? = { nil }
  ) {
    let (thread, own) = (Self.thread, ObjectIdentifier(self))
    // Statements of a listener on another store are not reported, because two such stores would never end.
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

/// The values of a statement, as long as it has them.
private final class StatementExpansion: Sendable {
  /// The address of the statement; 0 when the listener has returned.
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

/// Measures the statements of one connection. Used by the thread that has the connection.
package final class ConnectionTrace {
  private struct Run {
    let start = ContinuousClock.now
    let changes: Int64
    var rows = 0
    var isOver = false
  }

  package let store: StatementTrace
  /// The purposes of the current operation and of those around it.
  private var purposes: [TracedStatement.Purpose] = []
  private let connection: OpaquePointer
  /// The last run of each statement.
  private var runs: [OpaquePointer: Run] = [:]

  /// - Parameter connection: reports to this object until ``end()``.
  package init(_ store: StatementTrace, _ connection: OpaquePointer) {
    self.store = store
    self.connection = connection
    sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE),
      { event, trace, statement, _ in
        guard let trace, let statement else { return 0 }
        Unmanaged<ConnectionTrace>.fromOpaque(trace).takeUnretainedValue()
          .note(Int32(bitPattern: event), OpaquePointer(statement))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  package func end() { sqlite3_trace_v2(connection, 0, nil, nil) }

  /// Begins an operation of the purpose; ``leave()`` ends it.
  package func enter(_ purpose: TracedStatement.Purpose) { purposes.append(purpose) }

  package func leave() { purposes.removeLast() }

  private func note(_ event: Int32, _ handle: OpaquePointer) {
    let new = Run(changes: sqlite3_total_changes64(connection))
    switch event {
    case SQLITE_TRACE_STMT:
      // The start of a trigger within a statement is reported as a start of the statement.
      if runs[handle]?.isOver != false { runs[handle] = new }
    case SQLITE_TRACE_ROW:
      // SQLite reports the rows, and only these, of statements it runs for itself to read the definitions of tables.
      runs[handle]?.rows += 1
    default:
      let run = runs[handle] ?? new
      // Of a statement that changes nothing, SQLite keeps the number of the one before.
      let rows = new.changes != run.changes ? Int(clamping: sqlite3_changes64(connection)) : run.rows
      store.report(handle, purposes.last ?? .opening, run.start.duration(to: .now), rows: rows)
      // SQLite repeats a run when another connection has changed the tables since the statement was prepared. It reports
      // the end of both, and the start of the first one only.
      runs[handle] = Run(changes: sqlite3_total_changes64(connection), isOver: true)
    }
  }
}

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

import Foundation
import Synchronization
import Trellis

/// A store's connection pool.
///
/// A call uses a single connection for all of its work, so calls cannot deadlock. Waiting calls receive connections in
/// order of arrival.
package final class PostgresPool: Sendable {
  private let address: ConnectionAddress
  /// The address of a server that keeps sessions, for connections outside of the pool.
  private let directAddress: ConnectionAddress
  private let password: (@Sendable () throws -> String)?
  private let timeouts: PostgresConfiguration.Timeouts
  private let size: Int
  private let trace: StatementTrace?
  private let state: Mutex<State>

  private struct State {
    var idle: [PostgresConnection] = []
    /// The number of further calls that can get a connection immediately.
    var free: Int
    /// The calls that are waiting for a connection.
    var waiting: [DispatchSemaphore] = []
    var preparesStatements: Bool
    /// Each thread's connections, so that nested calls use the enclosing call's connection. `nil` while app code runs.
    var current: [UInt: [PostgresConnection?]] = [:]
  }

  /// The idle time after which a connection is validated, because a firewall or a server restart may have closed it.
  private static let validationAge = Duration.seconds(2)

  init(_ configuration: PostgresConfiguration) throws {
    func address(_ text: String) throws -> ConnectionAddress {
      try ConnectionAddress(text, configuration.tls, connectTimeout: configuration.timeouts.connection)
    }
    self.address = try address(configuration.address)
    directAddress = try address(configuration.directURL ?? configuration.address)
    password = configuration.password
    timeouts = configuration.timeouts
    size = max(1, configuration.poolSize)
    trace = StatementTrace(configuration.trace, storeName: configuration.name)
    state = Mutex(State(free: size, preparesStatements: configuration.preparesStatements))
  }

  var place: String { address.place }

  private static var thread: UInt { UInt(bitPattern: Int(pthread_self())) }

  private var currentConnection: PostgresConnection? { state.withLock { $0.current[Self.thread]?.last ?? nil } }

  /// True if an enclosing call has taken a connection.
  var hasConnection: Bool { currentConnection != nil }

  /// The number of calls that are waiting for a connection.
  var waitingCalls: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` with a connection.
  ///
  /// - Throws: ``PostgresError/Code/poolTimeout``, ``PostgresError/Code/connectionFailed``, and errors thrown by
  ///   `body`.
  package func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
    if let connection = currentConnection {
      try trace?.checkStoreUse()
      return try body(connection)
    }
    let connection = try checkOutConnection()
    defer { checkIn(connection) }
    return try body(connection)
  }

  /// Takes a connection, which calls on this thread use until it is returned.
  ///
  /// - Throws: ``PostgresError/Code/poolTimeout`` and ``PostgresError/Code/connectionFailed``.
  func checkOutConnection() throws -> PostgresConnection {
    try trace?.checkStoreUse()
    try waitForTurn()
    do {
      let connection = try usableConnection()
      enter(connection)
      return connection
    } catch {
      endTurn()
      throw error
    }
  }

  /// Returns the connection that this thread took last.
  func checkIn(_ connection: PostgresConnection) {
    leave()
    state.withLock { state in
      if connection.lacksSession { state.preparesStatements = false }
      if connection.isBroken || connection.hasStalePlans {
        // After a server restart, all idle connections are closed, and after a table change, all have stale plans.
        state.idle = []
      } else {
        state.idle.append(connection)
      }
    }
    endTurn()
  }

  /// Runs app code, which may use the store itself, as if no enclosing call had taken a connection.
  func withoutConnection<Result>(_ body: () throws -> Result) rethrows -> Result {
    enter(nil)
    defer { leave() }
    return try body()
  }

  private func enter(_ connection: PostgresConnection?) {
    state.withLock { $0.current[Self.thread, default: []].append(connection) }
  }

  private func leave() {
    state.withLock { state in
      state.current[Self.thread]?.removeLast()
      if state.current[Self.thread]?.isEmpty == true { state.current[Self.thread] = nil }
    }
  }

  // MARK: turns

  private func waitForTurn() throws {
    let waiter = state.withLock { state -> DispatchSemaphore? in
      guard state.free == 0 else {
        state.free -= 1
        return nil
      }
      let waiter = DispatchSemaphore(value: 0)
      state.waiting.append(waiter)
      return waiter
    }
    guard let waiter, waiter.wait(timeout: .now() + timeouts.pool.inSeconds) == .timedOut else { return }
    try state.withLock { state in
      // If the call is no longer waiting, it was given a connection at the last moment.
      guard let position = state.waiting.firstIndex(where: { $0 === waiter }) else { return }
      state.waiting.remove(at: position)
      throw PostgresError(
        .poolTimeout,
        "all \(size) connections to \(place) were in use for \(timeouts.pool): raise "
          + "'poolSize', or shorten the work inside 'transaction'")
    }
  }

  private func endTurn() {
    let next = state.withLock { state -> DispatchSemaphore? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.signal()
  }

  // MARK: connections

  /// Returns an idle connection, or a new connection if none is idle and open.
  private func usableConnection() throws -> PostgresConnection {
    let (idle, preparesStatements) = state.withLock { ($0.idle.popLast(), $0.preparesStatements) }
    guard let idle, !idle.isClosed else { return try connected(to: address) }
    if !preparesStatements { idle.preparesStatements = false }
    guard idle.lastUse.duration(to: .now) > Self.validationAge else { return idle }
    do {
      try idle.validate(within: timeouts.connection)
      return idle
    } catch {
      return try connected(to: address)
    }
  }

  /// Opens a connection outside of the pool that keeps its session.
  func separateConnection() throws -> PostgresConnection { try connected(to: directAddress) }

  private func connected(to address: ConnectionAddress) throws -> PostgresConnection {
    var address = address
    if let password { address.settings["password"] = try password() }
    return try PostgresConnection(
      address, answerTimeout: timeouts.answer, preparesStatements: state.withLock { $0.preparesStatements }, trace)
  }
}

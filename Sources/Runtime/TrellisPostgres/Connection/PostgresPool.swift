import Foundation
import Synchronization
import Trellis

/// The connections of a store.
///
/// A call takes one connection and uses it for everything, so calls never wait for each other in a circle. Calls that wait
/// get a connection in the order in which they came.
final class PostgresPool: Sendable {
  private let address: ConnectionAddress
  /// Where sessions are kept, for connections that do not belong to the pool.
  private let directAddress: ConnectionAddress
  private let password: (@Sendable () throws -> String)?
  private let timeouts: PostgresConfiguration.Timeouts
  private let size: Int
  private let trace: StatementTrace?
  private let state: Mutex<State>

  private struct State {
    var idle: [PostgresConnection] = []
    /// Open connections, and those that are being opened.
    var open = 0
    var waiting: [Waiter] = []
    var preparesStatements: Bool
  }

  /// A call that waits for a connection.
  private final class Waiter: Sendable {
    let signal = DispatchSemaphore(value: 0)
    /// A connection; nil for the permission to open one.
    let connection = Mutex<PostgresConnection?>(nil)
  }

  /// An idle connection of this age may have been closed by a firewall or by a server that has restarted.
  private static let validationAge = Duration.seconds(2)

  init(_ configuration: PostgresConfiguration) throws {
    address = try ConnectionAddress(
      configuration.address, configuration.tls, connectTimeout: configuration.timeouts.connection)
    directAddress = try ConnectionAddress(
      configuration.directURL ?? configuration.address, configuration.tls,
      connectTimeout: configuration.timeouts.connection)
    password = configuration.password
    timeouts = configuration.timeouts
    size = max(1, configuration.poolSize)
    trace = StatementTrace(configuration.trace, storeName: configuration.name)
    state = Mutex(State(preparesStatements: configuration.preparesStatements))
  }

  var place: String { address.place }

  /// The connections of each thread: the calls inside another call use its connection.
  private let current = Mutex<[UInt: [PostgresConnection?]]>([:])

  private var currentConnection: PostgresConnection? { current.withLock { $0[Self.thread]?.last ?? nil } }

  private func enter(_ connection: PostgresConnection?) {
    current.withLock { $0[Self.thread, default: []].append(connection) }
  }

  private func leave() {
    let thread = Self.thread
    current.withLock { current in
      current[thread]?.removeLast()
      if current[thread]?.isEmpty == true { current[thread] = nil }
    }
  }

  /// True if a call around this one has taken a connection.
  var hasConnection: Bool { currentConnection != nil }

  /// The number of calls that wait for a connection.
  var waitingCalls: Int { state.withLock { $0.waiting.count } }

  private static var thread: UInt { UInt(bitPattern: Int(pthread_self())) }

  /// Runs `body` with a connection.
  ///
  /// - Throws: ``PostgresError/Code/poolTimeout``, ``PostgresError/Code/connectionFailed``, and the errors of `body`.
  func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
    try checkUse()
    if let connection = currentConnection { return try body(connection) }
    let connection = try takeConnection()
    defer { giveBack(connection) }
    return try body(connection)
  }

  /// Takes a connection, which the calls of this thread use until it is given back.
  ///
  /// - Throws: ``PostgresError/Code/poolTimeout`` and ``PostgresError/Code/connectionFailed``.
  func takeConnection() throws -> PostgresConnection {
    try checkUse()
    let connection = try take()
    enter(connection)
    return connection
  }

  private func checkUse() throws {
    do {
      try trace?.checkUse()
    } catch let error as ConnectionInUse {
      throw SwiftDataError.contextInUse.explained(error.explanation)
    }
  }

  /// Runs `body` as if no call around it had taken a connection: code of the program, which may use the store.
  func withoutConnection<Result>(_ body: () throws -> Result) rethrows -> Result {
    enter(nil)
    defer { leave() }
    return try body()
  }

  private enum Turn {
    case use(PostgresConnection)
    case open
    case wait(Waiter)
  }

  private func take() throws -> PostgresConnection {
    let turn = state.withLock { state -> Turn in
      if let connection = state.idle.popLast() { return .use(connection) }
      if state.open < size {
        state.open += 1
        return .open
      }
      let waiter = Waiter()
      state.waiting.append(waiter)
      return .wait(waiter)
    }
    switch turn {
    case .use(let connection): return try validated(connection)
    case .open: return try opened()
    case .wait(let waiter): return try wait(waiter)
    }
  }

  private func wait(_ waiter: Waiter) throws -> PostgresConnection {
    if waiter.signal.wait(timeout: .now() + timeouts.pool.inSeconds) == .timedOut {
      let isStillWaiting = state.withLock { state in
        let count = state.waiting.count
        state.waiting.removeAll { $0 === waiter }
        return state.waiting.count < count
      }
      guard !isStillWaiting else {
        throw PostgresError(
          .poolTimeout,
          "all \(size) connections to \(place) were in use for \(timeouts.pool): raise "
            + "'poolSize', or shorten the work between 'transaction' and its end")
      }
      // The connection came at the last moment.
      waiter.signal.wait()
    }
    if let connection = waiter.connection.withLock({ $0 }) { return try validated(connection) }
    return try opened()
  }

  /// Opens a connection that is counted already.
  private func opened() throws -> PostgresConnection {
    do {
      return try connected(to: address)
    } catch {
      discard()
      throw error
    }
  }

  /// Opens a connection that does not belong to the pool, and that keeps its session.
  func separateConnection() throws -> PostgresConnection { try connected(to: directAddress) }

  private func connected(to address: ConnectionAddress) throws -> PostgresConnection {
    var address = address
    if let password { address.set("password", try password()) }
    return try PostgresConnection(
      address, answerTimeout: timeouts.answer, preparesStatements: state.withLock { $0.preparesStatements }, trace)
  }

  /// An idle connection, or a new one if the idle one is closed.
  private func validated(_ connection: PostgresConnection) throws -> PostgresConnection {
    if !state.withLock({ $0.preparesStatements }) { connection.preparesStatements = false }
    guard !connection.isClosed else { return try opened() }
    guard connection.lastUse.duration(to: .now) > Self.validationAge else { return connection }
    do {
      try connection.validate(within: timeouts.connection)
      return connection
    } catch {
      return try opened()
    }
  }

  /// Gives back the connection that this thread has taken last.
  func giveBack(_ connection: PostgresConnection) {
    leave()
    if connection.lacksSession { state.withLock { $0.preparesStatements = false } }
    guard !connection.isBroken, !connection.hasStalePlans else {
      // After a restart of the server all of them are closed, and after a change of a table all have stale plans.
      state.withLock { state in
        state.open -= state.idle.count
        state.idle = []
      }
      return discard()
    }
    let waiter = state.withLock { state -> Waiter? in
      guard !state.waiting.isEmpty else {
        state.idle.append(connection)
        return nil
      }
      return state.waiting.removeFirst()
    }
    guard let waiter else { return }
    waiter.connection.withLock { $0 = connection }
    waiter.signal.signal()
  }

  /// Gives the place of a closed connection to the next call.
  private func discard() {
    let waiter = state.withLock { state -> Waiter? in
      guard !state.waiting.isEmpty else {
        state.open -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    waiter?.signal.signal()
  }
}

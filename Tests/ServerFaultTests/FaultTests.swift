import Foundation
import PostgresSupport
import Synchronization
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Faults at every message of a save, of a fetch and of opening a store.
///
/// In each case, one message fails and all later messages pass. The call may succeed or throw a `PostgresError`, within
/// a bounded time. A short run tests only some of the messages, starting at a message that depends on the seed.
@Suite(.waiting) struct FaultTests {
  private static let schema = Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self])
  private static let actions: [(name: String, action: ProtocolProxy.Action)] = [
    ("cut", .cut), ("cut after", .cutAfter), ("delay", .delay(.milliseconds(20))), ("stall", .stall),
    ("stall after", .stallAfter),
  ]
  /// Longer than all timeouts of one call combined, even on a busy machine.
  private static let bound = Duration.seconds(60)

  /// The configuration of a store behind a proxy.
  private static func configuration(_ server: PostgresServer, _ proxy: ProtocolProxy) -> PostgresConfiguration {
    var configuration = PostgresConfiguration(url: proxy.url())
    configuration.schemaName = server.configuration().schemaName
    configuration.schema = schema
    configuration.poolSize = 2
    configuration.timeouts.pool = .seconds(20)
    return configuration
  }

  /// The configuration for a call with a faulty message. Stalled messages soon exceed its timeouts. Other faults keep
  /// the normal timeouts, which a busy machine does not exceed.
  private static func limited(_ configuration: PostgresConfiguration, _ name: String) -> PostgresConfiguration {
    guard name.hasPrefix("stall") else { return configuration }
    var configuration = configuration
    configuration.timeouts.connection = .milliseconds(700)
    configuration.timeouts.answer = .milliseconds(700)
    configuration.timeouts.pool = .seconds(3)
    return configuration
  }

  private static func container(_ configuration: PostgresConfiguration) throws -> ModelContainer {
    try ModelContainer(for: schema, configurations: [configuration])
  }

  /// Calls `body` again if it fails, because a busy machine may exceed short timeouts.
  private static func insisting<Value>(_ body: () throws -> Value) throws -> Value {
    for _ in 0..<20 { if let value = try? body() { return value } }
    return try body()
  }

  /// A container for an existing store, with the timeouts for an action.
  private static func limitedContainer(_ configuration: PostgresConfiguration, _ name: String) throws -> ModelContainer
  {
    _ = try container(configuration)
    return try insisting { try container(limited(configuration, name)) }
  }

  /// The outcome of a call with a faulty message.
  private enum Outcome<Value> {
    case value(Value)
    case failure(PostgresError)
  }

  /// Runs a call and applies an action to its message at the given step.
  ///
  /// - Throws: ``Finding`` if the call takes too long or throws any other error type.
  private static func run<Value>(
    _ proxy: ProtocolProxy, _ step: Int, _ action: ProtocolProxy.Action, _ body: () throws -> Value
  ) throws -> Outcome<Value> {
    let isOver = Shared(false)
    proxy.forgetTrace()
    proxy.setRule { message in
      guard message.step == step else { return .forward }
      return isOver.withLock { isOver in
        if isOver { return .forward }
        isOver = true
        return action
      }
    }
    defer { proxy.setRule { _ in .forward } }
    let begun = ContinuousClock.now
    let outcome: Outcome<Value>
    do {
      outcome = .value(try body())
    } catch let error as PostgresError {
      outcome = .failure(error)
    } catch {
      throw Finding("message \(step): \(error) is no PostgresError")
    }
    let duration = begun.duration(to: .now)
    guard duration < bound else { throw Finding("message \(step): the call has taken \(duration)") }
    return outcome
  }

  /// An unexpected result. Threads that belong to no test throw it.
  private struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  private static func check(_ condition: Bool, _ finding: @autoclosure () -> String) throws {
    guard condition else { throw Finding(finding()) }
  }

  /// The step numbers of the messages that a lane tests.
  ///
  /// - Parameters:
  ///   - messages: The number of messages in the call.
  ///   - distance: The distance between the messages that a short run tests.
  ///   - offset: The first message that a short run tests.
  private static func steps(
    _ messages: Int, every distance: Int, from offset: Int, lane: Int, of lanes: Int
  ) -> StrideTo<Int> {
    let distance = Repetitions.isThorough ? 1 : distance
    let first = Repetitions.isThorough ? 0 : offset
    return stride(from: first + lane * distance, to: messages, by: lanes * distance)
  }

  /// The number of messages in a call without faults whose statements are already prepared.
  private static func messages(_ proxy: ProtocolProxy, of body: () throws -> Void) throws -> Int {
    try insisting {
      try body()
      proxy.forgetTrace()
      try body()
      return proxy.trace.count
    }
  }

  /// Runs the cases of all actions. Cases that wait run concurrently in lanes, and each lane has its own proxy and
  /// store.
  ///
  /// - Returns: The unexpected results.
  private static func everyAction(
    _ body:
      @escaping @Sendable (_ name: String, _ action: ProtocolProxy.Action, _ lane: Int, _ lanes: Int) throws -> Void
  ) -> [String] {
    let group = DispatchGroup()
    let findings = Shared<[String]>([])
    for (name, action) in actions {
      let lanes = name.hasPrefix("stall") ? (Repetitions.isThorough ? 6 : 2) : 1
      for lane in 0..<lanes {
        group.enter()
        Thread {
          defer { group.leave() }
          do {
            try body(name, action, lane, lanes)
          } catch {
            findings.withLock { $0.append("\(name): \(error)") }
          }
        }.start()
      }
    }
    group.wait()
    return findings.withLock { $0 }
  }

  /// Every save is applied completely or not at all, and never twice. An acknowledged save is not lost.
  @Test func savesWithAFaultAtEveryMessage() throws {
    let server = try PostgresServer.shared.get()
    let log = Shared<[String]>([])
    let offset = Repetitions.offset(below: 8, "savesWithAFaultAtEveryMessage")
    let findings = Self.everyAction { name, action, lane, lanes in
      let proxy = try ProtocolProxy(to: server)
      defer { proxy.stop() }
      let configuration = Self.configuration(server, proxy)
      let container = try Self.limitedContainer(configuration, name)
      func save(_ number: Int) throws {
        let context = ModelContext(container)
        for _ in 0..<3 { context.insert(DiffLabel(text: "\(number)", rows: [])) }
        try context.save()
      }
      // BEGIN, the rows, the history and COMMIT consist of several messages each. Add some for the notification.
      let messages = try Self.messages(proxy) { try save(-1) } + 5
      try Self.check(messages > 15, "\(messages) messages")
      // The possible row counts for each save.
      var ledger: [Int: Set<Int>] = [:]
      var acknowledged = 0
      for step in Self.steps(messages, every: 8, from: offset, lane: lane, of: lanes) {
        switch try Self.run(proxy, step, action, { try save(step) }) {
        case .value:
          ledger[step] = [3]
          acknowledged += 1
        case .failure(let error):
          ledger[step] = error.code == .commitOutcomeUnknown ? [0, 3] : [0]
          log.withLock { $0.append("\(name) at message \(step): \(error.code)") }
        }
      }
      var counts: [Int: Int] = [:]
      for label in try ModelContext(Self.container(configuration)).fetch(FetchDescriptor<DiffLabel>()) {
        counts[Int(label.text) ?? -1, default: 0] += 1
      }
      for (step, possible) in ledger {
        let count = counts[step] ?? 0
        try Self.check(possible.contains(count), "message \(step): \(count) of 3 rows")
      }
      log.withLock { $0.append("\(name): \(acknowledged) of \(ledger.count) saves acknowledged") }
    }
    #expect(findings.isEmpty)
    print(log.withLock { $0.sorted().joined(separator: "; ") })
  }

  /// A fetch returns all rows or throws.
  @Test func fetchesWithAFaultAtEveryMessage() throws {
    let server = try PostgresServer.shared.get()
    let offset = Repetitions.offset(below: 4, "fetchesWithAFaultAtEveryMessage")
    let findings = Self.everyAction { name, action, lane, lanes in
      let proxy = try ProtocolProxy(to: server)
      defer { proxy.stop() }
      let configuration = Self.configuration(server, proxy)
      let container = try Self.limitedContainer(configuration, name)
      let context = ModelContext(try Self.container(configuration))
      for number in 0..<10 { context.insert(DiffLabel(text: "\(number)", rows: [])) }
      try context.save()
      func fetch() throws -> Int { try ModelContext(container).fetch(FetchDescriptor<DiffLabel>()).count }
      let messages = try Self.messages(proxy) { _ = try fetch() }
      try Self.check(messages > 5, "\(messages) messages")
      for step in Self.steps(messages, every: 4, from: offset, lane: lane, of: lanes) {
        switch try Self.run(proxy, step, action, fetch) {
        case .value(let count): try Self.check(count == 10, "message \(step): \(count) of 10 rows")
        case .failure(let error):
          // A read is not retried once its first rows have been delivered.
          let codes: Set<PostgresError.Code> =
            name.hasPrefix("stall") ? [.answerTimeout, .connectionFailed] : [.connectionLost]
          try Self.check(codes.contains(error.code), "message \(step): \(error)")
        }
      }
      let count = try ModelContext(Self.container(configuration)).fetchCount(FetchDescriptor<DiffLabel>())
      try Self.check(count == 10, "\(count) of 10 rows")
    }
    #expect(findings.isEmpty)
  }

  /// A store is created completely or not at all. Opening it again succeeds.
  @Test func storesAreOpenedWithFaults() throws {
    let seed = SeededGenerator.seed("storesAreOpenedWithFaults")
    let server = try PostgresServer.shared.get()
    let findings = Self.everyAction { name, action, lane, lanes in
      var generator = SeededGenerator(seed: seed &+ UInt64(lane))
      let proxy = try ProtocolProxy(to: server)
      defer { proxy.stop() }
      _ = try Self.container(Self.configuration(server, proxy))
      let messages = proxy.trace.count
      for round in 0..<((Repetitions.isThorough ? 12 : 4) / lanes) {
        let configuration = Self.configuration(server, proxy)
        // Start with messages that set up the connection, then use any message that creates the tables. If the latter
        // stalls, the server keeps the lock for opening until it notices that the client is gone.
        let isOfConnection = name.hasPrefix("stall") || round < (Repetitions.isThorough ? 4 : 2)
        let step = isOfConnection ? round * 3 + lane : Int.random(in: 0..<messages, using: &generator)
        for _ in 0..<2 {
          _ = try Self.run(proxy, step, action) { _ = try Self.container(Self.limited(configuration, name)) }
        }
        let context = ModelContext(try Self.container(configuration))
        context.insert(DiffLabel(text: "after", rows: []))
        try context.save()
        let count = try context.fetchCount(FetchDescriptor<DiffLabel>())
        try Self.check(count == 1, "message \(step): \(count) rows in a new store")
      }
    }
    #expect(findings.isEmpty)
  }

  /// Timeouts of less than a second are respected, both for responses and for connections.
  @Test(arguments: [true, false]) func shortLimitsHold(isConnected: Bool) throws {
    let server = try PostgresServer.shared.get()
    let proxy = try ProtocolProxy(to: server, .tcp)
    defer { proxy.stop() }
    var configuration = Self.configuration(server, proxy)
    if isConnected {
      _ = try PostgresStore(configuration)
      configuration.timeouts.answer = .milliseconds(300)
      let limited = configuration
      let store = try Self.insisting { try PostgresStore(limited) }
      proxy.setRule { _ in .stall }
      let begun = ContinuousClock.now
      #expect {
        try store.fetchCount(DataStoreFetchRequest<DiffLabel>(descriptor: .init(), editingState: EditingState()))
      } throws: {
        ($0 as? PostgresError)?.code == .answerTimeout
      }
      #expect(begun.duration(to: .now) < .seconds(20))
    } else {
      proxy.setRule { _ in .stall }
      configuration.timeouts.connection = .milliseconds(50)
      let begun = ContinuousClock.now
      #expect {
        try PostgresStore(configuration)
      } throws: {
        ($0 as? PostgresError)?.code == .connectionFailed
      }
      #expect(begun.duration(to: .now) < .seconds(20))
    }
  }

  /// When the timeout for one host expires, the next host in the list is tried.
  @Test func theNextHostIsTried() throws {
    let server = try PostgresServer.shared.get()
    let stalled = try ProtocolProxy(to: server, .tcp) { _ in .stall }
    defer { stalled.stop() }
    let port = try #require(stalled.url().split(separator: " ").first { $0.hasPrefix("port=") }).dropFirst(5)
    var configuration = PostgresConfiguration(
      url: "host=127.0.0.1,\(server.folder.path) port=\(port),5432 user=trellis dbname=postgres")
    configuration.schemaName = server.configuration().schemaName
    configuration.schema = Self.schema
    configuration.timeouts.connection = .milliseconds(500)
    let limited = configuration
    let store = try Self.insisting { try PostgresStore(limited) }
    #expect(
      try store.fetchCount(DataStoreFetchRequest<DiffLabel>(descriptor: .init(), editingState: EditingState())) == 0)
    #expect(stalled.connectionCount > 0)
  }

  /// An error that the proxy sends has the same consequences as a server error.
  @Test func aRejectedStatementFailsItsTransaction() throws {
    let server = try PostgresServer.shared.get()
    let proxy = try ProtocolProxy(to: server)
    defer { proxy.stop() }
    let container = try ModelContainer(for: Self.schema, configurations: [Self.configuration(server, proxy)])
    proxy.setRule { message in
      message.sql?.contains("INSERT") == true ? .reject(sqlState: "53100", "could not extend file") : .forward
    }
    let context = ModelContext(container)
    context.insert(DiffLabel(text: "rejected", rows: []))
    #expect {
      try context.save()
    } throws: {
      let error = $0 as? PostgresError
      return error?.sqlState == "53100" && error?.message == "could not extend file"
    }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<DiffLabel>()) == 0)
    proxy.setRule { _ in .forward }
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<DiffLabel>()) == 1)
  }
}

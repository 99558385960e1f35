import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// A store's connection pool with many callers and few connections.
@Suite(.waiting) struct PoolTests {
  private static let schema = Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self])

  private actor Writer: ModelActor {
    nonisolated let modelExecutor: any ModelExecutor

    init(_ container: ModelContainer) { modelExecutor = DefaultSerialModelExecutor(modelContainer: container) }

    func write(_ text: String, _ done: @Sendable () -> Void = {}) throws {
      try PoolTests.write(text, modelContext)
      done()
    }
  }

  /// Saves a label, changes it in another save, and reads it.
  private static func write(_ text: String, _ context: ModelContext) throws {
    let label = DiffLabel(text: text, rows: [])
    context.insert(label)
    try context.save()
    let changed = text + "!"
    label.text = changed
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<DiffLabel>(predicate: #Predicate { $0.text == changed })) == 1)
  }

  /// A hundred actors and a hundred background tasks share eight connections. A deadlock would cause errors, because
  /// every wait for a connection has a time limit.
  @Test func actorsAndTasksShareEightConnections() async throws {
    let server = try PostgresServer.shared.get()
    let proxy = try ProtocolProxy(to: server)
    defer { proxy.stop() }
    var configuration = PostgresConfiguration(url: proxy.url())
    configuration.schemaName = server.configuration().schemaName
    configuration.poolSize = 8
    configuration.timeouts.pool = .seconds(120)
    let container = try ModelContainer(for: Self.schema, configurations: [configuration])
    let waits = Shared<[Duration]>([])
    let begun = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<200 {
        // Called on the context's thread, because other tests may keep this task from continuing.
        @Sendable func done() { waits.withLock { $0.append(begun.duration(to: .now)) } }
        group.addTask {
          if task % 2 == 0 {
            try await Writer(container).write("\(task)", done)
          } else {
            try await container.performBackgroundTask {
              try Self.write("\(task)", $0)
              done()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let labels = try ModelContext(container).fetch(FetchDescriptor<DiffLabel>())
    #expect(Set(labels.map(\.text)) == Set((0..<200).map { "\($0)!" }) && labels.count == 200)
    #expect(proxy.connectionCount <= 8)
    let sorted = waits.withLock { $0.sorted() }
    print("200 tasks, 8 connections: half done after \(sorted[99]), all after \(sorted[199])")
  }

  /// Calls that wait for the only connection receive it in the order in which they began to wait.
  @Test func callsWaitInOrder() throws {
    var configuration = try PostgresServer.shared.get().configuration()
    configuration.poolSize = 1
    configuration.schema = Self.schema
    configuration.timeouts.pool = .seconds(120)
    let store = try PostgresStore(configuration)
    let (isHeld, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread {
      try? store.readingOneState {
        isHeld.signal()
        isOver.wait()
      }
    }.start()
    isHeld.wait()
    let order = Shared<[Int]>([])
    let ends = DispatchGroup()
    for number in 0..<50 {
      ends.enter()
      Thread {
        try? store.readingOneState { order.withLock { $0.append(number) } }
        ends.leave()
      }.start()
      let end = ContinuousClock.now + .seconds(60)
      while store.waitingCalls <= number, ContinuousClock.now < end { usleep(200) }
      #expect(store.waitingCalls == number + 1)
    }
    isOver.signal()
    ends.wait()
    #expect(order.withLock { $0 } == Array(0..<50))
    #expect(store.waitingCalls == 0)
  }

  /// Threads that repeatedly take connections each receive a similar number of them, because no thread overtakes a
  /// waiting one.
  @Test func noCallerStarves() throws {
    var configuration = try PostgresServer.shared.get().configuration()
    configuration.poolSize = 4
    configuration.schema = Self.schema
    configuration.timeouts.pool = .seconds(120)
    let store = try PostgresStore(configuration)
    let counts = Shared([Int](repeating: 0, count: 32))
    let isOver = Shared(false)
    let errors = Shared<[String]>([])
    let ends = DispatchGroup()
    for thread in 0..<32 {
      ends.enter()
      Thread {
        defer { ends.leave() }
        while !isOver.withLock({ $0 }) {
          do {
            _ = try store.readingOneState { usleep(500) }
          } catch {
            return errors.withLock { $0.append("\(error)") }
          }
          counts.withLock { counts in
            counts[thread] += 1
            if counts[thread] == 100 { isOver.withLock { $0 = true } }
          }
        }
      }.start()
    }
    ends.wait()
    let sorted = counts.withLock { $0.sorted() }
    #expect(errors.withLock { $0 } == [])
    // A thread that was not scheduled for some time receives fewer connections.
    #expect(sorted[0] >= 20, "\(sorted)")
    print("32 threads, 4 connections: from \(sorted[0]) to \(sorted[31]) turns")
  }

  /// All connections hang, and more calls wait for them than there are cooperative threads. Other tasks still make
  /// progress.
  ///
  /// On Linux, each priority has as many threads as there are processors. Other tests block the threads of their
  /// priority, so these tasks use a different one.
  @Test func waitingCallsDoNotBlockCooperativeThreads() async throws {
    let server = try PostgresServer.shared.get()
    let proxy = try ProtocolProxy(to: server)
    defer { proxy.stop() }
    var configuration = PostgresConfiguration(url: proxy.url())
    configuration.schemaName = server.configuration().schemaName
    configuration.poolSize = 2
    configuration.timeouts.pool = .seconds(1_200)
    configuration.timeouts.answer = .seconds(1_200)
    let container = try ModelContainer(for: Self.schema, configurations: [configuration])
    let gate = DispatchSemaphore(value: 0)
    let stopped = Shared(0)
    // The proxy's threads wait, so the server receives nothing.
    proxy.setRule { _ in
      stopped.withLock { $0 += 1 }
      gate.wait()
      gate.signal()
      return .forward
    }
    // Ends the test if it hangs.
    let isRescued = Shared(false)
    let isOver = Shared(false)
    Thread {
      let end = ContinuousClock.now + .seconds(600)
      while ContinuousClock.now < end, !isOver.withLock({ $0 }) { usleep(20_000) }
      isRescued.withLock { $0 = !isOver.withLock { $0 } }
      gate.signal()
    }.start()
    let count = max(32, 4 * ProcessInfo.processInfo.activeProcessorCount)
    try await Task(priority: .high) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<count {
          group.addTask {
            if task % 2 == 0 {
              try await Writer(container).write("\(task)")
            } else {
              try await container.performBackgroundTask { try Self.write("\(task)", $0) }
            }
          }
        }
        while stopped.withLock({ $0 }) == 0, !isRescued.withLock({ $0 }) {
          try await Task.sleep(for: .milliseconds(10))
        }
        let sum = await withTaskGroup(of: Int.self) { others in
          for number in 0..<200 {
            others.addTask {
              for _ in 0..<10 { await Task.yield() }
              return number
            }
          }
          return await others.reduce(0, +)
        }
        #expect(sum == 19_900)
        #expect(!isRescued.withLock { $0 }, "the tasks have not run while calls waited for connections")
        isOver.withLock { $0 = true }
        try await group.waitForAll()
      }
    }.value
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<DiffLabel>()) == count)
  }
}

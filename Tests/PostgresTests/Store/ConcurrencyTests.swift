import Foundation
import PostgresSupport
import TestSupport
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Several tasks and containers that use the same store.
@Suite struct ConcurrencyTests {
  private static func container(_ configuration: PostgresConfiguration) throws -> ModelContainer {
    try ModelContainer(
      for: Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self]),
      configurations: [configuration])
  }

  private static func group(_ number: Int) -> DiffGroup {
    DiffGroup(number: number, title: "", rank: 0, flag: false, parent: nil, rows: [])
  }

  /// Each task changes a different property of the same row. With ``ConflictPolicy/overwrite``, all changes are saved.
  @Test func changesOfDifferentPropertiesAreAllSaved() async throws {
    let configuration = try PostgresServer.shared.get().configuration()
    let containers = try (0..<2).map { _ in try Self.container(configuration) }
    let context = ModelContext(containers[0])
    context.insert(Self.group(1))
    try context.save()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for round in 1...10 {
            try await containers[task % 2].performBackgroundTask { context in
              guard let model = try context.fetch(FetchDescriptor<DiffGroup>()).first else { return }
              switch task {
              case 0: model.number = round
              case 1: model.title = "\(round)"
              case 2: model.rank = round
              default: model.flag = round % 2 == 0
              }
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let fresh = ModelContext(containers[1])
    let model = try #require(fresh.fetch(FetchDescriptor<DiffGroup>()).first)
    #expect(model.number == 10 && model.title == "10" && model.rank == 10 && model.flag)
  }

  /// A context sees what another program has saved: new values of its models, new list members, and deleted rows.
  @Test func contextsFollowOtherPrograms() throws {
    let configuration = try PostgresServer.shared.get().configuration()
    let (mine, others) = (
      ModelContext(try Self.container(configuration)), ModelContext(try Self.container(configuration))
    )
    let parent = Self.group(1)
    mine.insert(parent)
    mine.insert(Self.group(2))
    try mine.save()
    let theirs = try #require(others.fetch(FetchDescriptor<DiffGroup>(sortBy: [SortDescriptor(\.number)])).first)
    theirs.title = "changed"
    others.delete(try #require(others.fetch(FetchDescriptor<DiffGroup>(sortBy: [SortDescriptor(\.number)])).last))
    others.insert(Self.group(3))
    try others.save()
    let seen = try mine.fetch(FetchDescriptor<DiffGroup>(sortBy: [SortDescriptor(\.number)]))
    #expect(seen.map(\.number) == [1, 3])
    #expect(parent.title == "changed" && seen.first === parent)
    // If the server cannot evaluate a predicate, the context evaluates it with the new values.
    #expect(try mine.fetchCount(FetchDescriptor<DiffGroup>(predicate: #Predicate { $0.title.contains("hang") })) == 1)
    parent.title = "mine"
    try mine.save()
    #expect(try others.fetch(FetchDescriptor<DiffGroup>()).contains { $0.title == "mine" } && theirs.title == "mine")
  }

  /// Programs that open a new store at the same time create its tables only once.
  @Test func oneProgramCreatesTheTables() throws {
    let server = try PostgresServer.shared.get()
    for _ in 0..<3 {
      let configuration = server.configuration()
      let errors = Shared<[String]>([])
      let ends = DispatchGroup()
      for _ in 0..<6 {
        ends.enter()
        Thread {
          do {
            _ = try Self.container(configuration)
          } catch {
            errors.withLock { $0.append("\(error)") }
          }
          ends.leave()
        }.start()
      }
      ends.wait()
      #expect(errors.withLock { $0 } == [])
    }
  }

  /// 200 tasks share eight connections.
  @Test func manyTasksShareFewConnections() async throws {
    var configuration = try PostgresServer.shared.get().configuration()
    configuration.poolSize = 8
    let container = try Self.container(configuration)
    let waits = Shared<[Duration]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<200 {
        group.addTask {
          let begun = ContinuousClock.now
          try await container.performBackgroundTask { context in
            context.insert(Self.group(task))
            try context.save()
            let wanted = FetchDescriptor<DiffGroup>(predicate: #Predicate { $0.number == task })
            #expect(try context.fetchCount(wanted) == 1)
          }
          waits.withLock { $0.append(begun.duration(to: .now)) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<DiffGroup>()) == 200)
    let sorted = waits.withLock { $0.sorted() }
    print("200 tasks: median \(sorted[100]), longest \(sorted[199])")
  }

  /// If no connection becomes free in time, the call throws a typed error.
  @Test func waitingForAConnectionTimesOut() throws {
    var configuration = try PostgresServer.shared.get().configuration()
    configuration.poolSize = 1
    configuration.timeouts.pool = .milliseconds(50)
    configuration.schema = Schema([DiffGroup.self, DiffRow.self, DiffOwner.self, DiffPart.self, DiffLabel.self])
    let store = try PostgresStore(configuration)
    let (isHeld, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let holder = Thread {
      _ = try? store.readingOneState {
        isHeld.signal()
        isOver.wait()
      }
    }
    holder.start()
    isHeld.wait()
    defer { isOver.signal() }
    #expect {
      try store.fetchCount(DataStoreFetchRequest<DiffGroup>(descriptor: .init(), editingState: EditingState()))
    } throws: {
      ($0 as? PostgresError)?.code == .poolTimeout
    }
  }

  /// The server closes connections at arbitrary times. Each save is applied once or not at all, and no acknowledged
  /// save is lost.
  @Test func savesSurviveLostConnections() async throws {
    let server = try PostgresServer()
    let container = try Self.container(server.configuration())
    let acknowledged = Shared<Set<Int>>([])
    let isOver = Shared(false)
    let killer = Thread {
      while !isOver.withLock({ $0 }) {
        _ = try? server.psql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'trellis'"
        )
        // Allow a few saves before closing the connections again, even on a slow machine, because a save is not retried
        // forever.
        let before = acknowledged.withLock { $0.count }
        let end = ContinuousClock.now + .seconds(1)
        while acknowledged.withLock({ $0.count }) < before + 2, ContinuousClock.now < end, !isOver.withLock({ $0 }) {
          usleep(1_000)
        }
      }
    }
    killer.start()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for round in 0..<100 {
            let number = task * 1_000 + round
            let isSaved = try? await container.performBackgroundTask { context in
              for _ in 0..<3 { context.insert(DiffLabel(text: "\(number)", rows: [])) }
              try context.save()
              return true
            }
            if isSaved == true { _ = acknowledged.withLock { $0.insert(number) } }
          }
        }
      }
    }
    isOver.withLock { $0 = true }
    while !killer.isFinished { try await Task.sleep(for: .milliseconds(10)) }
    var counts: [Int: Int] = [:]
    for label in try ModelContext(container).fetch(FetchDescriptor<DiffLabel>()) {
      counts[Int(label.text) ?? -1, default: 0] += 1
    }
    let known = acknowledged.withLock { $0 }
    #expect(known.count > 200)
    #expect(counts.values.allSatisfy { $0 == 3 }, "a save was applied in part or twice")
    #expect(known.allSatisfy { counts[$0] == 3 }, "an acknowledged save is lost")
    print("\(known.count) of 400 saves were acknowledged, \(counts.count) applied")
  }
}

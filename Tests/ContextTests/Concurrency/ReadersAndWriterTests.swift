import Foundation
import Synchronization
import Testing
import Trellis

/// Concurrent readers see complete saves of a writer: transfers between accounts keep the total.
@Suite(.timeLimit(.minutes(60))) struct ReadersAndWriterTests {
  private static let accounts = 20
  private static let total = accounts * 100

  private func filled(onDisk: Bool) throws -> (Stage, [PersistentIdentifier]) {
    let stage = try Stage(onDisk: onDisk)
    let context = stage.context()
    let accounts = (0..<Self.accounts).map { Account(owner: "\($0)", balance: 100) }
    accounts.forEach(context.insert)
    try context.save()
    return (stage, accounts.map(\.persistentModelID))
  }

  /// Transfers money with one save for each transfer, then sets the flag.
  private static func write(
    _ container: ModelContainer, _ ids: [PersistentIdentifier], saves: Int, _ isOver: StopFlag
  ) throws {
    defer { isOver.raise() }
    let context = ModelContext(container)
    for number in 0..<saves {
      let from = ids[number % ids.count]
      let to = ids[(number * 7 + 3) % ids.count]
      guard let giver = context.model(for: from) as? Account,
        let taker = context.model(for: to) as? Account
      else { continue }
      giver.balance -= 10
      taker.balance += 10
      try context.save()
    }
  }

  @Test(arguments: [false, true])
  func readersSeeOnlyCompleteSaves(onDisk: Bool) async throws {
    let (stage, ids) = try filled(onDisk: onDisk)
    let container = stage.container
    let isOver = StopFlag()
    let reads = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try Self.write(container, ids, saves: 150, isOver) }
      for reader in 0..<6 {
        group.addTask {
          let own = ModelContext(container)
          repeat {
            // One new context and one context that is refreshed by the saves of the writer.
            for context in [own, ModelContext(container)] {
              let all = try context.fetch(FetchDescriptor<Account>())
              let sum = all.reduce(0) { $0 + $1.balance }
              #expect(sum == Self.total || context === own, "reader \(reader)")
              #expect(all.count == Self.accounts)
            }
            #expect(try own.fetchCount(FetchDescriptor<Account>()) == Self.accounts)
            reads.add()
            await Task.yield()
          } while !isOver.isRaised
          // After the last save, the refreshed context agrees with the store.
          let sum = try own.fetch(FetchDescriptor<Account>()).reduce(0) { $0 + $1.balance }
          #expect(sum == Self.total)
        }
      }
      try await group.waitForAll()
    }
    #expect(reads.count >= 6)
  }

  @Test(arguments: [false, true])
  func observersFollowAWriterDuringConcurrentReads(onDisk: Bool) async throws {
    let (stage, ids) = try filled(onDisk: onDisk)
    let container = stage.container
    let isOver = StopFlag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try Self.write(container, ids, saves: 80, isOver) }
      for _ in 0..<3 {
        let watcher = Watcher(container)
        group.addTask { try await watcher.watch(until: isOver, total: Self.total) }
      }
      for _ in 0..<2 {
        group.addTask {
          repeat {
            _ = try ModelContext(container).fetch(FetchDescriptor<Account>())
            await Task.yield()
          } while !isOver.isRaised
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(arguments: [false, true])
  func writersInManyTasksLoseNoUpdates(onDisk: Bool) async throws {
    let stage = try Stage(onDisk: onDisk)
    let container = stage.container
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          let context = ModelContext(container)
          for round in 0..<10 {
            let band = Band(name: "\(writer)-\(round)")
            band.gigs = [Gig(city: "Oslo"), Gig(city: "Bergen")]
            context.insert(band)
            try context.save()
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    let context = stage.context()
    #expect(try context.fetchCount(FetchDescriptor<Band>()) == 80)
    let gigs = try context.fetch(FetchDescriptor<Gig>())
    #expect(gigs.count == 160 && gigs.allSatisfy { $0.band != nil })
    #expect(Set(gigs.map(\.persistentModelID)).count == 160)
  }
}

/// A thread-safe flag.
final class StopFlag: Sendable {
  private let state = Atomic<Bool>(false)
  func raise() { state.store(true, ordering: .releasing) }
  var isRaised: Bool { state.load(ordering: .acquiring) }
}

/// A thread-safe counter.
final class Counter: Sendable {
  private let value = Atomic<Int>(0)
  func add() { value.wrappingAdd(1, ordering: .relaxed) }
  var count: Int { value.load(ordering: .relaxed) }
}

/// An actor with an observer of all accounts.
private actor Watcher: ModelActor {
  nonisolated let modelExecutor: any ModelExecutor
  private var observer: ResultsObserver<Account, Never>?

  init(_ container: ModelContainer) {
    modelExecutor = DefaultSerialModelExecutor(modelContainer: container)
  }

  func watch(until isOver: StopFlag, total: Int) async throws {
    let observer = try ResultsObserver<Account, Never>(
      sortBy: [SortDescriptor(\.balance), SortDescriptor(\.owner)], modelContext: modelContext)
    self.observer = observer
    while !isOver.isRaised {
      #expect(observer.results.count == 20)
      await Task.yield()
    }
    // The last commit is observed automatically, including the order.
    let accounts = try ModelContext(modelContainer).fetch(
      FetchDescriptor<Account>(sortBy: [SortDescriptor(\.balance), SortDescriptor(\.owner)]))
    let expected = accounts.map { "\($0.owner) \($0.balance)" }
    func seen() -> [String] { observer.results.map { "\($0.owner) \($0.balance)" } }
    for _ in 0..<12_000 where seen() != expected { try await Task.sleep(for: .milliseconds(5)) }
    #expect(seen() == expected)
    #expect(observer.results.reduce(0) { $0 + $1.balance } == total)
    #expect(observer.fetchError == nil)
  }
}

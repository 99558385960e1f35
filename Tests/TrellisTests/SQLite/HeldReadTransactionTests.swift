import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Trellis

/// A read transaction that stays open between queries must not return old data and must not block other connections.
@Suite struct HeldReadTransactionTests {
  private let fixture: StoreFixture
  private let store: DefaultStore
  private let trace = StatementLog()

  init() throws {
    fixture = try StoreFixture(Journey.self)
    var configuration = ModelConfiguration(schema: fixture.schema, url: fixture.url)
    configuration.trace = trace.add
    store = try DefaultStore(configuration)
  }

  private func count() throws -> Int {
    try store.fetchCount(
      DataStoreFetchRequest<Journey>(
        descriptor: FetchDescriptor(), editingState: StoreFixture.context))
  }

  /// Runs queries in quick succession until a transaction stays open.
  private func keepAsking() throws {
    trace.removeAll()
    for _ in 0..<10_000 {
      _ = try count()
      if trace.statements.contains("BEGIN") { return }
    }
    Issue.record("no transaction stayed open")
  }

  @Test func questionsThatFollowEachOtherShareATransaction() throws {
    try keepAsking()
    trace.removeAll()
    for _ in 0..<100 { _ = try count() }
    // None or, after a pause of the machine, a few.
    #expect(trace.statements.filter { $0 == "BEGIN" }.count < 50)
    #expect(trace.statements.count { $0.hasPrefix("SELECT COUNT") } == 100)
  }

  @Test func everyCommitIsSeenByTheNextQuestion() throws {
    let other = try fixture.open()
    for number in 0..<300 {
      // Alternate between a writer of this store and a writer of another container.
      let writer = number % 2 == 0 ? other : store
      try writer.save(insert: [Journey.Snapshot().snapshot()])
      for _ in 0...number % 4 { #expect(try count() == number + 1) }
    }
  }

  @Test func aCommitOfAnotherProcessIsSeenByTheNextQuestion() throws {
    for number in 0..<5 {
      try keepAsking()
      #expect(try count() == number)
      #expect(
        try fixture.shell(
          """
          INSERT INTO "Journey" ("id", "name", "start", "budget", "isFavorite")
          VALUES (\(number + 1), '', 0.0, 0.0, 0)
          """) == "")
      #expect(try count() == number + 1)
    }
  }

  @Test func aWriterFindsNoReaderThatNobodyNeeds() throws {
    for _ in 0..<20 {
      try store.save(insert: [Journey.Snapshot().snapshot()])
      try keepAsking()
      let answer = try store.pool.exclusively { try $0.rows("PRAGMA wal_checkpoint(TRUNCATE)") }
      #expect(answer.first?.first == .integer(0))
    }
  }

  /// A periodic check of the connections does not retain the store.
  @Test func whoLetsGoOfAStoreFindsItClosed() throws {
    let fixture = try StoreFixture(Journey.self)
    let request = DataStoreFetchRequest<Journey>(
      descriptor: FetchDescriptor(), editingState: StoreFixture.context)
    for round in 0..<Repetitions.scaled(60, upTo: 300) {
      do {
        let store = try fixture.open()
        try store.save(insert: [Journey.Snapshot().snapshot()])
        for _ in 0..<20 { #expect(try store.fetchCount(request) == round + 1) }
        usleep(14_000 + UInt32(round % 30) * 100)
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["test.store"], "round \(round)")
    }
  }

  @Test func otherProcessesWaitForAMomentOnly() throws {
    try store.save(insert: [Journey.Snapshot().snapshot()])
    try keepAsking()
    let answer = try fixture.shell("PRAGMA busy_timeout = 60000; PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(answer.hasSuffix("0|0|0"))
    #expect(try count() == 1)
  }

  @Test func theLogDoesNotGrowBesideAReaderThatNeverRests() async throws {
    try store.save(insert: [Journey.Snapshot().snapshot()])
    let (store, url) = (store, fixture.url)
    let count = Repetitions.isThorough ? 1_200 : 300
    let text = String(repeating: "x", count: 60_000_000 / count)
    let large = Journey.Snapshot().with { $0.name = text }.snapshot()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let request = DataStoreFetchRequest<Journey>(
          descriptor: FetchDescriptor(), editingState: StoreFixture.context)
        while !Task.isCancelled {
          _ = try store.fetchCount(request)
          await Task.yield()
        }
      }
      // 60 MB. From 25 MB, a save waits until no reader uses older data. On a busy machine, the WAL can be reset only
      // once.
      for _ in 0..<count {
        try store.save(insert: [large])
        await Task.yield()
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    let log = FileStamp.size(url.path + "-wal")
    #expect(log < 45_000_000, "\(log)")
  }
}

private final class StatementLog: Sendable {
  private let recorded = Mutex<[String]>([])

  var statements: [String] { recorded.withLock { $0 } }

  func removeAll() { recorded.withLock { $0 = [] } }

  @Sendable func add(_ statement: TracedStatement) { recorded.withLock { $0.append(statement.sql) } }
}

import Foundation
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Automatic checkpoints must keep the write-ahead log short beside other connections, and every query must see every
/// earlier commit.
@Suite(.waiting) struct WriteAheadLogTests {
  private let fixture: StoreFixture
  private let store: DefaultStore

  init() throws {
    fixture = try StoreFixture(Journey.self)
    store = try fixture.open()
  }

  private var logSize: Int64 { FileStamp.size(fixture.url.path + "-wal") }

  private static let pageSize: Int64 = 4_096 + 24
  private static let request = DataStoreFetchRequest<Journey>(
    descriptor: FetchDescriptor(), editingState: StoreFixture.context)

  private func count() throws -> Int { try store.fetchCount(Self.request) }

  private static func journey(ofLength length: Int, named name: String = "") -> DefaultSnapshot {
    Journey.Snapshot().with { $0.name = name + String(repeating: "x", count: length) }.snapshot()
  }

  // MARK: The length of the log

  @Test func theLogIsResetWhileConnectionsSave() throws {
    let count = Repetitions.isThorough ? 3_000 : 500
    var longest: Int64 = 0
    for number in 0..<count {
      try store.save(insert: [Self.journey(ofLength: 30_000, named: "\(number) ")])
      longest = max(longest, logSize)
    }
    // Each save writes nine pages. The commit that finds 1,000 pages in the log runs a checkpoint, and the next commit
    // starts at the beginning of the log again.
    #expect(count * 9 > 4_000)
    #expect(longest < 1_050 * Self.pageSize, "\(longest)")
    #expect(try fixture.complaints() == "")
    #expect(try fixture.shell("SELECT count(*), count(DISTINCT name) FROM Journey") == "\(count)|\(count)")
  }

  @Test func theLogDoesNotGrowDuringShortReads() async throws {
    let (store, url) = (store, fixture.url)
    let count = Repetitions.isThorough ? 1_200 : 300
    let large = Self.journey(ofLength: 60_000_000 / count)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !Task.isCancelled {
          _ = try store.fetchCount(Self.request)
          await Task.yield()
        }
      }
      for _ in 0..<count {
        try store.save(insert: [large])
        await Task.yield()
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    // 60 MB were written. A read that begins before a commit prevents the reset after it, and the next commit tries again.
    let log = FileStamp.size(url.path + "-wal")
    #expect(log < 30_000_000, "\(log)")
  }

  /// A reader keeps the log. When it ends, the log is reset and truncated.
  @Test func theLogIsTruncatedAfterALongReader() throws {
    let reader = try Connection(fixture.url.path, .existing)
    try reader.execute("BEGIN")
    #expect(try reader.integers("SELECT count(*) FROM Journey") == [0])
    for _ in 0..<20 { try store.save(insert: [Self.journey(ofLength: 2_000_000)]) }
    #expect(logSize > 40_000_000)
    #expect(try reader.integers("SELECT count(*) FROM Journey") == [0])
    try reader.execute("COMMIT")
    for _ in 0..<3 { try store.save(insert: [Self.journey(ofLength: 1)]) }
    #expect(logSize == 16 << 20)
    #expect(try count() == 23)
    #expect(try fixture.complaints() == "")
  }

  @Test func theLogIsResetDespiteAWriterInAnotherProcess() throws {
    let rows = 300
    let shell = SQLiteShell(fixture.url)
    let insertion = #"INSERT INTO "Tag" ("text") VALUES (hex(randomblob(15000)));"#
    let sql = "PRAGMA busy_timeout = 60000; " + String(repeating: insertion, count: rows)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      #expect(throws: Never.self) { try shell.run(sql) }
      done.signal()
    }
    var longest: Int64 = 0
    for _ in 0..<rows {
      try store.save(insert: [Self.journey(ofLength: 30_000)])
      longest = max(longest, logSize)
    }
    done.wait()
    // 5,400 pages. The other process does not truncate the log.
    #expect(longest < 3_000 * Self.pageSize, "\(longest)")
    #expect(try fixture.shell("SELECT (SELECT count(*) FROM Journey), (SELECT count(*) FROM Tag)") == "\(rows)|\(rows)")
    #expect(try fixture.complaints() == "")
  }

  @Test func closingAStoreLeavesNoLog() throws {
    let fixture = try StoreFixture(Journey.self)
    let count = Repetitions.scaled(10, upTo: 40)
    for number in 1...count {
      do {
        let store = try fixture.open()
        // A large save ends with a checkpoint, a small one does not.
        try store.save(insert: [Self.journey(ofLength: number % 2 == 0 ? 1_200 * 4_096 : 1)])
        #expect(try store.fetchCount(Self.request) == number)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["test.store"])
    }
  }

  // MARK: Reading

  @Test func theNextQuerySeesEveryCommit() throws {
    let other = try fixture.open()
    for number in 0..<300 {
      // Alternate between a writer of this store and a writer of another container.
      let writer = number % 2 == 0 ? other : store
      try writer.save(insert: [Journey.Snapshot().snapshot()])
      for _ in 0...number % 4 { #expect(try count() == number + 1) }
    }
  }

  @Test func theNextQuerySeesACommitOfAnotherProcess() throws {
    for number in 0..<5 {
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

  /// No read transaction remains after a query.
  @Test func idleReadersDoNotBlockCheckpointsOfOtherProcesses() throws {
    try store.save(insert: [Journey.Snapshot().snapshot()])
    for _ in 0..<100 { #expect(try count() == 1) }
    #expect(try fixture.shell("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0")
    #expect(try count() == 1)
  }
}

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct StoreConcurrencyTests {
  @Test func twoStoresForOneFileNeverAssignAKeyTwice() throws {
    let fixture = try StoreFixture(Journey.self)
    let one = try fixture.open()
    let other = try fixture.open()
    var keys: [Int64] = []
    for round in 0..<20 {
      for store in [one, other] {
        let snapshots = (0...round % 5).map { _ in Journey.Snapshot().snapshot() }
        keys += try store.save(insert: snapshots).compactMap(\.row)
      }
    }
    #expect(Set(keys).count == keys.count)
    let last = try #require(keys.max())
    let all = try one.values(Journey.Snapshot.self)
    try one.save(delete: all.map { $0.snapshot() })
    let saved = try fixture.open().save(insert: [Journey.Snapshot().snapshot()])
    let next = try #require(saved[0].row)
    #expect(next > last)
  }

  @Test func keysOfExternallyWrittenRowsAreSkipped() throws {
    let fixture = try StoreFixture(Journey.self)
    _ = try fixture.open()
    _ = try fixture.shell(#"INSERT INTO "Tag" ("id", "text") VALUES (50, 'theirs')"#)
    let saved = try fixture.open().save(insert: [Tag.Snapshot().snapshot()])
    #expect(saved[0].row == 51)
    _ = try fixture.shell(#"INSERT INTO "Tag" ("id", "text") VALUES (9223372036854775807, '')"#)
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try fixture.open().save(insert: [Tag.Snapshot().snapshot()])
    }
  }

  @Test func readersSeeCompleteSavesDuringConcurrentWrites() async throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    let isDone = Flag()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var fetches = 0
          var last = 0
          while !isDone.isSet || fetches == 0 {
            let count = try store.values(Journey.Snapshot.self).count
            #expect(count % 10 == 0 && count >= last)
            last = count
            fetches += 1
            await Task.yield()
          }
          return fetches
        }
      }
      group.addTask {
        defer { isDone.set() }
        for _ in 0..<50 {
          try store.save(insert: (0..<10).map { _ in Journey.Snapshot().snapshot() })
          await Task.yield()
        }
        return 0
      }
      for try await _ in group {}
    }
    #expect(try store.values(Journey.Snapshot.self).count == 500)
    #expect(try fixture.complaints() == "")
  }

  @Test func killedTransactionsLeaveNothing() throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    try store.save(insert: [Journey.Snapshot().snapshot()])
    // The other process is killed during its transaction, with changes in the WAL.
    try SQLiteShell(fixture.url).runAndKill(
      """
      PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;
      UPDATE trellis_metadata SET value = 100 WHERE key = 'next Journey';
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO "Journey" ("id", "name", "start", "budget", "isFavorite")
      SELECT i, hex(randomblob(500)), 0.0, 0.0, 0 FROM n;
      """)
    #expect(try store.values(Journey.Snapshot.self).count == 1)
    let saved = try fixture.open().save(insert: [Journey.Snapshot().snapshot()])
    #expect(saved[0].row.map { $0 < 100 } == true)
    #expect(try fixture.complaints() == "")
  }

  @Test func aFullDiskChangesNothing() throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    try store.save(insert: [Journey.Snapshot().with { $0.name = "first" }.snapshot()])
    try store.pool.exclusively { try $0.execute("PRAGMA max_page_count = 60") }
    let large = (0..<100).map { _ in
      Journey.Snapshot().with { $0.name = String(repeating: "x", count: 10_000) }.snapshot()
    }
    let error = #expect(throws: SQLiteError.self) { try store.save(insert: large) }
    #expect(error?.code == .full)
    #expect(error?.sql?.hasPrefix("INSERT INTO \"Journey\"") == true)
    #expect(try store.values(Journey.Snapshot.self).map(\.name) == ["first"])
    #expect(try store.save(insert: [Journey.Snapshot().snapshot()]).map(\.row) == [2])
    #expect(try fixture.complaints() == "")
  }
}

private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

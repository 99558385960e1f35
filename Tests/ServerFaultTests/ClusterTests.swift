import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Stores in clusters: readers of a standby, and loss of the primary.
@Suite(.serialized, .waiting) struct ClusterTests {
  private static let schema = "shop"

  /// A standby does not know which transactions are still running on its primary. Readers of the standby must receive
  /// every transaction exactly once, and so must readers that use both servers with the same token.
  @Test func aStandbyMissesNoCommitAndReportsNoneTwice() async throws {
    let seed = SeededGenerator.seed()
    let primary = try PostgresServer()
    let writer = try ClusterProgram(Self.schema, on: primary)
    try writer.save("first")
    let standby = try PostgresServer(standbyOf: primary)
    let follower = try ClusterProgram(Self.schema, on: standby, allowsSave: false)
    let end = ContinuousClock.now + .seconds(Repetitions.scaled(1, upTo: 10))
    let writers = Shared(4)
    let late = Thread {
      // Takes a number early, and commits after transactions with higher numbers.
      while writers.withLock({ $0 }) > 0 {
        _ = try? primary.psql(
          """
          BEGIN; INSERT INTO shop.trellis_history ("save", "time", "bundle", "process", "changes")
          SELECT gen_random_uuid(), "time", "bundle", "process", "changes" FROM shop.trellis_history
          ORDER BY "id" LIMIT 1; SELECT pg_sleep(random() / 4); COMMIT
          """)
      }
    }
    late.start()
    var readers = try await withThrowingTaskGroup(of: ClusterReader?.self) { group in
      for task in 0..<4 {
        group.addTask {
          var round = 0
          while ContinuousClock.now < end || round < 50 {
            round += 1
            let text = "\(task).\(round)"
            try await writer.container.performBackgroundTask { context in
              context.insert(DiffLabel(text: text, rows: []))
              try context.save()
            }
          }
          writers.withLock { $0 -= 1 }
          return nil
        }
      }
      for number in 0..<2 {
        group.addTask {
          var random = SeededGenerator(seed: seed &+ UInt64(number))
          var reader = ClusterReader()
          while writers.withLock({ $0 }) > 0 {
            let usesPrimary = number == 1 && random.roll(2) == 0
            let limit = 1 + random.roll(30)
            reader = try await (usesPrimary ? writer : follower).container.performBackgroundTask { [reader] _ in
              var reader = reader
              try reader.read(usesPrimary ? writer : follower, limit: limit)
              return reader
            }
          }
          return reader
        }
      }
      return try await group.reduce(into: [ClusterReader]()) { if let reader = $1 { $0.append(reader) } }
    }
    while !late.isFinished { try await Task.sleep(for: .milliseconds(10)) }
    try standby.catchUp(with: primary)
    let wanted = try primary.psql("SELECT \"id\" FROM shop.trellis_history ORDER BY 1").split(separator: "\n").map {
      Int64($0) ?? 0
    }
    for index in readers.indices {
      while try readers[index].read(follower, limit: 100) > 0 {}
      #expect(readers[index].seen.count == Set(readers[index].seen).count, "reported twice, seed \(seed)")
      #expect(readers[index].seen.sorted() == wanted, "seed \(seed)")
    }
    print("a standby has reported \(wanted.count) transactions")
  }

  /// A reader continues on a standby that has not caught up with the token. The token contains transactions from the
  /// primary that the standby does not yet count as finished.
  @Test func aTokenOfThePrimaryContinuesOnAStandby() throws {
    let primary = try PostgresServer()
    let writer = try ClusterProgram(Self.schema, on: primary)
    try writer.save("first")
    let standby = try PostgresServer(standbyOf: primary)
    let follower = try ClusterProgram(Self.schema, on: standby, allowsSave: false)
    // A prepared transaction counts as running until it is committed.
    let copy = """
      INSERT INTO shop.trellis_history ("save", "time", "bundle", "process", "changes")
      SELECT gen_random_uuid(), "time", "bundle", "process", "changes" FROM shop.trellis_history WHERE "id" = 1
      """
    for name in ["a", "b"] { try primary.psql("BEGIN; \(copy); PREPARE TRANSACTION '\(name)'") }
    try writer.save("fourth")
    var token = try #require(try writer.transactions().last?.token)
    var seen: [Int64] = []
    for name in ["a", "b"] {
      try primary.psql("COMMIT PREPARED '\(name)'")
      try standby.catchUp(with: primary)
      while let page = try follower.transactions(since: token).last {
        seen += try follower.transactions(since: token).map(\.id)
        token = page.token
      }
    }
    #expect(seen == [2, 3])
    #expect(try follower.transactions().map(\.id) == [1, 2, 3, 4])
  }

  /// A context on a standby sees what the primary has saved, and cannot save.
  @Test func contextsOfAStandbyFollowThePrimary() throws {
    let primary = try PostgresServer()
    let writer = try ClusterProgram(Self.schema, on: primary)
    try writer.save("old")
    let standby = try PostgresServer(standbyOf: primary)
    let reader = try ClusterProgram(Self.schema, on: standby, allowsSave: false)
    let context = ModelContext(reader.container)
    let label = try #require(try context.fetch(FetchDescriptor<DiffLabel>()).first)
    let others = ModelContext(writer.container)
    try #require(try others.fetch(FetchDescriptor<DiffLabel>()).first).text = "new"
    try others.save()
    try standby.catchUp(with: primary)
    _ = try context.fetch(FetchDescriptor<DiffLabel>())
    #expect(label.text == "new")
    context.insert(DiffLabel(text: "mine", rows: []))
    #expect { try context.save() } throws: { "\($0)".contains("does not allow saving") }
    // The reader continues with the promoted server, before and after another program writes to it.
    try primary.kill()
    try standby.promote()
    #expect(try reader.texts() == ["new"])
    try ClusterProgram(Self.schema, on: standby).save("after")
    #expect(try reader.texts() == ["after", "new"])
    #expect(try reader.transactions().count == 3)
  }

  /// A lagging standby is promoted and assigns the numbers and IDs of the lost transactions to new transactions.
  @Test func lossOfUnreplicatedTransactionsIsDetected() throws {
    let primary = try PostgresServer()
    let program = try ClusterProgram(Self.schema, on: primary)
    try program.save("kept")
    let standby = try PostgresServer(standbyOf: primary)
    let survivor = try ClusterProgram(Self.schema, on: primary, standby)
    let context = ModelContext(survivor.container)
    let kept = try #require(try context.fetch(FetchDescriptor<DiffLabel>()).first)
    try standby.disconnect()
    kept.text = "lost change"
    try context.save()
    // More numbers than the server logs in advance for a sequence.
    for number in 0..<40 { try survivor.save("lost \(number)") }
    let tokens = try [
      survivor.latestToken(), survivor.transactions().last?.token, survivor.transactions().first?.token,
    ]
    let lost = try pairs(primary)
    try primary.kill()
    try standby.promote()
    let other = try ClusterProgram(Self.schema, on: standby)
    try other.save("another")
    // The notification after a save also uses a transaction ID.
    Thread.sleep(forTimeInterval: 0.2)
    let again = try #require(lost.last)
    let (number, xid) = (again.id, again.xid)
    try standby.psql(
      """
      SELECT nextval('shop.trellis_history_numbers') FROM
      generate_series((SELECT last_value FROM shop.trellis_history_numbers) + 1, \(number - 1))
      """)
    // Each iteration runs in its own transaction.
    try standby.psql(
      "DO $$ BEGIN WHILE pg_current_xact_id()::text::bigint < \(xid - 1) LOOP COMMIT; END LOOP; END $$")
    try other.save("other")
    #expect(try pairs(standby).contains { $0 == again }, "the test does not produce what it is about")
    // The models match the new primary.
    #expect(try survivor.texts() == ["another", "kept", "other"])
    _ = try context.fetch(FetchDescriptor<DiffLabel>())
    #expect(kept.text == "kept")
    for token in tokens {
      #expect { try survivor.transactions(since: token) } throws: { "\($0)".contains("earlier epoch") }
    }
    #expect(try survivor.transactions().last?.token.tokenValue?.values.first == number)
    let token = try #require(try survivor.latestToken())
    try other.save("later")
    #expect(try survivor.transactions(since: token).count == 1)
  }

  /// The number and transaction ID of each transaction.
  private func pairs(_ server: PostgresServer) throws -> [(id: Int64, xid: UInt64)] {
    try server.psql("SELECT \"id\", \"xid\" FROM shop.trellis_history ORDER BY 1").split(separator: "\n").map { line in
      let parts = line.split(separator: "|")
      return (Int64(parts[0]) ?? 0, UInt64(parts[1]) ?? 0)
    }
  }

  /// A program reserves row numbers. After a promotion, the new primary gives the same numbers to another program.
  @Test func rowNumbersAreNotReusedAfterAPromotion() throws {
    let primary = try PostgresServer()
    let program = try ClusterProgram(Self.schema, on: primary)
    let standby = try PostgresServer(standbyOf: primary)
    let survivor = try ClusterProgram(Self.schema, on: primary, standby)
    try standby.disconnect()
    try survivor.save("lost")
    _ = program
    try primary.kill()
    try standby.promote()
    let other = try ClusterProgram(Self.schema, on: standby)
    for number in 0..<20 { try other.save("other \(number)") }
    for number in 0..<20 { try survivor.save("survivor \(number)") }
    #expect(try other.texts().count == 40)
    #expect(try standby.psql("SELECT count(*) FROM shop.\"DiffLabel\"") == "40")
  }

  /// With synchronous replication, every acknowledged save survives the loss of the primary. No save is applied twice
  /// or only in part.
  @Test func synchronousReplicationLosesNothing() async throws {
    let primary = try PostgresServer()
    _ = try ClusterProgram(Self.schema, on: primary)
    let standby = try PostgresServer(standbyOf: primary, isSynchronous: true)
    let program = try ClusterProgram(Self.schema, on: primary, standby)
    let acknowledged = Shared<Set<String>>([])
    let isOver = Shared(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          for round in 0... {
            if isOver.withLock({ $0 }) { break }
            let text = "\(task).\(round)"
            do {
              try await program.container.performBackgroundTask { context in
                for _ in 0..<3 { context.insert(DiffLabel(text: text, rows: [])) }
                try context.save()
              }
              _ = acknowledged.withLock { $0.insert(text) }
            } catch {
              try await Task.sleep(for: .milliseconds(20))
            }
          }
        }
      }
      group.addTask {
        let latest = ContinuousClock.now + .seconds(60)
        while acknowledged.withLock({ $0.count }) < Repetitions.scaled(60, upTo: 600), ContinuousClock.now < latest {
          try await Task.sleep(for: .milliseconds(5))
        }
        let before = acknowledged.withLock { $0.count }
        try primary.kill()
        try standby.promote()
        let end = ContinuousClock.now + .seconds(60)
        while acknowledged.withLock({ $0.count }) < 2 * before, ContinuousClock.now < end {
          try await Task.sleep(for: .milliseconds(20))
        }
        isOver.withLock { $0 = true }
        #expect(before > 0 && acknowledged.withLock { $0.count } >= 2 * before, "the program has not gone on")
      }
      try await group.waitForAll()
    }
    var counts: [String: Int] = [:]
    for text in try ClusterProgram(Self.schema, on: standby).texts() { counts[text, default: 0] += 1 }
    let known = acknowledged.withLock { $0 }
    #expect(counts.values.allSatisfy { $0 == 3 }, "a save was applied in part or twice")
    #expect(known.filter { counts[$0] == nil }.isEmpty, "an acknowledged save is lost")
    print("\(known.count) saves were acknowledged, \(counts.count) applied")
  }

  /// A copy of the database keeps the history up to that time in the same order, and the original's tokens are expired.
  @Test func restoredCopiesStartANewEpoch() throws {
    let original = try PostgresServer()
    let program = try ClusterProgram(Self.schema, on: original)
    for number in 0..<5 { try program.save("\(number)") }
    let token = try #require(try program.latestToken())
    let before = try program.transactions().map(\.id)
    // The copy on the original's server replaces the original, so it is made last.
    let other = try PostgresServer()
    for target in [other, original] {
      try original.copy(Self.schema, to: target)
      try checkCopy(target, token, before)
    }
  }

  private func checkCopy(_ target: PostgresServer, _ token: DefaultHistoryToken, _ before: [Int64]) throws {
    let restored = try ClusterProgram(Self.schema, on: target)
    #expect(try restored.transactions().map(\.id) == before)
    #expect { try restored.transactions(since: token) } throws: { "\($0)".contains("earlier epoch") }
    // A context that has already read the history only reads what came after it.
    let context = ModelContext(restored.container)
    let label = try #require(try context.fetch(FetchDescriptor<DiffLabel>()).first)
    let middle = try restored.transactions()[2].token
    let latest = try #require(try restored.latestToken())
    let others = try ClusterProgram(Self.schema, on: target)
    try others.save("new")
    #expect(try restored.transactions(since: middle).map(\.id) == Array(before[3...]) + [before[4] + 1])
    #expect(try restored.transactions(since: latest).count == 1)
    #expect(try context.fetchCount(FetchDescriptor<DiffLabel>()) == 6 && label.text == "0")
  }
}

import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Server crashes. The server loses unflushed transactions and reuses their IDs.
@Suite(.waiting) struct CrashedServerTests {
  /// The process that crashes: one that serves a connection, so that the server recovers without a restart, or the
  /// whole server.
  enum Crash: CaseIterable { case connection, server }

  private static let schema = "shop"

  /// Settings that make the server write as late as possible, every ten seconds.
  private static let lazy = [
    "wal_writer_delay = '10s'", "autovacuum = off", "wal_level = minimal", "max_wal_senders = 0",
  ]

  /// Runs a body with such a server. Runs it again if the server happened to write just before its crash.
  ///
  /// - Parameter body: Returns false in that case.
  private static func withServer(_ settings: String..., body: (PostgresServer) throws -> Bool) throws {
    for _ in 0..<5 {
      if try body(PostgresServer(settings: lazy + settings)) { return }
    }
    Issue.record("the test does not produce what it is about")
  }

  private static func crash(_ crash: Crash, _ server: PostgresServer) throws {
    switch crash {
    case .server:
      try server.kill()
      try server.start()
    case .connection:
      let end = "SELECT pg_last_wal_replay_lsn()"
      let former = try server.psql(end)
      _ = try? server.psql("COPY (SELECT) TO PROGRAM 'kill -9 $PPID'")
      // The server may still serve connections until it notices the crash.
      let limit = ContinuousClock.now + .seconds(30)
      while (try? server.psql(end)) ?? former == former, ContinuousClock.now < limit { usleep(20_000) }
    }
  }

  private static func number(_ query: String, _ server: PostgresServer) throws -> UInt64 {
    try UInt64(server.psql(query)) ?? 0
  }

  private static let next = "SELECT pg_snapshot_xmax(pg_current_snapshot())"

  /// A context and a token have seen an aborted transaction. The server loses that transaction and commits another one
  /// with the same ID.
  @Test(arguments: Crash.allCases) func aCommitWithTheIDOfALostTransactionIsSeen(crash: Crash) throws {
    try Self.withServer { try isSeen(crash, $0) }
  }

  private func isSeen(_ crash: Crash, _ server: PostgresServer) throws -> Bool {
    let program = try ClusterProgram(Self.schema, on: server)
    try program.save("first")
    let context = ModelContext(program.container)
    let label = try #require(try context.fetch(FetchDescriptor<DiffLabel>()).first)
    // Wait for the transaction that sends the notification after the save.
    usleep(200_000)
    let xid = try Self.number(
      "BEGIN; UPDATE shop.\"DiffLabel\" SET \"text\" = 'aborted'; SELECT pg_current_xact_id(); ROLLBACK", server)
    _ = try context.fetch(FetchDescriptor<DiffLabel>())
    let token = try #require(try program.latestToken())
    try Self.crash(crash, server)
    guard try Self.number(Self.next, server) <= xid else { return false }
    #expect(try program.transactions(since: token).isEmpty)
    let other = ModelContext(try ClusterProgram(Self.schema, on: server).container)
    let theirs = try #require(try other.fetch(FetchDescriptor<DiffLabel>()).first)
    while try Self.number(Self.next, server) < xid { try server.psql("SELECT pg_current_xact_id()") }
    theirs.text = "new"
    try other.save()
    let last = try Self.number("SELECT \"xid\" FROM shop.trellis_history ORDER BY 1 DESC LIMIT 1", server)
    #expect(last == xid)
    #expect(try program.transactions(since: token).count == 1)
    _ = try context.fetch(FetchDescriptor<DiffLabel>())
    #expect(label.text == "new")
    label.text += "er"
    try context.save()
    #expect(try program.texts() == ["newer"])
    return true
  }

  /// With `synchronous_commit = off`, the server loses saves that were already visible.
  @Test(arguments: Crash.allCases) func lostSavesAreNoLongerVisible(crash: Crash) throws {
    try Self.withServer("synchronous_commit = off") { try areLost(crash, $0) }
  }

  private func areLost(_ crash: Crash, _ server: PostgresServer) throws -> Bool {
    let (program, other) = (
      try ClusterProgram(Self.schema, on: server), try ClusterProgram(Self.schema, on: server)
    )
    try program.save("first")
    let context = ModelContext(program.container)
    let label = try #require(try context.fetch(FetchDescriptor<DiffLabel>()).first)
    let first = try #require(try program.latestToken())
    try server.psql("CHECKPOINT")
    let theirs = ModelContext(other.container)
    try #require(try theirs.fetch(FetchDescriptor<DiffLabel>()).first).text = "lost"
    // This also uses row numbers that the server loses.
    theirs.insert(DiffLabel(text: "lost as well", rows: []))
    try theirs.save()
    _ = try context.fetch(FetchDescriptor<DiffLabel>())
    #expect(label.text == "lost")
    let tokens = [try program.latestToken(), try other.transactions().last?.token]
    try Self.crash(crash, server)
    guard try server.psql("SELECT \"text\" FROM shop.\"DiffLabel\"") == "first" else { return false }
    _ = try context.fetch(FetchDescriptor<DiffLabel>())
    #expect(label.text == "first")
    func checkTokens() throws {
      for token in tokens {
        #expect { try program.transactions(since: token) } throws: {
          "\($0)".contains("has lost transactions that the token contains")
        }
      }
    }
    try checkTokens()
    // This program receives the row numbers that the server lost.
    let third = try ClusterProgram(Self.schema, on: server)
    for _ in 0..<12 { try third.save("third") }
    try other.save("second")
    try checkTokens()
    let texts = ["first", "second"] + [String](repeating: "third", count: 12)
    #expect(try program.texts() == texts)
    #expect(try other.texts() == texts)
    #expect(try program.transactions(since: first).count == 13)
    return true
  }

  /// Programs save, transactions are aborted, and the server crashes repeatedly. A reader receives each transaction
  /// once, and contexts match the store.
  @Test func readersMissNothingDespiteCrashes() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let server = try PostgresServer(settings: Self.lazy)
    let programs = try (0..<3).map { _ in try ClusterProgram(Self.schema, on: server) }
    let contexts = programs.map { ModelContext($0.container) }
    for _ in 0..<3 { contexts[0].insert(DiffLabel(text: "", rows: [])) }
    try contexts[0].save()
    let labels = try contexts.map { try $0.fetch(FetchDescriptor<DiffLabel>()) }
    var reader = ClusterReader()
    var texts = labels[0].map(\.text)
    for crash in 0..<Repetitions.scaled(2, upTo: 40) {
      // Before each crash, always read after a save and an aborted transaction that the server may lose.
      for (step, kind) in ((0..<8).map { _ in random.roll(6) } + [3, 0, 1, 2]).enumerated() {
        let index = random.roll(3)
        switch kind {
        case 0: try server.psql("BEGIN; UPDATE shop.\"DiffLabel\" SET \"text\" = 'aborted'; ROLLBACK")
        case 1: try reader.read(programs[index], limit: 1 + random.roll(4))
        case 2:
          _ = try contexts[index].fetch(FetchDescriptor<DiffLabel>())
          #expect(labels[index].map(\.text) == texts, "seed \(seed), crash \(crash)")
        default:
          let row = random.roll(3)
          texts[row] = "\(crash).\(step)"
          labels[index][row].text = texts[row]
          try contexts[index].save()
        }
      }
      try Self.crash(Crash.allCases[random.roll(2)], server)
    }
    while try reader.read(programs[0], limit: 100) > 0 {}
    let wanted = try server.psql("SELECT \"id\" FROM shop.trellis_history ORDER BY 1").split(separator: "\n")
    #expect(reader.seen.sorted().map(String.init) == wanted.map(String.init), "seed \(seed)")
  }

  /// Tokens from earlier versions of this library do not identify the last save.
  @Test func olderTokensAreReadable() throws {
    let server = try PostgresServer.shared.get()
    let program = try ClusterProgram("older tokens", on: server)
    try program.save("first")
    let token = try JSONEncoder().encode(#require(try program.latestToken()))
    let older = String(decoding: token, as: UTF8.self).replacing(/:[0-9a-f]{8}-[0-9a-f-]{27}/, with: "")
    #expect(older.utf8.count < token.count)
    let decoded = try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(older.utf8))
    try program.save("second")
    #expect(try program.transactions(since: decoded).count == 1)
  }
}

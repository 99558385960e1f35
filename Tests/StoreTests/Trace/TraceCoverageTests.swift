import Foundation
import Testing
import Trellis

/// The trace of a configuration has every statement of every operation, and knows what it is for.
@Suite struct TraceCoverageTests {
  /// Whether a walk always has the statement. Reads that follow each other within milliseconds share a transaction, and
  /// a cache grows with their number.
  private static func isSteady(_ sql: String) -> Bool {
    !["BEGIN", "COMMIT", "PRAGMA journal_mode"].contains(sql) && !sql.hasPrefix("PRAGMA cache_size")
  }

  /// What one walk has run, by operation.
  private typealias Steps = [(name: String, statements: [String])]

  @Test(arguments: TraceWalk.Place.allCases)
  func theTraceHasWhatSQLiteRuns(_ place: TraceWalk.Place) throws {
    let log = StatementLog()
    var traced: Steps = []
    try TraceWalk(place: place, scratch: Scratch(), trace: log.listener) { name, purposes, body in
      usleep(15_000)
      log.removeAll()
      try body()
      let statements = log.statements.filter { Self.isSteady($0.sql) }
      // An operation may be the first one that needs another connection.
      let found = Set(statements.map(\.purpose)).subtracting(purposes.contains(.opening) ? [] : [.opening])
      #expect(found == purposes, "\(name): \(statements.map(\.description).joined(separator: "\n"))")
      traced.append((name, statements.map(\.sql).sorted()))
    }.run()

    var run: Steps = []
    try EveryConnection.recording { recorder in
      try TraceWalk(place: place, scratch: Scratch(), trace: nil) { name, _, body in
        usleep(15_000)
        recorder.removeAll()
        try body()
        run.append((name, recorder.statements.filter(Self.isSteady).sorted()))
      }.run()
    }
    #expect(traced.map(\.name) == run.map(\.name))
    #expect(run.count > 40)
    for (mine, theirs) in zip(traced, run) {
      #expect(mine.statements == theirs.statements, "\(mine.name)")
      #expect(!theirs.statements.isEmpty, "\(mine.name)")
    }
  }

  /// What the walk leaves out, because it depends on the clock.
  @Test func transactionsAreAmongTheStatements() throws {
    let scratch = try Scratch()
    let log = StatementLog()
    var configuration = ModelConfiguration(url: scratch.file("tags.store"))
    configuration.trace = log.listener
    let container = try ModelContainer(for: Schema([KeepTag.self]), configurations: [configuration])
    let context = ModelContext(container)
    log.removeAll()
    for number in 0..<5 {
      context.insert(KeepTag(word: "\(number)"))
      try context.save()
    }
    let saves = log.statements.filter { $0.purpose == .save }.map(\.sql)
    #expect(saves.count { $0 == "BEGIN IMMEDIATE" } == 5)
    #expect(saves.count { $0 == "COMMIT" } == 5)
    log.removeAll()
    // Soon two of them follow each other quickly enough to share a transaction.
    for _ in 0..<10_000 where !log.statements.contains(where: { $0.sql == "BEGIN" }) {
      _ = try context.fetchCount(FetchDescriptor<KeepTag>())
    }
    let begin = try #require(log.statements.first { $0.sql == "BEGIN" })
    #expect(begin.purpose == .count)
  }
}

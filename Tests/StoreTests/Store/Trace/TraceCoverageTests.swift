import Foundation
import TestSupport
import Testing
import Trellis

/// The trace of a configuration must contain all statements with their purposes.
@Suite struct TraceCoverageTests {
  /// True if an operation always runs the statement. Reads within milliseconds share a transaction, and the thread that
  /// ends it can hold the connection that the next operation needs.
  private static func isSteady(_ sql: String) -> Bool {
    sql != "BEGIN" && sql != "COMMIT" && !sql.hasPrefix("PRAGMA")
  }

  /// The statements of one walk.
  private struct Walk {
    /// The steady statements by operation.
    var steps: [(name: String, statements: [String])] = []
    /// The texts of all statements that do not depend on timing.
    var texts: Set<String> = []

    mutating func add(_ name: String, _ statements: [String]) {
      steps.append((name, statements.filter(isSteady).sorted()))
      texts.formUnion(statements.filter { $0 != "BEGIN" && !$0.hasPrefix("PRAGMA cache_size") })
    }

    func differences(from other: Walk) -> [String] {
      zip(steps, other.steps).filter { $0.statements != $1.statements }.map { mine, theirs in
        "\(mine.name): the trace has \(mine.statements), SQLite has run \(theirs.statements)"
      }
    }
  }

  private func traced(_ place: TraceWalk.Place) throws -> Walk {
    let log = StatementLog()
    var walk = Walk()
    try TraceWalk(place: place, scratch: Scratch(), trace: log.listener) { name, purposes, body in
      usleep(15_000)
      log.removeAll()
      try body()
      let all = log.statements
      let steady = all.filter { Self.isSteady($0.sql) }
      // An operation can be the first one that needs another connection.
      let expected = purposes.subtracting([.opening])
      let found = Set(steady.map(\.purpose)).subtracting([.opening])
      #expect(found == expected, "\(name): \(steady.map(\.description).joined(separator: "\n"))")
      if purposes.contains(.opening) { #expect(all.contains { $0.purpose == .opening }, "\(name)") }
      walk.add(name, all.map(\.sql))
    }.run()
    return walk
  }

  private func recorded(_ place: TraceWalk.Place) throws -> Walk {
    var walk = Walk()
    try EveryConnection.recording { recorder in
      try TraceWalk(place: place, scratch: Scratch(), trace: nil) { name, _, body in
        usleep(15_000)
        recorder.removeAll()
        try body()
        walk.add(name, recorder.statements)
      }.run()
    }
    return walk
  }

  /// A walk waits between its steps for the end of shared transactions, so a short run only has the longest walk.
  @Test(arguments: Repetitions.isThorough ? TraceWalk.Place.allCases : [TraceWalk.Place.file])
  func theTraceHasWhatSQLiteRuns(_ place: TraceWalk.Place) throws {
    var differences: [String] = []
    // On a busy machine, one of the two walks can need another connection, which first checks the store. Statements
    // that the trace omits are missing in every walk.
    for _ in 0..<4 {
      let (mine, theirs) = (try traced(place), try recorded(place))
      #expect(mine.steps.map(\.name) == theirs.steps.map(\.name))
      #expect(theirs.steps.count > 40)
      differences = mine.differences(from: theirs)
      differences += theirs.steps.filter(\.statements.isEmpty).map { "\($0.name): SQLite has run nothing" }
      if mine.texts != theirs.texts {
        differences.append("only one has \(mine.texts.symmetricDifference(theirs.texts))")
      }
      if differences.isEmpty { break }
    }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  /// The statements that the walk excludes because they depend on timing.
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
    // Two fetches in quick succession share a transaction.
    for _ in 0..<10_000 where !log.statements.contains(where: { $0.sql == "BEGIN" }) {
      _ = try context.fetchCount(FetchDescriptor<KeepTag>())
    }
    let begin = try #require(log.statements.first { $0.sql == "BEGIN" })
    #expect(begin.purpose == .count)
  }
}

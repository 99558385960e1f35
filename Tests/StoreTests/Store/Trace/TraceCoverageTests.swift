import Foundation
import TestSupport
import Testing
import Trellis

/// The trace of a configuration must contain all statements with their purposes.
@Suite struct TraceCoverageTests {
  /// True if the statement belongs to the operation itself. Other statements depend on timing: a connection's page
  /// cache grows at its first lookup, and each fetch first looks for other programs' commits.
  private static func isSteady(_ sql: String) -> Bool { !sql.hasPrefix("PRAGMA") }

  /// The statements of one walk.
  private struct Walk {
    /// The steady statements by operation.
    var steps: [(name: String, statements: [String])] = []
    /// The SQL of all statements that do not depend on timing.
    var texts: Set<String> = []

    mutating func add(_ name: String, _ statements: [String]) {
      steps.append((name, statements.filter(isSteady).sorted()))
      texts.formUnion(statements.filter { !$0.hasPrefix("PRAGMA cache_size") })
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
      log.removeAll()
      try body()
      let all = log.statements
      let steady = all.filter { Self.isSteady($0.sql) }
      // Any operation may be the first one that needs another connection.
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
        recorder.removeAll()
        try body()
        walk.add(name, recorder.statements)
      }.run()
    }
    return walk
  }

  @Test(arguments: TraceWalk.Place.allCases)
  func theTraceContainsAllStatementsOfSQLite(_ place: TraceWalk.Place) throws {
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

  /// The statements that the walk excludes.
  @Test func theTraceContainsTransactionsAndCommitChecks() throws {
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
    // The first fetch opens a connection.
    _ = try context.fetchCount(FetchDescriptor<KeepTag>())
    log.removeAll()
    _ = try context.fetchCount(FetchDescriptor<KeepTag>())
    let count = #"SELECT COUNT(*) FROM "KeepTag" AS "t0""#
    #expect(log.statements.map(\.sql) == [count])
    context.insert(KeepTag(word: "5"))
    try context.save()
    log.removeAll()
    // The query detects a commit, so the store checks whether another program made it.
    _ = try context.fetchCount(FetchDescriptor<KeepTag>())
    #expect(log.statements.map(\.sql) == [count, "PRAGMA schema_version", "PRAGMA data_version"])
    #expect(log.statements.map(\.purpose) == [.count, .count, .refresh])
  }
}

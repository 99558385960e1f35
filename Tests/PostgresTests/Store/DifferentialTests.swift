import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Fetches with random predicates, sort orders and pages must return the results of Foundation's evaluation on all
/// models.
///
///     TRELLIS_SEED=7 TRELLIS_ROUNDS=200 swift test --filter PostgresTests.DifferentialTests
@Suite(.waiting) struct DifferentialTests {
  private static let rounds = Repetitions.scaled(100)
  private static let seed = SeededGenerator.seed("DifferentialTests")

  @Test(arguments: [false, true])
  func fetchesMatchEvaluationAndSortingInSwift(irregular: Bool) throws {
    print("TRELLIS_SEED=\(Self.seed) irregular=\(irregular)")
    var dice = SeededGenerator(seed: Self.seed)
    let configuration = try PostgresServer.shared.get().configuration()
    let context = try DifferentialWorld.context(
      24, irregular: irregular, hasNull: false, &dice, in: configuration)
    let run = try DifferentialRun(context, irregular: irregular, seed: Self.seed, dice)
    try run.compare(Self.rounds)
    print(run.summary)
    // A short run explains too few fetches for a meaningful ratio.
    #expect(run.inMemory < run.explained * 2 / 3 || !Repetitions.isThorough)
  }

  /// The captured keys become one array parameter for each column.
  @Test func capturedKeysAreJoined() throws {
    var dice = SeededGenerator(seed: Self.seed)
    let configuration = try PostgresServer.shared.get().configuration()
    let context = try DifferentialWorld.context(24, irregular: false, hasNull: false, &dice, in: configuration)
    let rows = try context.fetch(FetchDescriptor<DiffRow>())
    var keys = DiffKey.random(DiffPool.plainTexts, &dice) + DiffKey.random(DiffPool.plainTexts, &dice)
    for index in keys.indices where index % 2 == 0 {
      let row = rows[index % rows.count]
      (keys[index].name, keys[index].optCount, keys[index].date) = (row.name, row.optCount, row.date)
    }
    let all = keys
    let predicate = #Predicate<DiffRow> { row in
      all.contains { $0.name == row.name && $0.optCount == row.optCount && $0.date == row.date }
    }
    let explanation = try FetchDescriptor(predicate: predicate).explain(in: context)
    #expect(explanation.runsInStore)
    let arrays = "unnest(?::text[], ?::bigint[], ?::double precision[])"
    #expect(explanation.sql?.contains(arrays) == true, "\(explanation)")
    let expected = try rows.filter(predicate.evaluate).map(\.persistentModelID)
    #expect(!expected.isEmpty)
    #expect(try context.fetchIdentifiers(FetchDescriptor(predicate: predicate)) == expected)
  }
}

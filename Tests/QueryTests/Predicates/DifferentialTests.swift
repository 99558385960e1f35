import Foundation
import TestSupport
import Testing
import Trellis

@testable import TestWorlds

/// Fetches with random predicates, sort orders and pages must return the results of Foundation's evaluation on all
/// models.
///
///     TRELLIS_SEED=7 TRELLIS_ROUNDS=200 swift test --filter DifferentialTests
@Suite struct DifferentialTests {
  private static let rounds = Repetitions.scaled(400)
  private static let seed = SeededGenerator.seed("DifferentialTests")

  @Test(arguments: [false, true])
  func fetchesMatchEvaluationAndSortingInSwift(irregular: Bool) throws {
    print("TRELLIS_SEED=\(Self.seed) irregular=\(irregular)")
    var dice = SeededGenerator(seed: Self.seed)
    let context = try DifferentialWorld.context(24, irregular: irregular, &dice)
    let run = try DifferentialRun(context, irregular: irregular, seed: Self.seed, dice)
    try run.compare(Self.rounds)
    print(run.summary)
    // The forty explained fetches of a short run are too few for a narrow limit.
    #expect(run.inMemory < run.explained * (Repetitions.isThorough ? 2 : 3) / 4)
  }

  @Test func pendingChangesAreIncluded() throws {
    print("TRELLIS_SEED=\(Self.seed) pending")
    var dice = SeededGenerator(seed: Self.seed)
    let context = try DifferentialWorld.context(24, irregular: false, &dice)
    let rows = try context.fetch(FetchDescriptor<DiffRow>())
    let owner = try #require(rows.first).owner
    for row in rows where dice.roll(4) == 0 {
      DifferentialWorld.fill(row, irregular: false, DiffPool.plainTexts, [0, 1, -1], &dice)
    }
    for row in rows where dice.roll(6) == 0 { context.delete(row) }
    for _ in 0..<4 {
      let row = DifferentialWorld.row(owner)
      DifferentialWorld.fill(row, irregular: false, DiffPool.plainTexts, [0, 1, -1], &dice)
      context.insert(row)
    }
    let run = try DifferentialRun(context, irregular: false, seed: Self.seed, dice)
    try run.compare(Self.rounds / 2)
    print(run.summary)
  }

  /// `PredicateLane` runs this comparison in release mode.
  @Test func genericCodeReturnsEqualResults() throws {
    print("TRELLIS_SEED=\(Self.seed) generic")
    var dice = SeededGenerator(seed: Self.seed)
    let context = try DifferentialWorld.context(24, irregular: false, &dice)
    try GenericRepository<DiffRow>.check(context, \.count, [-1, 0, 3, .max])
    try GenericRepository<DiffGroup>.check(context, \.number, [0, 3])
    try GenericRepository<DiffGroup>.checkTitles(context, DiffPool.plainTexts)
    try GenericRepository<DiffPart>.checkTitles(context, DiffPool.plainTexts)
  }
}

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
  func aFetchIsWhatSwiftWouldFindAndSort(irregular: Bool) throws {
    print("TRELLIS_SEED=\(Self.seed) irregular=\(irregular)")
    var dice = SeededGenerator(seed: Self.seed)
    let configuration = try PostgresServer.shared.get().configuration()
    let context = try DifferentialWorld.context(
      24, irregular: irregular, hasNull: false, &dice, in: configuration)
    let run = try DifferentialRun(context, irregular: irregular, seed: Self.seed, dice)
    try run.compare(Self.rounds)
    print(run.summary)
    // A short run explains too few fetches for a ratio.
    #expect(run.inMemory < run.explained * 2 / 3 || !Repetitions.isThorough)
  }
}

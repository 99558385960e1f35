import TestSupport
import Trellis

/// Compares SQL with Swift for random predicates in `PredicateLane`. The optimizer changes generic functions in
/// particular.
package enum PredicateComparison {
  /// - Throws: A description of the first difference, or a store error.
  package static func run(seed: UInt64, rounds: Int) throws {
    for irregular in [false, true] {
      var dice = SeededGenerator(seed: seed)
      let context = try DifferentialWorld.context(32, irregular: irregular, &dice)
      let run = try DifferentialRun(context, irregular: irregular, seed: seed, dice)
      try run.compare(rounds)
      print(run.summary)
      guard !irregular else { continue }
      try GenericRepository<DiffRow>.check(context, \.count, [-1, 0, 3, .max])
      try GenericRepository<DiffGroup>.check(context, \.number, [0, 3])
      try GenericRepository<DiffGroup>.checkTitles(context, DiffPool.plainTexts)
      try GenericRepository<DiffPart>.checkTitles(context, DiffPool.plainTexts)
    }
  }
}

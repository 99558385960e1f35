import Foundation
import TestSupport
import Trellis

// Runs the comparison of `DifferentialTests` in release mode, because the optimiser changes generic functions in
// particular.

let seed = SeededGenerator.seed("PredicateLane")
let rounds = Repetitions.scaled(1_000)
do {
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
} catch {
  print("error: \(error)")
  exit(1)
}

import Foundation
import TestSupport
import TestWorlds

// Runs the comparison of `DifferentialTests` in release mode.

do {
  try PredicateComparison.run(seed: SeededGenerator.seed("PredicateLane"), rounds: Repetitions.scaled(1_000))
} catch {
  print("error: \(error)")
  exit(1)
}

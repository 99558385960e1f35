import Foundation
import TestStores
import TestSupport
import Testing
import Trellis

@testable import TestWorlds

/// Runs many short worlds. `TRELLIS_SEED` selects different worlds, and `TRELLIS_STEPS` sets the number of steps.
@Suite struct LifeMachineTests {
  static let seed = SeededGenerator.seed("LifeMachineTests", otherwise: 1)
  static let steps =
    ProcessInfo.processInfo.environment["TRELLIS_STEPS"].flatMap(Int.init) ?? Repetitions.scaled(4_000, upTo: 30_000)

  /// The seed of the first world, to repeat a failure.
  static let world = ProcessInfo.processInfo.environment["TRELLIS_WORLD"].flatMap(UInt64.init)

  @Test func everyObjectIsReadableInEveryState() {
    IssueLog.start()
    run(steps: Self.steps, withUndo: false)
  }

  @Test func randomStepsCanBeUndoneAndRedone() {
    IssueLog.start()
    run(steps: Self.steps / 2, withUndo: true)
  }

  private func run(steps: Int, withUndo: Bool) {
    var rest = steps
    var seed = Self.world.map { $0 &- 1 } ?? Self.seed &* 1000
    var worlds = 0
    while rest > 0 {
      seed &+= 1
      worlds += 1
      var machine: LifeMachine?
      do {
        let made = try LifeMachine(seed: seed, withUndo: withUndo)
        machine = made
        try made.run(steps: 250)
        rest -= made.steps
      } catch {
        Issue.record("seed \(seed): \(error)\n\(machine?.trail.joined(separator: "\n") ?? "")")
        return
      }
    }
    print("\(steps) steps in \(worlds) worlds up to seed \(seed), undo \(withUndo)")
  }
}

import Foundation
import TestSupport
import TestWorlds

// Runs the machine of `LifeMachineTests` in release mode: 100,000 steps without undo and 50,000 steps with undo take as
// long as a tenth of them in debug mode. TRELLIS_WORLD repeats one world, with undo if TRELLIS_UNDO is set.

let environment = ProcessInfo.processInfo.environment
if let world = environment["TRELLIS_WORLD"].flatMap(UInt64.init) {
  exit(LifeCycleSoak.steps(inWorld: world, withUndo: environment["TRELLIS_UNDO"] != nil) == nil ? 1 : 0)
}
let first = SeededGenerator.seed("LifeCycleLane") &* 1000
let steps = environment["TRELLIS_STEPS"].flatMap(Int.init) ?? 100_000
let differences =
  LifeCycleSoak.run(steps: steps, firstWorld: first, withUndo: false)
  + LifeCycleSoak.run(steps: steps / 2, firstWorld: first, withUndo: true)
if differences > 0 { print("error: \(differences) worlds differ") }
exit(differences == 0 ? 0 : 1)

import Foundation
import TestStores
import TestSupport
import Trellis

// Runs the machine of `LifeMachineTests` in release mode: 100,000 steps without undo and 50,000 steps with undo take as
// long as a tenth of them in debug mode. TRELLIS_WORLD repeats one world, with undo if TRELLIS_UNDO is set.

let environment = ProcessInfo.processInfo.environment
func value(_ name: String) -> UInt64? { environment[name].flatMap(UInt64.init) }

/// The number of steps in a world; nil after a difference, which is printed.
func steps(inWorld seed: UInt64, withUndo: Bool) -> Int? {
  var machine: LifeMachine?
  do {
    let made = try LifeMachine(seed: seed, withUndo: withUndo)
    machine = made
    try made.run(steps: 250)
    return made.steps
  } catch {
    print("error: world \(seed), undo \(withUndo): \(error)")
    print(machine?.trail.joined(separator: "\n") ?? "")
    return nil
  }
}

IssueLog.start()
if let world = value("TRELLIS_WORLD") {
  exit(steps(inWorld: world, withUndo: environment["TRELLIS_UNDO"] != nil) == nil ? 1 : 0)
}
let first = SeededGenerator.seed("LifeCycleLane")
let wanted = Int(value("TRELLIS_STEPS") ?? 100_000)
var differences = 0
for (withUndo, wanted) in [(false, wanted), (true, wanted / 2)] {
  var done = 0
  var seed = first &* 1000
  while done < wanted {
    seed &+= 1
    if let steps = steps(inWorld: seed, withUndo: withUndo) {
      done += steps
    } else {
      differences += 1
      done += 250
    }
  }
  print("\(done) steps, worlds up to \(seed), undo \(withUndo)")
}
if differences > 0 { print("error: \(differences) worlds differ") }
exit(differences == 0 ? 0 : 1)

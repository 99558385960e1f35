import Foundation
import Trellis

// The machine of `LifeMachineTests`, as a program: optimised it takes 100,000 steps without undo and
// 50,000 with it in the time the debug build takes for a tenth of them.

let environment = ProcessInfo.processInfo.environment
let first = environment["TRELLIS_SEED"].flatMap(UInt64.init) ?? .random(in: 1...1_000_000)
let steps = environment["TRELLIS_STEPS"].flatMap(Int.init) ?? 100_000
print("TRELLIS_SEED=\(first)")
IssueLog.start()
for (withUndo, wanted) in [(false, steps), (true, steps / 2)] {
  var done = 0
  var seed = first &* 1000
  while done < wanted {
    seed &+= 1
    var machine: LifeMachine?
    do {
      let made = try LifeMachine(seed: seed, withUndo: withUndo)
      machine = made
      try made.run(steps: 250)
      done += made.steps
    } catch {
      print("error: world \(seed), undo \(withUndo): \(error)")
      print(machine?.trail.joined(separator: "\n") ?? "")
      exit(1)
    }
  }
  print("\(done) steps, worlds up to \(seed), undo \(withUndo): every object answered as it should")
}

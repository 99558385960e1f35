import TestStores
import Trellis

/// Random life cycle steps for `LifeCycleLane`.
package enum LifeCycleSoak {
  /// Runs worlds of 250 steps each until the given number of steps is reached.
  ///
  /// - Returns: The number of worlds that differ from the expected result. Their steps are printed.
  package static func run(steps wanted: Int, firstWorld: UInt64, withUndo: Bool) -> Int {
    IssueLog.start()
    var (done, world, differences) = (0, firstWorld, 0)
    while done < wanted {
      world &+= 1
      if let steps = steps(inWorld: world, withUndo: withUndo) {
        done += steps
      } else {
        differences += 1
        done += 250
      }
    }
    print("\(done) steps, worlds up to \(world), undo \(withUndo)")
    return differences
  }

  /// Runs a single world.
  ///
  /// - Returns: The number of steps; `nil` after a difference, which is printed.
  package static func steps(inWorld seed: UInt64, withUndo: Bool) -> Int? {
    IssueLog.start()
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
}

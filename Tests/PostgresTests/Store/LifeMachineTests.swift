import Foundation
import PostgresSupport
import TestStores
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Random operations on objects in every state, with a PostgreSQL store. `TRELLIS_SEED` selects different worlds, and
/// `TRELLIS_ROUNDS` increases the number of steps.
@Suite(.waiting) struct LifeMachineTests {
  private static let seed = SeededGenerator.seed("LifeMachineTests")
  private static let steps = Repetitions.scaled(250, upTo: 10_000)

  @Test(arguments: [false, true]) func everyObjectIsReadableInEveryState(withUndo: Bool) throws {
    IssueLog.start()
    let server = try PostgresServer.shared.get()
    var rest = Self.steps
    var seed = Self.seed &* 1000
    while rest > 0 {
      seed &+= 1
      let machine = try LifeMachine(seed: seed, withUndo: withUndo, in: server.configuration())
      do {
        try machine.run(steps: 250)
      } catch {
        Issue.record("seed \(seed): \(error)\n\(machine.trail.joined(separator: "\n"))")
        return
      }
      rest -= machine.steps
    }
  }
}

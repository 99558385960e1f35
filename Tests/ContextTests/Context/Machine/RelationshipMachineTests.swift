import RelationshipsGolden
import TestSupport
import Testing
import Trellis

@Suite struct RelationshipMachineTests {
  @Test(arguments: 1...UInt64(Repetitions.scaled(2, upTo: 12)))
  func contextsMatchTheModelWorld(_ seed: UInt64) throws {
    let container = try ModelContainer(
      for: Library.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    run(RelationshipMachine(seed: seed, container: container), seed, steps: 500)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func contextsOverASnapshotStoreMatchTheModelWorld(_ seed: UInt64) throws {
    let file = ScratchFile()
    let container = try ModelContainer(
      for: Library.self, configurations: JSONStore.Configuration(url: file.url))
    run(RelationshipMachine(seed: seed, container: container), seed, steps: 120)
  }

  private func run(_ machine: RelationshipMachine, _ seed: UInt64, steps: Int) {
    do {
      try machine.run(steps: steps)
    } catch {
      Issue.record("seed \(seed): \(error)\n\(machine.trail.joined(separator: "\n"))")
    }
  }
}

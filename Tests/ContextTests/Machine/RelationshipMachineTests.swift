import Testing

@Suite struct RelationshipMachineTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func aContextDoesWhatTheWorldDoes(_ seed: UInt64) throws {
    let machine = try RelationshipMachine(seed: seed)
    do {
      try machine.run(steps: 500)
    } catch {
      Issue.record("seed \(seed): \(error)\n\(machine.trail.joined(separator: "\n"))")
    }
  }
}

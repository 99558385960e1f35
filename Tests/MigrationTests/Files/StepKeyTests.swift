import ClassicV1
import ClassicV2
import Testing
import Trellis

/// The row numbers of models that custom steps insert.
@Suite struct StepKeyTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Cabin.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Cabin.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  struct Stop: Error {}

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [
            .custom("cabins") { rows in
              func batch(_ name: String, _ count: Int, _ progress: @escaping (Int) throws -> Void) throws {
                let cabins = (0..<count).map { _ in ClassicV2.Cabin.Snapshot(name: name) }
                try rows.new.insert(contentsOf: cabins, chunkSize: count, progress: progress)
              }
              // Each batch needs a new block of numbers, and the blocks become larger. The block of the failing batch
              // has more numbers than one batch uses.
              for _ in 0..<4 { try batch("early", 64) { _ in } }
              do { try batch("lost", 1) { _ in throw Stop() } } catch is Stop {}
              try batch("late", 1) { _ in }
              let kept = ClassicV2.Cabin(name: "")
              try rows.new.add([kept])
              let gone = ClassicV2.Cabin(name: "gone")
              try rows.new.add([gone])
              kept.name = "the number \(gone.persistentModelID.number) is gone"
              rows.new.delete(gone)
              try rows.new.save()
            }
          ])
      ]
    }
  }

  /// No number is used twice, not even one that belonged to a model that the step has deleted.
  @Test func stepsCanContinueAfterAFailedBatch() throws {
    let fixture = try MigrationFixture()
    try fixture.open(V1.self).add([ClassicV1.Cabin(name: "old", beds: 2)])
    _ = try fixture.open(V2.self, Plan.self)
    let context = try fixture.open(V2.self)
    try context.add([ClassicV2.Cabin(name: "new")])
    let cabins = try context.all(ClassicV2.Cabin.self)
    let gone = cabins.compactMap { $0.name.firstMatch(of: #/the number (\d+) is gone/#).map { String($0.1) } }
    let names = cabins.map(\.name).filter { $0 != "early" }
    #expect(names.count == 4 && names.first == "old" && names.contains("late") && names.last == "new", "\(names)")
    #expect(cabins.count == 4 * 64 + names.count)
    let used = gone + cabins.map(\.persistentModelID.number)
    #expect(gone.count == 1 && Set(used).count == used.count, "\(gone), \(used.suffix(4))")
    #expect(try fixture.complaints() == "")
  }
}

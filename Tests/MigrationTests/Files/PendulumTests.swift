import Foundation
import Testing
import Trellis

/// A third version with the encoding of the first one (`Pendulum.schema`). Their fingerprints are equal, so the version
/// number distinguishes their stores.
@Suite struct PendulumTests {
  private typealias V1 = PendulumSchema.V1_0_0
  private typealias V2 = PendulumSchema.V2_0_0
  private typealias V3 = PendulumSchema.V3_0_0

  private enum First: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self] }
    static var stages: [MigrationStage] { [] }
  }

  private enum Second: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { Array(PendulumMigrationPlan.stages.prefix(1)) }
    static var steps: [MigrationSteps] { PendulumMigrationPlan.steps.filter { $0.toVersion == V2.self } }
  }

  private let fixture: MigrationFixture
  private let fingerprint = "SELECT value FROM trellis_metadata WHERE key = 'fingerprint'"
  private let rows = "SELECT name, weight, spare FROM Bob"

  init() throws { fixture = try MigrationFixture() }

  private func first() throws -> String {
    try fixture.open(V1.self, First.self).add([
      V1.Bob(name: "a", weight: Weight(grams: 100, note: "n"), spare: Weight(grams: 200, note: nil))
    ])
    return try fixture.shell(fingerprint)
  }

  @Test func migrationPassesThroughTheIntermediateVersion() throws {
    let before = try first()
    #expect(try fixture.shell(rows) == #"a|{"g":100,"n":"n"}|{"g":200}"#)
    for _ in 0..<2 {
      let bobs = try fixture.open(V3.self, PendulumMigrationPlan.self).all(Bob.self)
      #expect(bobs.map(\.weight) == [Weight(grams: 111, note: "n")])
      #expect(bobs.map(\.spare) == [Weight(grams: 211, note: nil)])
    }
    #expect(try fixture.shell(fingerprint) == before)
    #expect(try fixture.shell(rows) == #"a|{"g":111,"n":"n"}|{"g":211}"#)
  }

  @Test func migrationInTwoSteps() throws {
    let before = try first()
    _ = try fixture.open(V2.self, Second.self)
    #expect(try fixture.shell(fingerprint) != before)
    #expect(try fixture.shell(rows) == #"a|{"grams":101,"note":"n"}|{"grams":201}"#)
    let bobs = try fixture.open(V3.self, PendulumMigrationPlan.self).all(Bob.self)
    #expect(bobs.map(\.weight.grams) == [111])
    #expect(try fixture.shell(fingerprint) == before)
  }

  @Test func olderProgramsDoNotOpenAStoreOfTheThirdVersion() throws {
    try fixture.open(V3.self).add([Bob(name: "c", weight: Weight(grams: 1, note: "n"), spare: nil)])
    let everything = "SELECT * FROM trellis_metadata; SELECT * FROM Bob"
    let before = try fixture.shell(everything)
    func expectRefusal(_ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)?) {
      let error = #expect(throws: SwiftDataError.backwardMigration) { try fixture.open(version, plan) }
      #expect(error?.storeProblem == .newerSchema, "\(version)")
    }
    expectRefusal(V1.self, First.self)
    expectRefusal(V1.self, nil)
    // The fingerprint is equal to that of the plan's first version, which has a migration.
    expectRefusal(V2.self, Second.self)
    expectRefusal(V2.self, nil)
    #expect(try fixture.shell(everything) == before)
    #expect(try fixture.open(V3.self, PendulumMigrationPlan.self).all(Bob.self).map(\.weight.grams) == [1])
  }

  @Test func programsOfTheIntermediateVersionOpenOnlyItsStores() throws {
    _ = try first()
    #expect(throws: SwiftDataError.unknownDataStoreSchema) { try fixture.open(V2.self) }
    _ = try fixture.open(V2.self, Second.self)
    #expect(throws: SwiftDataError.unknownDataStoreSchema) { try fixture.open(V3.self) }
    #expect(throws: SwiftDataError.backwardMigration) { try fixture.open(V1.self, First.self) }
  }
}

import Foundation
import Testing
import Trellis
import TrellisTesting

/// Two hotfixes with version numbers below a released version. The head follows both the hotfixes and the main branch
/// (`Branches.schema`).
@Suite struct BranchMigrationTests {
  private typealias V0 = BranchesSchema.V1_0_0
  private typealias V01 = BranchesSchema.V1_0_1
  private typealias V1 = BranchesSchema.V1_1_0
  private typealias Head = BranchesSchema.V1_2_0

  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  @Test func theMatrixTestsEveryPath() throws {
    let report = try MigrationMatrix(BranchesMigrationPlan.self, killedAt: 10).check()
    #expect(
      report.hops.map { "\($0.from) \($0.to)" } == [
        "1.0.0 1.1.0", "1.0.0 1.2.0", "1.0.1 1.0.2", "1.0.1 1.2.0", "1.0.2 1.2.0", "1.1.0 1.2.0",
      ])
  }

  @Test func storesOfAHotfixKeepItsAdditions() throws {
    let voyage = V01.Voyage(name: "Rome", nickname: "caput")
    try fixture.open(V01.self).add([voyage, V01.Remark(text: "old", voyage: voyage)])
    let context = try fixture.open(Head.self, BranchesMigrationPlan.self)
    let found = try context.all(Voyage.self)
    #expect(found.map(\.title) == ["Rome"])
    #expect(found.map(\.alias) == ["caput"])
    #expect(found.map(\.cents) == [4000])
    #expect(found.first?.notes.map(\.text) == ["old"])
  }

  @Test func storesOfTheMainBranchUseItsMigrations() throws {
    try fixture.open(V1.self).add([V1.Voyage(title: "Oslo", budget: 7)])
    let found = try fixture.open(Head.self, BranchesMigrationPlan.self).all(Voyage.self)
    #expect(found.map(\.title) == ["Oslo"])
    #expect(found.map(\.cents) == [700])
  }

  @Test func storesFromBeforeTheBranchesAreMigrated() throws {
    try fixture.open(V0.self).add([V0.Voyage(name: "Kiel")])
    let found = try fixture.open(Head.self, BranchesMigrationPlan.self).all(Voyage.self)
    #expect(found.map(\.title) == ["Kiel"])
    #expect(found.map(\.cents) == [400])
  }

  /// The hotfix adds a model that is missing from 1.1.0, the version with the highest number below the head.
  @Test func storesWithSomeModelsOfAHotfixAreMigrated() throws {
    let other = fixture.folder.appendingPathComponent("other.store")
    func container(
      _ version: any VersionedSchema.Type, _ first: [any PersistentModel.Type], _ second: [any PersistentModel.Type],
      _ plan: (any SchemaMigrationPlan.Type)?
    ) throws -> ModelContext {
      let stores = [
        ModelConfiguration("a", schema: Schema(first), url: fixture.url),
        ModelConfiguration("b", schema: Schema(second), url: other),
      ]
      return ModelContext(
        try ModelContainer(for: Schema(versionedSchema: version), migrationPlan: plan, configurations: stores))
    }
    try container(V01.self, [V01.Voyage.self, V01.Remark.self], [V01.Buoy.self], nil).add([
      V01.Voyage(name: "Bonn", nickname: nil), V01.Buoy(code: 3),
    ])
    let context = try container(
      Head.self, [Voyage.self, Remark.self], [Buoy.self], BranchesMigrationPlan.self)
    #expect(try context.all(Voyage.self).map(\.title) == ["Bonn"])
    #expect(try context.all(Buoy.self).map(\.code) == [3])
  }
}

import Testing
import Trellis

/// Stores whose properties have a different order than the plan's version, which changes column names where two columns
/// would have one name.
@Suite struct ColumnOrderTests {
  typealias Written = PlotsSchema.V1_0_0
  typealias Released = SitesSchema.V1_0_0

  enum First: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Written.Site.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  /// The copy of the first version in the plan.
  enum Copy: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Released.Site.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Second: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Site.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum FirstPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [First.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum CopyPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Copy.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum InPlace: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Copy.self, Second.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum Rewriting: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Copy.self, Second.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Copy.self, toVersion: Second.self,
          [
            .fill(Released.Site.Snapshot.self, Site.Snapshot.self, ["name"]) { old, new in
              new.name = "\(old.name) \(old.address_city)"
            }
          ])
      ]
    }
  }

  static let plans: [any SchemaMigrationPlan.Type] = [InPlace.self, Rewriting.self]

  static func site() -> Written.Site { Written.Site(name: "n", address: .init(city: "Oslo"), address_city: "other") }

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    try fixture.open(First.self, FirstPlan.self).add([Self.site()])
  }

  @Test(arguments: plans.indices) func aMigrationReadsTheColumnsOfTheStore(plan: Int) throws {
    let sites = try fixture.open(Second.self, Self.plans[plan]).all(Site.self)
    #expect(sites.map(\.address.city) == ["Oslo"] && sites.map(\.name) == [["n", "n other"][plan]])
    #expect(try fixture.complaints() == "")
  }

  /// The columns must get other names, which only an owner may give them.
  @Test(arguments: [true, false]) func theOwnerRenamesTheColumns(hasPlan: Bool) throws {
    let plan: (any SchemaMigrationPlan.Type)? = hasPlan ? CopyPlan.self : nil
    let before = try fixture.everything()
    fixture.options.role = .client
    #expect(throws: SwiftDataError.self) { try fixture.open(Copy.self, plan) }
    fixture.options.role = .owner
    #expect(throws: SwiftDataError.self) { try fixture.open(Copy.self, plan, allowsSave: false) }
    #expect(try fixture.everything() == before)
    let copies = try fixture.open(Copy.self, plan).all(Released.Site.self)
    #expect(copies.map(\.address.city) == ["Oslo"] && copies.map(\.address_city) == ["other"])
    let sites = try fixture.open(First.self, hasPlan ? FirstPlan.self : nil).all(Written.Site.self)
    #expect(sites.map(\.address.city) == ["Oslo"] && sites.map(\.address_city) == ["other"])
  }
}

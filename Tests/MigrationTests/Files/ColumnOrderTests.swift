import Testing
import Trellis

/// Stores whose properties have a different order than the plan's version. Two of the properties would have the same
/// column name.
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

  @Test(arguments: plans.indices) func migrationsUseTheStoresColumnNames(plan: Int) throws {
    let sites = try fixture.open(Second.self, Self.plans[plan]).all(Site.self)
    #expect(sites.map(\.address.city) == ["Oslo"] && sites.map(\.name) == [["n", "n other"][plan]])
    #expect(try fixture.complaints() == "")
  }

  /// Column names do not depend on the order of properties.
  @Test(arguments: [true, false]) func programsWithADifferentOrderUseTheStoresColumnNames(hasPlan: Bool) throws {
    let plan: (any SchemaMigrationPlan.Type)? = hasPlan ? CopyPlan.self : nil
    let before = try fixture.shell("SELECT sql FROM sqlite_schema; SELECT * FROM Site")
    for change in [
      { (fixture: MigrationFixture) in try fixture.open(Copy.self, plan, allowsSave: false) },
      { fixture in
        fixture.options.role = .client
        return try fixture.open(Copy.self, plan)
      },
      { fixture in
        fixture.options.role = .owner
        return try fixture.open(Copy.self, plan)
      },
    ] {
      let copies = try change(fixture).all(Released.Site.self)
      #expect(copies.map(\.address.city) == ["Oslo"] && copies.map(\.address_city) == ["other"])
    }
    #expect(try fixture.shell("SELECT sql FROM sqlite_schema; SELECT * FROM Site") == before)
    let sites = try fixture.open(First.self, hasPlan ? FirstPlan.self : nil).all(Written.Site.self)
    #expect(sites.map(\.address.city) == ["Oslo"] && sites.map(\.address_city) == ["other"])
  }

  /// History changes identify properties by position.
  @Test func historiesWithADifferentOrderAreReadable() throws {
    let context = try fixture.open(Copy.self, nil)
    let site = try #require(try context.all(Released.Site.self).first)
    site.address_city = "changed"
    try context.save()
    let reader = try fixture.open(First.self, nil)
    let changes = try reader.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
    guard case .update(let update as DefaultHistoryUpdate<Written.Site>)? = changes.last else {
      Issue.record("\(changes)")
      return
    }
    #expect(update.updatedAttributes == [\Written.Site.address_city])
  }
}

import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Tests the cases of ``ColumnOrderTests`` on a server.
@Suite(.waiting) struct ServerColumnOrderTests {
  typealias Orders = ColumnOrderTests

  private let fixture: PostgresFixture
  private let running: ModelContext

  init() throws {
    fixture = try PostgresFixture()
    running = try fixture.open(Orders.First.self, Orders.FirstPlan.self)
    try running.add([Orders.site()])
  }

  private func cities(_ context: ModelContext) throws -> [String] {
    try context.all(Site.self).map(\.address.city).sorted()
  }

  @Test(arguments: Orders.plans.indices) func migrationsUseTheStoresColumnNames(plan: Int) throws {
    let context = try fixture.open(Orders.Second.self, Orders.plans[plan])
    #expect(try cities(context) == ["Oslo"])
    #expect(try context.all(Site.self).map(\.name) == [["n", "n other"][plan]])
  }

  @Test func bothPhasesUseTheStoresColumnNames() throws {
    try fixture.migration(Orders.InPlace.self).run(.expand)
    let context = try fixture.open(Orders.Second.self, Orders.InPlace.self)
    try context.add([Site(name: "m", address: .init(city: "Bodø"))])
    #expect(try cities(context) == ["Bodø", "Oslo"])
    let old = try ModelContext(running.container).all(Orders.Written.Site.self)
    #expect(Set(old.map { "\($0.address.city) \($0.address_city)" }) == ["Oslo other", "Bodø none"])
    try fixture.migration(Orders.InPlace.self).run(.contract)
    #expect(try cities(context) == ["Bodø", "Oslo"])
    let fresh = try PostgresFixture()
    _ = try fresh.open(Orders.Second.self)
    #expect(try fixture.shape() == fresh.shape())
  }

  @Test(arguments: [true, false]) func programsWithADifferentOrderUseTheStoresColumnNames(hasPlan: Bool) throws {
    let plan: (any SchemaMigrationPlan.Type)? = hasPlan ? Orders.CopyPlan.self : nil
    let before = try fixture.shape()
    for change in [
      { (configuration: inout PostgresConfiguration) in configuration.migration.role = .client },
      { $0.allowsSave = false }, { _ in },
    ] {
      let copies = try fixture.open(Orders.Copy.self, plan, change).all(Orders.Released.Site.self)
      #expect(copies.map(\.address.city) == ["Oslo"] && copies.map(\.address_city) == ["other"])
    }
    #expect(try fixture.shape() == before)
  }
}

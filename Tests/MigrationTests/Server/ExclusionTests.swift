import Foundation
import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Programs that run during a migration that changes the meaning of values but keeps the table names.
@Suite(.waiting) struct ExclusionTests {
  private typealias V1 = YardSchema.V1_0_0
  private typealias Before = SameAsAFileTests.Old<V1.Toll>
  private typealias After = SameAsAFileTests.New<Toll>

  private enum InCents: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Before.self, After.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Before.self, toVersion: After.self, willMigrate: nil,
          didMigrate: { context in
            for toll in try context.fetch(FetchDescriptor<Toll>()) { toll.price *= 100 }
            try context.save()
          })
      ]
    }
  }

  private let fixture: PostgresFixture

  init() throws { fixture = try PostgresFixture() }

  /// Calls `body` with a context of the older version after a migration to prices in cents.
  private func afterMigration(recordsHistory: Bool, _ body: (ModelContext) throws -> Void) throws {
    let old = try fixture.open(Before.self) { $0.history.isRecorded = recordsHistory }
    try old.add([V1.Toll(name: "a", price: 2)])
    _ = try old.all(V1.Toll.self)
    let new = try fixture.open(After.self, InCents.self) { $0.history.isRecorded = recordsHistory }
    #expect(try new.all(Toll.self).map(\.price) == [200])
    let error = #expect(throws: SwiftDataError.self) { try body(old) }
    #expect(error?.storeProblem == .newerSchema)
    #expect(try fixture.psql("SELECT price FROM \"Toll\" ORDER BY 1") == "200")
  }

  @Test(arguments: [true, false]) func fetchesAreRejected(recordsHistory: Bool) throws {
    try afterMigration(recordsHistory: recordsHistory) { _ = try $0.all(V1.Toll.self) }
  }

  @Test(arguments: [true, false]) func fetchesOfAnotherContextAreRejected(recordsHistory: Bool) throws {
    try afterMigration(recordsHistory: recordsHistory) { _ = try ModelContext($0.container).all(V1.Toll.self) }
  }

  @Test(arguments: [true, false]) func savesAreRejected(recordsHistory: Bool) throws {
    try afterMigration(recordsHistory: recordsHistory) { try $0.add([V1.Toll(name: "b", price: 3)]) }
  }

  @Test(arguments: [true, false]) func batchesAreRejected(recordsHistory: Bool) throws {
    try afterMigration(recordsHistory: recordsHistory) { context in
      try context.insert(contentsOf: [V1.Toll.Snapshot(name: "b", price: 3)])
    }
  }

  @Test(arguments: [true, false]) func deletionsAreRejected(recordsHistory: Bool) throws {
    try afterMigration(recordsHistory: recordsHistory) { context in
      try context.delete(model: V1.Toll.self)
      try context.save()
    }
  }

  @Test func foreignColumnsAreNotLost() throws {
    try fixture.open(Before.self).add([V1.Toll(name: "a", price: 2)])
    try fixture.psql("ALTER TABLE \"Toll\" ADD COLUMN note text; UPDATE \"Toll\" SET note = 'mine'")
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(After.self, InCents.self) }
    #expect(error?.storeProblem == .migrationFailed && "\(error.map { "\($0)" } ?? "")".contains("'Toll.note'"))
    #expect(try fixture.psql("SELECT price, note FROM \"Toll\"") == "2|mine")
    // A column that the database computes is preserved.
    try fixture.psql(
      "ALTER TABLE \"Toll\" DROP COLUMN note, ADD COLUMN twice double precision GENERATED ALWAYS AS (price * 2) STORED")
    _ = try fixture.open(After.self, InCents.self)
    #expect(try fixture.psql("SELECT price, twice FROM \"Toll\"") == "200|400")
  }
}

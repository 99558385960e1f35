import Foundation
import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Migrations of unusual databases: unusual names, missing foreign keys, several versions at once, and other programs'
/// objects.
@Suite(.waiting) struct SurvivalTests {
  private typealias V1 = YardSchema.V1_0_0
  private typealias Old = SameAsAFileTests.Old
  private typealias New = SameAsAFileTests.New
  private typealias Plan = SameAsAFileTests.Plan
  private typealias R1 = RolloutSchema.V1_0_0
  private typealias R2 = RolloutSchema.V2_0_0

  private enum First: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [R1.self] }
    static var stages: [MigrationStage] { [] }
  }

  private enum Second: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [R1.self, R2.self] }
    static var stages: [MigrationStage] { RolloutMigrationPlan.stages.filter { $0.toVersion == R2.self } }
    static var steps: [MigrationSteps] { RolloutMigrationPlan.steps.filter { $0.toVersion == R2.self } }
  }

  private func populated(_ change: (inout PostgresConfiguration) -> Void) throws -> PostgresFixture {
    var fixture = try PostgresFixture()
    change(&fixture.configuration)
    let context = try fixture.open(R1.self, First.self)
    let parcel = R1.Parcel(code: "a", label: "e\u{301}", remark: "e\u{301}", weight: 1.5, sender: "s")
    context.insert(parcel)
    parcel.scans = [R1.Scan(place: "Oslo")]
    try context.add([R1.Parcel(code: "b", label: "l", sender: "t"), R1.Leaflet(text: "x")])
    return fixture
  }

  private func check(_ context: ModelContext) throws {
    let items = try context.fetch(FetchDescriptor<Item>(sortBy: [SortDescriptor(\.code)]))
    #expect(items.map(\.code) == ["a", "b"] && Array(items[0].title.utf8) == Array("e\u{301}".utf8))
    #expect(items[0].scans.map(\.place) == ["Oslo"])
    try context.add([Item(code: "c", title: "t", sender: "s")])
  }

  static let odd: [@Sendable (inout PostgresConfiguration) -> Void] = [
    { $0.schemaName = "we\"ird.na'me\\ \(UUID().uuidString)" }, { $0.usesForeignKeys = false },
    { $0.history.isRecorded = false }, { $0.preparesStatements = false }, { $0.poolSize = 1 },
  ]

  @Test(arguments: odd.indices, [true, false]) func storesWithUnusualDefinitions(index: Int, inPhases: Bool) throws {
    let fixture = try populated(Self.odd[index])
    let running = try fixture.open(R1.self, First.self)
    if inPhases {
      try fixture.migration(Second.self).run(.expand)
      try running.add([R1.Leaflet(text: "y")])
      let new = try fixture.open(R2.self, Second.self)
      try new.add([R2.Depot(name: "d")])
      try fixture.migration(Second.self).run(.contract)
      try new.add([R2.Depot(name: "e")])
      #expect(throws: SwiftDataError.self) { try running.add([R1.Scan(place: "z")]) }
    }
    try check(try fixture.open(RolloutSchema.V3_0_0.self, RolloutMigrationPlan.self))
  }

  // MARK: several versions

  enum Number<Base: VersionedSchema, Digit: VersionedSchema>: VersionedSchema {
    static var models: [any PersistentModel.Type] { Base.models }
    static var versionIdentifier: Schema.Version { Digit.versionIdentifier }
  }
  enum Three: VersionedSchema {
    static var models: [any PersistentModel.Type] { [] }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  }
  enum Chain<A: VersionedSchema, B: VersionedSchema, C: VersionedSchema>: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [A.self, B.self, C.self] }
    static var stages: [MigrationStage] { [] }
  }

  @Test func twoFirstPhasesAndOneSecondPhase() throws {
    typealias A = Old<V1.Toll, V1.Crane>
    typealias B = New<V1.Toll, V1.Signal, V1.Flag>
    typealias C = Number<New<V1.Toll, V1.Signal, V1.Flag, V1.Boat, V1.Berth>, Three>
    let fixture = try PostgresFixture()
    let first = try fixture.open(A.self)
    try first.add([V1.Toll(name: "a", price: 1), V1.Crane(load: 1)])
    try fixture.migration(Plan<A, B>.self).run(.expand)
    let second = try fixture.open(B.self, Plan<A, B>.self)
    try second.add([V1.Flag(name: "f", color: "red"), V1.Toll(name: "b", price: 2)])
    try fixture.migration(Chain<A, B, C>.self).run(.expand)
    let third = try fixture.open(C.self, Chain<A, B, C>.self)
    try third.add([V1.Boat(name: "x"), V1.Toll(name: "c", price: 3)])
    try first.add([V1.Toll(name: "d", price: 4), V1.Crane(serial: "s", load: 2)])
    try second.add([V1.Flag(name: "g", color: "blue")])
    #expect(try third.fetchCount(FetchDescriptor<V1.Toll>()) == 4)
    try fixture.migration(Chain<A, B, C>.self).run(.contract)
    for old in [first, second] {
      let error = #expect(throws: SwiftDataError.self) { try old.add([V1.Toll(name: "e", price: 5)]) }
      #expect(error?.storeProblem == .newerSchema)
    }
    try third.add([V1.Boat(name: "y")])
    let history = try third.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(
      history.flatMap(\.changes).map(\.changedPersistentIdentifier.entityName).sorted() == [
        "Boat", "Boat", "Signal", "Signal", "Toll", "Toll", "Toll", "Toll",
      ])
    let fresh = try PostgresFixture()
    _ = try fresh.open(C.self)
    #expect(try fixture.shape() == fresh.shape())
  }

  @Test func removedPropertiesAreNotReaddedBeforeTheSecondPhase() throws {
    typealias A = Old<V1.Toll, V1.Crane>
    typealias B = New<V1.Toll>
    typealias C = Number<New<V1.Toll, V1.Crane>, Three>
    let fixture = try PostgresFixture()
    try fixture.open(A.self).add([V1.Crane(load: 1)])
    try fixture.migration(Plan<A, B>.self).run(.expand)
    #expect(try fixture.migration(Chain<A, B, C>.self).exclusions.contains { $0.contains("'Crane'") })
    let context = try fixture.open(C.self, Chain<A, B, C>.self)
    #expect(try context.fetchCount(FetchDescriptor<V1.Crane>()) == 0)
    try context.add([V1.Crane(load: 2)])
  }

  /// A table that is to be removed refers to rows that the migration rewrites.
  @Test func pendingPhasesCompleteBeforeRowsAreMigrated() throws {
    typealias A = Old<V1.Toll, V1.Berth, V1.Rope, V1.Boat>
    typealias B = New<V1.Toll, V1.Berth, V1.Boat>
    typealias C = Number<B, Three>
    let fixture = try PostgresFixture()
    let old = try fixture.open(A.self)
    let berth = V1.Berth(name: "b")
    old.insert(berth)
    let rope = V1.Rope(label: "l")
    rope.berth = berth
    try old.add([rope])
    try fixture.migration(Plan<A, B>.self).run(.expand)
    let context = try fixture.open(C.self, Renaming.self)
    #expect(try context.all(V1.Berth.self).map(\.name) == ["changed"])
    #expect(try fixture.psql("SELECT to_regclass('\"Rope\"') IS NULL") == "t")
  }

  private enum Renaming: SchemaMigrationPlan {
    typealias A = Old<V1.Toll, V1.Berth, V1.Rope, V1.Boat>
    typealias B = New<V1.Toll, V1.Berth, V1.Boat>
    typealias C = Number<B, Three>
    static var schemas: [any VersionedSchema.Type] { [A.self, B.self, C.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: B.self, toVersion: C.self, willMigrate: nil,
          didMigrate: { context in
            for berth in try context.fetch(FetchDescriptor<V1.Berth>()) { berth.name = "changed" }
            try context.save()
          })
      ]
    }
  }

  @Test func aClassGetsItsFirstSubclass() throws {
    typealias A = Old<V1.Signal>
    typealias B = New<V1.Signal, V1.Flag>
    let fixture = try PostgresFixture()
    let old = try fixture.open(A.self)
    try old.add([V1.Signal(name: "s")])
    let new = try fixture.open(B.self, Plan<A, B>.self)
    try new.add([V1.Flag(name: "f", color: "red")])
    let signals = try old.fetch(FetchDescriptor<V1.Signal>(sortBy: [SortDescriptor(\.name)]))
    #expect(signals.map(\.name) == ["f", "s"])
    signals[0].name = "changed"
    try old.add([V1.Signal(name: "t")])
    #expect(try new.all(V1.Flag.self).map { [$0.name, $0.color] } == [["changed", "red"]])
    #expect(Set(try new.all(V1.Signal.self).map(\.name)) == ["changed", "s", "t"])
  }

  // MARK: objects of other programs

  @Test(arguments: [true, false]) func viewsPrivilegesAndPoliciesAreKept(inPlace: Bool) throws {
    let fixture = try populated { _ in }
    let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
    try fixture.psql(
      """
      CREATE ROLE \(role); GRANT SELECT ON "Parcel" TO \(role); ALTER TABLE "Parcel" ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON "Parcel" USING (true); CREATE VIEW codes AS SELECT code FROM "Parcel";
      CREATE INDEX mine ON "Parcel" (sender);
      CREATE FUNCTION noop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON "Parcel" DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION noop()
      """)
    let plan: any SchemaMigrationPlan.Type = inPlace ? RolloutMigrationPlan.self : MigrationFaultTests.WithCode.self
    try check(try fixture.open(RolloutSchema.V3_0_0.self, plan))
    #expect(try fixture.psql("SELECT code FROM codes ORDER BY 1") == "a\nb\nc")
    #expect(try fixture.psql("SELECT has_table_privilege('\(role)', '\"Item\"', 'SELECT')") == "t")
    #expect(try fixture.psql("SELECT count(*) FROM pg_policies WHERE schemaname = current_schema()") == "1")
    #expect(
      try fixture.psql("SELECT count(*) FROM pg_indexes WHERE indexname = 'mine' AND schemaname = current_schema()")
        == "1")
    try fixture.psql("DROP OWNED BY \(role); DROP ROLE \(role)")
  }
}

import ClassicV1
import ClassicV2
import Foundation
import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// The store versions that a program can open. History, keys and hidden rows survive the migration.
@Suite(.waiting) struct OpeningTests {
  private typealias V1 = RolloutSchema.V1_0_0
  private typealias V2 = RolloutSchema.V2_0_0
  private typealias V3 = RolloutSchema.V3_0_0
  private typealias Old = SameAsAFileTests.Old
  private typealias New = SameAsAFileTests.New
  private typealias Plan = SameAsAFileTests.Plan

  private typealias First = RolloutPlan.First

  private let fixture: PostgresFixture

  init() throws { fixture = try PostgresFixture() }

  private func problem(_ body: () throws -> Void) -> (problem: StoreProblem?, text: String) {
    let error = #expect(throws: SwiftDataError.self) { try body() }
    return (error?.storeProblem, error.map { "\($0)" } ?? "")
  }

  @Test(arguments: ["format", "value types", "schema", "tables", "columns"])
  func aStoreWithoutMetadataIsDamaged(key: String) throws {
    _ = try fixture.open(V1.self, First.self)
    _ = try fixture.psql("DELETE FROM trellis_metadata WHERE key = '\(key)'")
    #expect(problem { _ = try fixture.open(V1.self, First.self) }.problem == .damaged)
  }

  @Test func newerFormatsAreRejected() throws {
    _ = try fixture.open(V1.self, First.self)
    _ = try fixture.psql("UPDATE trellis_metadata SET value = '2' WHERE key = 'format'")
    _ = try fixture.psql("DELETE FROM trellis_metadata WHERE key = 'schema'")
    #expect(problem { _ = try fixture.open(V1.self, First.self) }.problem == .newerFormat)
  }

  @Test func S119_compatibleChangesMigrateWithoutAPlan() throws {
    let old = try fixture.open(Old<ClassicV1.Journey, ClassicV1.Pair>.self)
    try old.add([ClassicV1.Journey(place: "e\u{301}"), ClassicV1.Pair(left: "l", right: "r")])
    let context = try fixture.open(New<ClassicV2.Voyage, ClassicV2.Pair>.self)
    #expect(try context.all(ClassicV2.Voyage.self).map { Array($0.harbour.utf8) } == [Array("e\u{301}".utf8)])
    // Without a plan, a file store behaves in the same way if two properties exchange their names.
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("opening-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = ModelConfiguration(url: folder.appendingPathComponent("a.store"))
    let before = try ModelContainer(
      for: Schema(versionedSchema: Old<ClassicV1.Journey, ClassicV1.Pair>.self), configurations: [file])
    try ModelContext(before).add([ClassicV1.Pair(left: "l", right: "r")])
    let after = try ModelContainer(
      for: Schema(versionedSchema: New<ClassicV2.Voyage, ClassicV2.Pair>.self), configurations: [file])
    let wanted = try #require(try ModelContext(after).all(ClassicV2.Pair.self).first)
    let pair = try #require(try context.all(ClassicV2.Pair.self).first)
    #expect(pair.left == wanted.left && pair.right == wanted.right)
    let found = FetchDescriptor<ClassicV2.Voyage>(predicate: #Predicate { $0.harbour == "\u{e9}" })
    #expect(try context.fetchCount(found) == 1)
  }

  /// The plan of a released schema may fill values, which opening the store without it would skip.
  @Test func releasedSchemasNeedTheirPlan() throws {
    typealias First = YardSchema.V1_0_0
    try fixture.open(Old<First.Berth, First.Boat>.self).add([First.Berth(name: "b")])
    let before = try fixture.shape()
    let (kind, text) = problem { _ = try fixture.open(New<Berth, Boat>.self) }
    #expect(kind == .needsMigration && text.contains("'migrationPlan: YardMigrationPlan.self'"))
    #expect(try fixture.shape() == before)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("released-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = ModelConfiguration(url: folder.appendingPathComponent("a.store"))
    _ = try ModelContainer(
      for: Schema(versionedSchema: Old<First.Berth, First.Boat>.self), configurations: [file])
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Schema(versionedSchema: New<Berth, Boat>.self), configurations: [file])
    }
    #expect(error?.storeProblem == .needsMigration)
  }

  @Test func changesThatLoseValuesNeedAPlan() throws {
    let customer = ClassicV1.Customer(name: "a")
    customer.orders = [ClassicV1.Order(number: 1, address: "b")]
    try fixture.open(Old<ClassicV1.Customer>.self).add([customer])
    let before = try fixture.shape()
    let (kind, text) = problem { _ = try fixture.open(New<ClassicV2.Customer>.self) }
    #expect(kind == .differentSchema && text.contains("'Order.address'"))
    #expect(try fixture.shape() == before)
  }

  @Test func versionsMissingFromThePlan() throws {
    _ = try fixture.open(V3.self, RolloutMigrationPlan.self)
    #expect(problem { _ = try fixture.open(V1.self, First.self) }.problem == .newerSchema)
    let other = try PostgresFixture()
    _ = try other.open(Old<ClassicV1.Journey>.self)
    let (kind, text) = problem { _ = try other.open(V3.self, RolloutMigrationPlan.self) }
    #expect(kind == .unknownSchema && text.contains("'Journey'"))
  }

  @Test func tombstoneValuesKeepTheirMeaning() throws {
    let old = try fixture.open(V1.self, First.self)
    let parcel = V1.Parcel(code: "a", label: "l", sender: "e\u{301}")
    try old.add([parcel])
    old.delete(parcel)
    try old.save()
    let context = try fixture.open(V3.self, RolloutMigrationPlan.self)
    let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
    #expect(changes.map(\.changedPersistentIdentifier.entityName) == ["Item", "Item"])
    guard case .delete(let deletion) = changes[1], let tombstone = (deletion as? DefaultHistoryDelete<Item>)?.tombstone
    else { throw MissingTombstone() }
    #expect((tombstone[\.sender] as? String).map { Array($0.utf8) } == Array("e\u{301}".utf8))
  }
  private struct MissingTombstone: Error {}

  @Test func tokensRemainValid() throws {
    let old = try fixture.open(V1.self, First.self)
    try old.add([V1.Parcel(code: "a", label: "l", sender: "s")])
    let token = try #require(try old.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
    try old.add([V1.Parcel(code: "b", label: "l", sender: "s")])
    let context = try fixture.open(V3.self, RolloutMigrationPlan.self)
    try context.add([Item(code: "c", title: "t", sender: "s")])
    let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
    let news = try context.fetchHistory(descriptor)
    #expect(
      news.count == 2 && news.flatMap(\.changes).map(\.changedPersistentIdentifier.entityName) == ["Item", "Item"])
  }

  /// A policy hides rows from the role that migrates. The rows are not lost.
  @Test func hiddenRowsStopAMigration() throws {
    try fixture.open(Old<ClassicV1.Numbers>.self).add([
      ClassicV1.Numbers(
        small: 1, plain: 1, byte: 1, wide: 1, real: 1, letter: "a", list: [], perhaps: nil)
    ])
    let role = "migrator_\(UInt32.random(in: 0...UInt32.max))"
    try fixture.psql(
      """
      CREATE ROLE \(role) LOGIN; GRANT ALL ON SCHEMA \(fixture.schema) TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA \(fixture.schema) TO \(role);
      GRANT ALL ON ALL SEQUENCES IN SCHEMA \(fixture.schema) TO \(role);
      ALTER TABLE "Numbers" OWNER TO \(role); ALTER SEQUENCE "Numbers_keys" OWNER TO \(role);
      ALTER TABLE trellis_history OWNER TO \(role);
      ALTER TABLE "Numbers" FORCE ROW LEVEL SECURITY; ALTER TABLE "Numbers" ENABLE ROW LEVEL SECURITY;
      CREATE POLICY heavy ON "Numbers" USING ("small" > 5)
      """)
    var configuration = PostgresConfiguration(url: fixture.server.url("postgres", user: role))
    configuration.schemaName = fixture.configuration.schemaName
    let schema = Schema(versionedSchema: New<ClassicV2.Numbers>.self)
    let (kind, text) = problem { [configuration] in
      _ = try ModelContainer(
        for: schema, migrationPlan: Plan<Old<ClassicV1.Numbers>, New<ClassicV2.Numbers>>.self,
        configurations: [configuration])
    }
    #expect(kind == .migrationFailed && text.contains("row-level security"))
    #expect(try fixture.psql("SELECT count(*) FROM \"Numbers\"") == "1")
  }

  @Test func progressIsReported() throws {
    let old = try fixture.open(Old<ClassicV1.Numbers>.self)
    for number in 0..<50 {
      old.insert(
        ClassicV1.Numbers(
          small: 1, plain: number, byte: 1, wide: 1, real: 1, letter: "a", list: [], perhaps: nil))
    }
    try old.save()
    let heard = Shared<[MigrationProgress]>([])
    let context = try fixture.open(
      New<ClassicV2.Numbers>.self, Plan<Old<ClassicV1.Numbers>, New<ClassicV2.Numbers>>.self
    ) {
      $0.migration.observer = { progress in heard.withLock { $0.append(progress) } }
    }
    #expect(try context.fetchCount(FetchDescriptor<ClassicV2.Numbers>()) == 50)
    let all = heard.withLock { $0 }
    #expect(all.map(\.fraction) == all.map(\.fraction).sorted() && all.contains { $0.completedRows == 100 })
    #expect(all.last?.activity == .check && all.allSatisfy { $0.to == Schema.Version(2, 0, 0) })
  }

  /// The keys of deleted rows are not reused.
  @Test(arguments: [false, true]) func keysAreNotReused(hasCode: Bool) throws {
    let old = try fixture.open(V1.self, First.self)
    let parcels = (0..<5).map { V1.Parcel(code: "\($0)", label: "l", sender: "s") }
    try old.add(parcels)
    let last = parcels.map(\.persistentModelID).max()
    old.delete(parcels[4])
    try old.save()
    let plan: any SchemaMigrationPlan.Type =
      hasCode ? MigrationFaultTests.WithCode.self : RolloutMigrationPlan.self
    let context = try fixture.open(V3.self, plan)
    let item = Item(code: "new", title: "t", sender: "s")
    try context.add([item])
    #expect(try #require(Int(item.persistentModelID.number)) > #require(last.flatMap { Int($0.number) }))
    #expect(Set(try context.all(Item.self).map(\.code)) == ["0", "1", "2", "3", "new"])
  }
}

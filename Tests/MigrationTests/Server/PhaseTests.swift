import Foundation
import PostgresSupport
import Synchronization
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Programs with two versions use the same store between the phases of a migration.
@Suite(.waiting) struct PhaseTests {
  private typealias V1 = RolloutSchema.V1_0_0
  private typealias V2 = RolloutSchema.V2_0_0
  private typealias V3 = RolloutSchema.V3_0_0

  private typealias First = RolloutPlan.First
  private typealias Second = RolloutPlan.Second

  private let fixture: PostgresFixture

  init() throws {
    fixture = try PostgresFixture()
    let context = try fixture.open(V1.self, First.self)
    let parcel = V1.Parcel(code: "a", label: "e\u{301}", remark: "e\u{301}\u{301}", weight: 1.5, sender: "s")
    context.insert(parcel)
    parcel.scans = [V1.Scan(place: "Oslo"), V1.Scan(place: "Bodø")]
    try context.add([V1.Parcel(code: "b", label: "l", sender: "t"), V1.Leaflet(text: "x")])
  }

  @Test func programsOfBothVersionsUseTheStoreBetweenThePhases() throws {
    let running = try fixture.open(V1.self, First.self)
    #expect(try running.fetchCount(FetchDescriptor<V1.Parcel>()) == 2)
    let migration = try fixture.migration(Second.self)
    #expect(migration.from == Schema.Version(1, 0, 0) && migration.to == Schema.Version(2, 0, 0))
    #expect(migration.exclusions == [] && migration.obstacles == [])
    try migration.run(.expand)

    // The running program continues. Its new rows have the default value of the new property.
    try running.add([V1.Parcel(code: "c", label: "old", sender: "u")])
    let new = try fixture.open(V2.self, Second.self)
    let parcels = try new.fetch(FetchDescriptor<V2.Parcel>(sortBy: [SortDescriptor(\.code)]))
    #expect(parcels.map(\.code) == ["a", "b", "c"] && parcels.map(\.priority) == [3, 3, 3])
    #expect(Array(parcels[0].label.utf8) == Array("e\u{301}".utf8))
    parcels[0].depot = V2.Depot(name: "d")
    parcels[0].priority = 9
    try new.add([V2.Parcel(code: "d", label: "new", note: "n", sender: "v")])
    // A program with the older version can still be started, and reads the default value of a removed property.
    let started = try fixture.open(V1.self, First.self)
    let old = try started.fetch(FetchDescriptor<V1.Parcel>(sortBy: [SortDescriptor(\.code)]))
    #expect(
      old.map(\.code) == ["a", "b", "c", "d"] && old.map(\.remark) == ["e\u{301}\u{301}", "none", "none", "none"])
    #expect(old.map(\.weight) == [1.5, nil, nil, nil])
    // Each program reads the other's changes, as far as its version contains the models and properties.
    func counts(_ context: ModelContext) throws -> [Int] {
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.changes.count)
    }
    #expect(try counts(started) == [5, 1, 1])
    #expect(try counts(new) == [4, 1, 3])
    old[1].label = "changed"
    try started.save()
    #expect(try new.all(V2.Parcel.self).first { $0.code == "b" }?.label == "changed")

    try fixture.migration(Second.self).run(.contract)
    let error = #expect(throws: SwiftDataError.self) {
      try running.add([V1.Parcel(code: "e", label: "late", sender: "w")])
    }
    #expect(error?.storeProblem == .newerSchema)
    let refused = #expect(throws: SwiftDataError.self) { try fixture.open(V1.self, First.self) }
    #expect(
      refused?.storeProblem == .newerSchema && "\(refused.map { "\($0)" } ?? "")".contains("from version 2.0.0 on"))
    // The running program with the new version continues.
    try new.add([V2.Parcel(code: "f", label: "later", sender: "x")])
    #expect(try new.fetchCount(FetchDescriptor<V2.Parcel>()) == 5)
    #expect(try fixture.shape() == self.freshShape(V2.self))
    #expect(try fixture.psql("SELECT count(*) FROM \"Parcel\" WHERE \"$exact\"::text LIKE '%remark%'") == "0")
  }

  private func freshShape(_ version: any VersionedSchema.Type) throws -> String {
    let fresh = try PostgresFixture()
    _ = try fresh.open(version)
    return try fresh.shape()
  }

  @Test func openingMigratesInOneTransaction() throws {
    let running = try fixture.open(V1.self, First.self)
    let parcel = try #require(try running.all(V1.Parcel.self).first { $0.code == "b" })
    let context = try fixture.open(V3.self, RolloutMigrationPlan.self)
    let items = try context.fetch(FetchDescriptor<Item>(sortBy: [SortDescriptor(\.code)]))
    #expect(items.map(\.code) == ["a", "b"] && items.map(\.priority) == [3, 3])
    #expect(Array(items[0].title.utf8) == Array("e\u{301}".utf8))
    #expect(Set(items[0].scans.map(\.place)) == ["Oslo", "Bodø"])
    #expect(try fixture.shape() == self.freshShape(V3.self))
    // Key assignment continues, and the history has the names of the new version.
    try context.add([Item(code: "c", title: "t", sender: "s")])
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.first?.changes.contains { $0.changedPersistentIdentifier.entityName == "Item" } == true)
    // In a running program with the first version, every operation throws a typed error.
    parcel.label = "late"
    for _ in 0..<2 {
      let error = #expect(throws: SwiftDataError.self) { try running.save() }
      #expect(error?.storeProblem == .newerSchema)
    }
    let read = #expect(throws: SwiftDataError.self) { try ModelContext(running.container).all(V1.Parcel.self) }
    #expect(read?.storeProblem == .newerSchema)
    // Opening the store again changes nothing.
    let metadata = try fixture.psql("SELECT * FROM trellis_metadata ORDER BY 1")
    _ = try fixture.open(V3.self, RolloutMigrationPlan.self)
    #expect(try fixture.psql("SELECT * FROM trellis_metadata ORDER BY 1") == metadata)
  }

  @Test func renamedModelsHaveNoPhases() throws {
    _ = try fixture.open(V2.self, Second.self)
    let before = try fixture.shape()
    let migration = try fixture.migration(RolloutMigrationPlan.self)
    #expect(migration.exclusions.contains { $0.contains("'Parcel' is now called 'Item'") })
    #expect(
      migration.statements(.expand) == []
        && migration.statements(.contract).contains { $0.contains("RENAME TO \"Item\"") })
    let error = #expect(throws: SwiftDataError.self) { try migration.run(.expand) }
    #expect(error?.storeProblem == .migrationFailed && "\(error.map { "\($0)" } ?? "")".contains("at the same time"))
    #expect(throws: SwiftDataError.self) {
      try fixture.open(V3.self, RolloutMigrationPlan.self) { $0.migration.keepsOlderPrograms = true }
    }
    #expect(try fixture.shape() == before)
    #expect(throws: SwiftDataError.self) { try migration.run(.contract) }
    try migration.run()
    #expect(try fixture.open(V3.self, RolloutMigrationPlan.self).fetchCount(FetchDescriptor<Item>()) == 2)
  }

  @Test func duplicateValuesOfANewConstraintStopTheSecondPhase() throws {
    let old = try fixture.open(V1.self, First.self)
    try fixture.migration(Second.self).run(.expand)
    try old.add([V1.Parcel(code: "b", label: "twice", sender: "u")])
    let error = #expect(throws: SwiftDataError.self) { try fixture.migration(Second.self).run(.contract) }
    #expect(error?.storeProblem == .migrationFailed && "\(error.map { "\($0)" } ?? "")".contains("'code'"))
    // No invalid index remains, and programs with the older version continue.
    #expect(try fixture.invalidIndexes() == "0")
    old.delete(try #require(try old.all(V1.Parcel.self).first { $0.label == "twice" }))
    try old.save()
    try fixture.migration(Second.self).run(.contract)
    #expect(try fixture.shape() == self.freshShape(V2.self))
  }

  @Test func interruptedIndexesAreRebuilt() throws {
    try fixture.migration(Second.self).run(.expand)
    // The view 'pg_indexes' may fail while another test drops its schema.
    let name = try fixture.psql(
      """
      WITH own AS MATERIALIZED (SELECT oid, relname FROM pg_class
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'i')
      SELECT relname FROM own WHERE pg_get_indexdef(oid) LIKE '%(label)%'
      """)
    #expect(!name.isEmpty)
    try fixture.server.psql(
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = '\(fixture.schema).\"\(name)\"'::regclass")
    try fixture.migration(Second.self).run(.expand)
    #expect(try fixture.invalidIndexes() == "0")
    try fixture.migration(Second.self).run(.contract)
    #expect(try fixture.shape() == self.freshShape(V2.self))
    // Both phases can be run again.
    try fixture.migration(Second.self).run(.contract)
    try fixture.migration(Second.self).run(.expand)
  }

  /// The program that ran the first phase ended after the transaction and before the indexes were created.
  @Test(arguments: [true, false]) func theNextStepFinishesTheFirstPhase(isContraction: Bool) throws {
    try fixture.migration(Second.self).run(.expand)
    try fixture.psql("DROP INDEX \"Parcel_label_index\"")
    if isContraction {
      try fixture.migration(Second.self).run(.contract)
      #expect(try fixture.shape() == self.freshShape(V2.self))
    } else {
      _ = try fixture.open(V3.self, RolloutMigrationPlan.self)
      #expect(try fixture.shape() == self.freshShape(V3.self))
    }
  }

  @Test func theSecondPhaseRequiresTheFirst() throws {
    let error = #expect(throws: SwiftDataError.self) { try fixture.migration(Second.self).run(.contract) }
    #expect(error?.storeProblem == .needsMigration)
  }

  @Test(arguments: MigrationFaultTests.Kind.allCases)
  func aPendingPhaseIsPartOfTheNextMigration(kind: MigrationFaultTests.Kind) throws {
    try fixture.migration(Second.self).run(.expand)
    let context = try fixture.open(V3.self, kind.plan)
    #expect(try context.all(Item.self).map(\.code).sorted() == ["a", "b"])
    #expect(try fixture.shape() == self.freshShape(V3.self))
  }

  @Test(arguments: 0..<Repetitions.scaled(1, upTo: 8))
  func programsStartedConcurrentlyExpandOnce(round: Int) throws {
    let errors = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        let context = try fixture.open(V2.self, Second.self) { $0.migration.keepsOlderPrograms = true }
        _ = try context.fetchCount(FetchDescriptor<V2.Parcel>())
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock { $0 } == [])
    #expect(try fixture.invalidIndexes() == "0")
    try fixture.migration(Second.self).run(.contract)
    #expect(try fixture.shape() == self.freshShape(V2.self))
  }

  @Test func theHistoryKeepsChangesMadeBetweenThePhases() throws {
    try fixture.migration(Second.self).run(.expand)
    let second = try fixture.open(V2.self, Second.self)
    let start = try #require(try second.history.latestToken())
    let parcel = V2.Parcel(code: "n", label: "n", note: "n", sender: "n")
    try second.add([V2.Depot(name: "d"), parcel])
    parcel.note = "changed"
    try second.save()
    let context = try fixture.open(V3.self, RolloutMigrationPlan.self)
    let found = try context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > start }))
    let changes = found.flatMap(\.changes)
    #expect(changes.map(\.changedPersistentIdentifier.entityName).sorted() == ["Depot", "Item", "Item"])
    let updates = changes.compactMap { change -> [Bool]? in
      guard case .update(let update as DefaultHistoryUpdate<Item>) = change else { return nil }
      return update.updatedAttributes.map { $0 == \Item.note }
    }
    #expect(updates == [[true]])
  }

  @Test func clientsAndReadersDoNotMigrate() throws {
    for change in [
      { (configuration: inout PostgresConfiguration) in configuration.migration.role = .client },
      { $0.allowsSave = false },
    ] {
      let error = #expect(throws: SwiftDataError.self) { try fixture.open(V2.self, Second.self, change) }
      #expect(error?.storeProblem == .needsMigration)
    }
    _ = try fixture.open(V2.self, Second.self)
    _ = try fixture.open(V2.self, Second.self) { $0.allowsSave = false }
  }

  @Test func migrationsTimeOutWaitingForLocks() throws {
    let writer = try fixture.open(V1.self, First.self)
    let isOver = DispatchSemaphore(value: 0)
    let thread = Thread { [fixture] in
      // Runs until the statement is cancelled.
      _ = try? fixture.psql("BEGIN; LOCK TABLE \"Parcel\" IN ROW EXCLUSIVE MODE; SELECT pg_sleep(60); COMMIT")
      isOver.signal()
    }
    thread.start()
    while try fixture.psql("SELECT count(*) FROM pg_locks WHERE relation = '\"Parcel\"'::regclass") == "0" {}
    let error = #expect(throws: SwiftDataError.self) {
      try fixture.open(V2.self, Second.self) {
        $0.migration.lockTimeout = .milliseconds(50)
        $0.migration.lockWait = .milliseconds(200)
      }
    }
    #expect(error?.storeProblem == .locked)
    // Other programs can save between the attempts.
    try writer.add([V1.Leaflet(text: "y")])
    Thread { [fixture] in
      // The next migration begins before the lock is released.
      Thread.sleep(forTimeInterval: 0.3)
      _ = try? fixture.psql(
        """
        SELECT pg_cancel_backend(pid) FROM pg_locks
        WHERE relation = '"Parcel"'::regclass AND mode = 'RowExclusiveLock' AND granted
        """)
    }.start()
    let context = try fixture.open(V2.self, Second.self) { $0.migration.lockTimeout = .milliseconds(100) }
    #expect(try context.fetchCount(FetchDescriptor<V2.Parcel>()) == 2)
    isOver.wait()
  }
}

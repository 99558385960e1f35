import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Synchronization
import TestSupport
import Testing
import Trellis

/// Incompatible stores and plans.
@Suite struct RefusalTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Trip.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Trip.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum V3: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV3.Trip.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  }

  enum Whole: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [Classic.fillTrips])]
    }
  }

  enum WithoutFill: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum FromSecond: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V2.self, V3.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum Backwards: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: V3.self, toVersion: V2.self)]
    }
  }

  enum TooFar: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: V1.self, toVersion: V3.self)]
    }
  }

  enum WrongFill: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [
            .fill(ClassicV1.Home.Snapshot.self, ClassicV2.Trip.Snapshot.self, ["cents", "kin"]) {
              _, _ in
            },
            .dedupe(ClassicV2.Trip.self, on: ["nme"]),
          ])
      ]
    }
  }

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    let context = try fixture.open(V1.self)
    try context.add([
      ClassicV1.Trip(title: "Oslo", budget: 1.5, photo: Data(repeating: 1, count: 200_000))
    ])
  }

  private func metadata() throws -> String { try fixture.shell("SELECT * FROM trellis_metadata") }

  @Test func S124_newerAndUnknownStoresThrowDifferentErrors() throws {
    #expect(try fixture.open(V3.self, Whole.self).all(ClassicV3.Trip.self).map(\.cents) == [150])
    let newer = #expect(throws: SwiftDataError.backwardMigration) { try fixture.open(V1.self) }
    #expect(newer?.storeProblem == .newerSchema)
    #expect(throws: SwiftDataError.backwardMigration) {
      try fixture.open(V2.self, WithoutFill.self)
    }
    let old = try MigrationFixture()
    try old.open(V1.self).add([ClassicV1.Trip(title: "x", budget: 1)])
    let before = try old.shell("SELECT * FROM trellis_metadata")
    // Apple's name of the error since 2026; previously `loadIssueModelContainer`.
    let unknown = #expect(throws: SwiftDataError.unknownDataStoreSchema) {
      try old.open(V3.self, FromSecond.self)
    }
    #expect(unknown?.storeProblem == .unknownSchema)
    let text = unknown?.explanation ?? ""
    #expect(text.contains("it differs from version 2.0.0 as follows:"))
    #expect(text.contains("'Trip.budget' (Double) exists only in the store"))
    #expect(text.contains("'Trip.cents' (Int) is not in the store"))
    #expect(text.contains("the index of 'Trip' on "))
    #expect(try old.shell("SELECT * FROM trellis_metadata") == before)
    #expect(try old.open(V1.self).all(ClassicV1.Trip.self).map(\.title) == ["x"])
  }

  @Test func missingRequiredValuesAreListedBeforeAnyChange() throws {
    let before = try metadata()
    let error = #expect(throws: SwiftDataError.self) {
      try fixture.open(V2.self, WithoutFill.self)
    }
    #expect(error?.storeProblem == .migrationFailed)
    let text = error?.explanation ?? ""
    #expect(text.contains("'Trip.cents' is new and required, but has no default value"))
    #expect(text.contains("nothing was touched"))
    #expect(try metadata() == before && fixture.backups.isEmpty)
  }

  @Test func invalidStepsAreListed() throws {
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(V2.self, WrongFill.self) }
    let text = error?.explanation ?? ""
    #expect(text.contains("a fill names 'Trip.kin'"))
    #expect(text.contains("a fill of 'Trip' reads 'Home', but the rows of 'Trip' come from 'Trip'"))
    #expect(text.contains("'dedupe' names 'Trip.nme'"))
  }

  @Test func disconnectedStagesAreNamed() throws {
    let backwards = #expect(throws: SwiftDataError.unknownSchema) {
      try fixture.open(V3.self, Backwards.self)
    }
    #expect(backwards?.explanation?.contains("3.0.0 → 2.0.0 does not lead to a newer") == true)
    let gap = #expect(throws: SwiftDataError.unknownSchema) { try fixture.open(V2.self, TooFar.self) }
    #expect(gap?.explanation?.contains("no stage leads from version 1.0.0 to 2.0.0") == true)
  }

  /// A version 2 store would lose the contents that version 1 cannot store.
  @Test func versionsOutOfOrderAreNamed() throws {
    let store = try MigrationFixture()
    try store.open(V2.self).add([ClassicV2.Trip(name: "x", cents: 1, kind: .personal)])
    enum Disordered: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V2.self, V1.self, V3.self] }
      static var stages: [MigrationStage] { [] }
    }
    let error = #expect(throws: SwiftDataError.unknownSchema) { try store.open(V3.self, Disordered.self) }
    #expect(error?.explanation?.contains("'schemas' list version 1.0.0 after 2.0.0") == true)
    #expect(try store.open(V2.self).all(ClassicV2.Trip.self).map(\.name) == ["x"])
  }

  /// Two of three tags are equal. The removal of a duplicate must not fire triggers.
  @Test func foreignTriggersDoNotFire() throws {
    let store = try MigrationFixture()
    do { try Classic.fill(store.open(Classic.V1.self)) }
    try store.shell(
      """
      CREATE TRIGGER theirs AFTER DELETE ON Tag BEGIN DELETE FROM Pair; END;
      CREATE TRIGGER more AFTER INSERT ON Tag BEGIN DELETE FROM Pair; END;
      CREATE TRIGGER gone AFTER DELETE ON Journey BEGIN SELECT 1; END
      """)
    let context = try store.open(Classic.V2.self, Classic.Plan.self)
    #expect(try context.all(ClassicV2.Tag.self).count == 2)
    #expect(try context.all(ClassicV2.Pair.self).count == 1)
    // The triggers still exist, unless their table was renamed.
    #expect(
      try store.shell("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name NOT LIKE 'trellis%' ORDER BY 1")
        == "more\ntheirs")
    #expect(try store.complaints() == "")
  }

  @Test func clientsNeverMigrate() throws {
    fixture.options.role = .client
    let before = try metadata()
    for plan in [Whole.self as (any SchemaMigrationPlan.Type)?, nil] {
      let error = #expect(throws: SwiftDataError.self) { try fixture.open(V3.self, plan) }
      #expect(error?.storeProblem == .needsMigration)
      #expect(error?.explanation?.contains("open the store once with the app that owns it") == true)
    }
    #expect(try metadata() == before)
    fixture.options.role = .owner
    _ = try fixture.open(V3.self, Whole.self)
    fixture.options.role = .client
    #expect(try fixture.open(V3.self, Whole.self).all(ClassicV3.Trip.self).count == 1)
  }

  enum ToSecond: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [Classic.fillTrips])]
    }
  }

  /// Two releases of a program migrate concurrently. The newer one continues after the older one.
  @Test func theSlowerProgramContinuesTheMigration() throws {
    for round in 0..<Repetitions.scaled(4, upTo: 40) {
      let store = try MigrationFixture()
      try store.open(V1.self).add([ClassicV1.Trip(title: "Oslo", budget: 1.5)])
      nonisolated(unsafe) let shared = store
      let problems = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        do {
          if (number == 0) == (round % 2 == 0) {
            _ = try shared.open(V3.self, Whole.self)
          } else {
            _ = try shared.open(V2.self, ToSecond.self)
          }
        } catch let error as SwiftDataError where error.storeProblem == .newerSchema {
          // The older release was slower and found a newer store.
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
      #expect(problems.withLock { $0 } == [], "round \(round)")
      #expect(try store.open(V3.self, Whole.self).all(ClassicV3.Trip.self).map(\.cents) == [150])
      #expect(try store.complaints() == "")
    }
  }

  @Test func readersDoNotMigrate() throws {
    let error = #expect(throws: SwiftDataError.self) {
      try fixture.open(V3.self, Whole.self, allowsSave: false)
    }
    #expect(error?.storeProblem == .needsMigration)
  }

  /// A store of an unknown version with fewer models than the program.
  @Test func unknownStoresCanBeOpenedWithAnOption() throws {
    let other = try MigrationFixture()
    try other.open(V2.self).add([ClassicV2.Trip(name: "x", cents: 1, kind: .personal)])
    enum Last: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V3.self] }
      static var stages: [MigrationStage] { [] }
    }
    #expect(throws: SwiftDataError.unknownDataStoreSchema) { try other.open(V3.self, Last.self) }
    other.options.unknownSchema = .openWhenAdditive
    let trips = try other.open(V3.self, Last.self).all(ClassicV3.Trip.self)
    #expect(trips.map(\.name) == ["x"] && trips.map(\.rating) == [nil])
    fixture.options.unknownSchema = .openWhenAdditive
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(V3.self, Last.self) }
    #expect(error?.storeProblem == .differentSchema)
  }

  /// An index keeps its name when its property is renamed in place. It is identified by its columns.
  @Test func indexesOfRenamedPropertiesAreFound() throws {
    let store = try MigrationFixture()
    try store.open(V2.self).add([ClassicV2.Trip(name: "x", cents: 1, kind: .personal)])
    try store.shell(
      """
      DROP INDEX Trip_name_index; CREATE INDEX Trip_old_index ON Trip (name);
      DROP INDEX Trip_cents_index; CREATE INDEX Trip_name_index ON Trip (cents)
      """)
    // The index of the cents is dropped.
    let trips = try store.open(V3.self).all(ClassicV3.Trip.self)
    #expect(trips.map(\.name) == ["x"])
    #expect(try store.shell("SELECT name FROM pragma_index_list('Trip')") == "Trip_old_index")
    #expect(try store.complaints() == "")
  }

  @Test func backupsAreKeptUnlessDisabled() throws {
    fixture.options.keepsBackup = false
    _ = try fixture.open(V3.self, Whole.self)
    #expect(fixture.backups.isEmpty)
  }

  @Test func aStepsContextIsUnusableAfterTheStep() throws {
    nonisolated(unsafe) var kept: ModelContext?
    _ = kept
    Escape.take = { kept = $0 }
    _ = try fixture.open(V2.self, Escape.self)
    #expect(throws: SwiftDataError.contextInUse) { try kept?.all(ClassicV2.Trip.self) }
  }

  enum Escape: SchemaMigrationPlan {
    nonisolated(unsafe) static var take: (ModelContext) -> Void = { _ in }
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [Classic.fillTrips, .custom("keep") { take($0.new) }])
      ]
    }
  }
}

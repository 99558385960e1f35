import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// Columns and tables that another program added to a store.
@Suite struct StrayTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV1.Trip.self, ClassicV1.Vehicle.self, ClassicV1.Home.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  /// The trips are rewritten, the vehicles get a column in place, and the places are new.
  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV2.Trip.self, ClassicV2.Vehicle.self, ClassicV2.Place.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [Classic.fillTrips])]
    }
  }

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    try fixture.open(V1.self).add([
      ClassicV1.Trip(title: "Oslo", budget: 1.5), ClassicV1.Vehicle(name: "v"), ClassicV1.Home(street: "h"),
    ])
  }

  private func expectRefusal(_ problem: StoreProblem, naming names: [String]) throws {
    let before = try fixture.everything()
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(V2.self, Plan.self) }
    #expect(error?.storeProblem == problem)
    let text = error?.explanation ?? ""
    for name in names { #expect(text.contains(name), "\(text)") }
    #expect(try fixture.everything() == before)
    #expect(fixture.backups.isEmpty)
    #expect(try fixture.open(V1.self).all(ClassicV1.Vehicle.self).map(\.name) == ["v"])
  }

  /// Without a check, one table would lose its column silently and the other would never be migrated.
  @Test(arguments: ["Trip", "Vehicle"])
  func foreignColumnsAreReportedBeforeAnyChange(_ table: String) throws {
    try fixture.shell("ALTER TABLE \(table) ADD COLUMN theirs TEXT; UPDATE \(table) SET theirs = 'kept'")
    try expectRefusal(
      .drifted,
      naming: [
        "column '\(table).theirs' belongs to no version", "ALTER TABLE \"\(table)\" DROP COLUMN \"theirs\"",
        "'migration.strayColumns'",
      ])
    #expect(try fixture.shell("SELECT theirs FROM \(table)") == "kept")
    // The solution that the message suggests.
    try fixture.shell("ALTER TABLE \"\(table)\" DROP COLUMN \"theirs\"")
    #expect(try fixture.open(V2.self, Plan.self).all(ClassicV2.Trip.self).map(\.cents) == [150])
  }

  @Test(arguments: ["Trip", "Vehicle"])
  func foreignColumnsAreDroppedWithTheOption(_ table: String) throws {
    try fixture.shell(
      """
      ALTER TABLE \(table) ADD COLUMN theirs TEXT; ALTER TABLE \(table) ADD COLUMN more INTEGER DEFAULT 7;
      UPDATE \(table) SET theirs = 'kept';
      CREATE INDEX mine ON \(table) (theirs); CREATE INDEX both ON \(table) (more, theirs);
      CREATE TRIGGER watching AFTER UPDATE OF theirs ON \(table) BEGIN SELECT new.theirs; END
      """)
    fixture.options.strayColumns = .drop
    let context = try fixture.open(V2.self, Plan.self)
    #expect(try context.all(ClassicV2.Trip.self).map(\.name) == ["Oslo"])
    #expect(try context.all(ClassicV2.Vehicle.self).map(\.wheels) == [4])
    #expect(
      try fixture.shell("SELECT count(*) FROM pragma_table_info('\(table)') WHERE name IN ('theirs', 'more')") == "0")
    #expect(try fixture.complaints() == "")
    let backup = fixture.folder.appendingPathComponent(try #require(fixture.backups.first)).path
    #expect(try fixture.shell("SELECT theirs, more FROM \(table)", file: backup) == "kept|7")
  }

  /// Only the backup preserves such a column, even if no rows are rewritten.
  @Test func droppingForeignColumnsCreatesABackup() throws {
    let store = try MigrationFixture()
    try store.open(OtherProgramTests.Added.V1.self).add([ClassicV1.Vehicle(name: "v")])
    try store.shell("ALTER TABLE Vehicle ADD COLUMN theirs TEXT")
    store.options.strayColumns = .drop
    _ = try store.open(OtherProgramTests.Added.V2.self, OtherProgramTests.Added.self)
    #expect(store.backups == ["test.store.backup-1.0.0"])
  }

  /// SQLite cannot rename tables while a view refers to a missing table.
  @Test(arguments: [true, false])
  func foreignViewsAreKept(_ hasPlan: Bool) throws {
    let store = try MigrationFixture()
    try store.open(PlanTests.V1.self).add([ClassicV1.Journey(place: "Oslo")])
    let views = """
      CREATE VIEW places AS SELECT place FROM Journey;
      CREATE VIEW broken AS SELECT * FROM nowhere;
      CREATE VIEW pairs AS SELECT left AS x FROM Pair;
      CREATE TRIGGER taking INSTEAD OF INSERT ON pairs BEGIN SELECT new.x; END
      """
    try store.shell(views)
    let voyages = try store.open(PlanTests.V2.self, hasPlan ? PlanTests.ToSecond.self : nil)
    #expect(try voyages.all(ClassicV2.Voyage.self).map(\.harbour) == ["Oslo"])
    #expect(
      try store.shell("SELECT sql || ';' FROM sqlite_schema WHERE type = 'view' OR name = 'taking'")
        == views.replacing("END", with: "END;"))
    #expect(try store.complaints() == "")
    // The view of an unchanged table still works.
    #expect(try store.shell("SELECT count(*) FROM pairs") == "0")
  }

  @Test func brokenForeignKeysOfForeignTablesAreIgnored() throws {
    try fixture.shell("CREATE TABLE theirs (trip INTEGER REFERENCES Trip(id)); INSERT INTO theirs VALUES (99)")
    #expect(try fixture.open(V2.self, Plan.self).all(ClassicV2.Trip.self).map(\.cents) == [150])
    #expect(try fixture.shell("SELECT trip FROM theirs") == "99")
  }

  @Test func tableNameConflictsAreReported() throws {
    try fixture.shell("CREATE TABLE place (x); INSERT INTO place VALUES ('kept')")
    try expectRefusal(.drifted, naming: ["table 'place' belongs to another program", "rename or drop the table"])
    #expect(try fixture.shell("SELECT x FROM place") == "kept")
  }

  /// Additions need no plan, and foreign columns stay unchanged.
  @Test func withoutAPlanForeignColumnsAreKept() throws {
    let store = try MigrationFixture()
    try store.open(OtherProgramTests.Added.V1.self).add([ClassicV1.Vehicle(name: "v")])
    try store.shell("ALTER TABLE Vehicle ADD COLUMN theirs TEXT; UPDATE Vehicle SET theirs = 'kept'")
    let vehicles = try store.open(OtherProgramTests.Added.V2.self).all(ClassicV2.Vehicle.self)
    #expect(vehicles.map(\.wheels) == [4])
    #expect(try store.shell("SELECT theirs FROM Vehicle") == "kept")
  }

  @Test(arguments: ["Wheels", "wheels"])
  func withoutAPlanTableNameConflictsAreReported(_ name: String) throws {
    let store = try MigrationFixture()
    try store.open(OtherProgramTests.Added.V1.self).add([ClassicV1.Vehicle(name: "v")])
    try store.shell("ALTER TABLE Vehicle ADD COLUMN \(name) INTEGER")
    let error = #expect(throws: SwiftDataError.self) { try store.open(OtherProgramTests.Added.V2.self) }
    #expect(error?.storeProblem == .drifted)
    #expect(error?.explanation?.contains("column 'Vehicle.\(name)' belongs to no version of the schema") == true)
    #expect(try store.open(OtherProgramTests.Added.V1.self).all(ClassicV1.Vehicle.self).count == 1)
  }
}

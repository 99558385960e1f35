import Foundation
import StoreCare
import Testing
import Trellis

/// A way to damage a store, and the findings that it must cause.
struct Damage: CustomTestStringConvertible, Sendable {
  let schema: String
  let statements: [String]
  /// Findings as `kind Entity.column`.
  let findings: Set<String>
  /// A table that accepts any value while the statements run.
  var table: String?

  init(_ schema: String, _ statements: String..., loosening table: String? = nil, finds findings: String...) {
    self.schema = schema
    self.statements = statements
    self.findings = Set(findings)
    self.table = table
  }

  var testDescription: String { statements.joined(separator: "; ") }
}

@Suite struct DamageTests {
  static let catalogue = [
    Damage("SampleTrips", "DROP INDEX Trip_startDate_index", finds: "different-table"),
    Damage("SampleTrips", "ALTER TABLE BucketListItem DROP COLUMN details", finds: "different-table"),
    Damage("SampleTrips", "DROP TRIGGER trellis_Trip_photo_deleted", finds: "missing-trigger"),
    Damage("SampleTrips", "DROP TABLE trellis_tombstones", finds: "different-table"),
    Damage(
      "SampleTrips", "DROP TABLE trellis_discarded_files", finds: "missing-trigger trellis_discarded_files"),
    Damage(
      "SampleTrips", "UPDATE trellis_metadata SET value = '3.x' WHERE key = 'version'",
      finds: "unreadable-schema trellis_metadata.version"),
    Damage(
      "SampleTrips", "UPDATE trellis_metadata SET value = x'ff' WHERE key = 'source'",
      finds: "unreadable-schema trellis_metadata.source"),
    Damage(
      "SampleTrips", "UPDATE trellis_metadata SET value = 99 WHERE key = 'history epoch'",
      finds: "unreadable-schema trellis_metadata.history epoch"),
    Damage(
      "SampleTrips", "UPDATE trellis_metadata SET value = '[]' WHERE key = 'tables'",
      finds: "outdated-description trellis_metadata"),
    Damage("SampleTrips", "UPDATE trellis_metadata SET value = '{' WHERE key = 'schema'", finds: "unreadable-schema"),
    Damage("SampleTrips", "DELETE FROM trellis_metadata WHERE key = 'identifier'", finds: "unreadable-schema"),
    Damage("SampleTrips", "DROP TABLE trellis_metadata", finds: "unreadable-schema"),
    Damage(
      "Inheritance",
      """
      UPDATE trellis_metadata SET value =
      replace(value, '"superentity":"Journey"', '"superentity":"BusinessJourney"') WHERE key = 'schema'
      """, finds: "unreadable-schema"),
  ]

  static let references = [
    Damage(
      "SampleTrips", "UPDATE BucketListItem SET trip = 9999 WHERE id = 1", finds: "dangling-reference BucketListItem"),
    Damage(
      "SampleTrips",
      "UPDATE Trip SET livingAccommodation = NULL WHERE id = (SELECT trip FROM LivingAccommodation WHERE trip > 0)",
      finds: "one-sided-reference LivingAccommodation.trip"),
    Damage(
      "Relationships", "DELETE FROM Reader_friends WHERE Reader = (SELECT min(Reader) FROM Reader_friends)",
      finds: "one-sided-reference Reader.friends"),
    Damage(
      "Relationships", "UPDATE Library_readers SET readers_position = -1", finds: "list-position Library.readers"),
    Damage("SampleTrips", "DELETE FROM trellis_metadata WHERE key = 'next Trip'", finds: "used-key Trip"),
    Damage("SampleTrips", "UPDATE trellis_metadata SET value = 2 WHERE key = 'next Trip'", finds: "used-key Trip"),
    Damage(
      "SampleTrips", "UPDATE trellis_metadata SET value = 9223372036854775807 WHERE key = 'next Trip'",
      finds: "used-key Trip"),
    Damage(
      "SampleTrips", "DROP INDEX LivingAccommodation_bookingReference_unique",
      "UPDATE LivingAccommodation SET bookingReference = 'A1' WHERE id < 3",
      finds: "different-table", "duplicate-value LivingAccommodation.bookingReference"),
  ]

  static let values = [
    Damage("SampleTrips", "UPDATE Trip SET kind = 'cruise' WHERE id = 1", finds: "unknown-case Trip.kind"),
    Damage("SampleTrips", "UPDATE BucketListItem SET priority = 7", finds: "unknown-case BucketListItem.priority"),
    Damage(
      "SampleTrips", "UPDATE Trip SET name = CAST(x'ff41' AS TEXT) WHERE id = 1", finds: "wrong-value Trip.name"),
    Damage("SampleTrips", "UPDATE Trip SET budget = '12,5'", finds: "wrong-value Trip.budget"),
    Damage("SampleTrips", "UPDATE Trip SET startDate = 'soon' WHERE id = 1", finds: "wrong-value Trip.startDate"),
    Damage("SampleTrips", "UPDATE Trip SET tags = '[1,' WHERE id = 1", finds: "wrong-value Trip.tags"),
    Damage("SampleTrips", "UPDATE Trip SET tags = '[1]' WHERE id = 1", finds: "wrong-value Trip.tags"),
    Damage(
      "SampleTrips", "UPDATE Trip SET address = '{\"street\":\"S\"}' WHERE id = 1", finds: "wrong-value Trip.address"),
    Damage(
      "SampleTrips", "UPDATE Trip SET destination = NULL WHERE id = 1", loosening: "Trip",
      finds: "missing-value Trip.destination", "different-table"),
    Damage(
      "SampleTrips", "UPDATE BucketListItem SET isInPlan = 'yes' WHERE id = 1", loosening: "BucketListItem",
      finds: "wrong-value BucketListItem.isInPlan", "different-table"),
    Damage("Inheritance", "UPDATE Journey SET entity = 'Ghost' WHERE id = 1", finds: "unknown-entity Journey.entity"),
    Damage(
      "Inheritance", "UPDATE Journey SET company = NULL WHERE entity = 'BusinessJourney'",
      finds: "missing-value BusinessJourney.company"),
    Damage("Values", "UPDATE Everything SET bool = 2 WHERE id = 1", finds: "wrong-value Everything.bool"),
    Damage("Values", "UPDATE Everything SET int8 = 1000 WHERE id = 1", finds: "wrong-value Everything.int8"),
    Damage("Values", "UPDATE Everything SET uint8 = -1 WHERE id = 1", finds: "wrong-value Everything.uint8"),
    Damage("Values", "UPDATE Everything SET float = 1e300 WHERE id = 1", finds: "wrong-value Everything.float"),
    Damage("Values", "UPDATE Everything SET double = x'00' WHERE id = 1", finds: "wrong-value Everything.double"),
    Damage("Values", "UPDATE Everything SET character = 'ab' WHERE id = 1", finds: "wrong-value Everything.character"),
    Damage("Values", "UPDATE Everything SET uuid = 'x' WHERE id = 1", finds: "wrong-value Everything.uuid"),
    Damage("Values", "UPDATE Everything SET url = '' WHERE id = 1", finds: "wrong-value Everything.url"),
    Damage("Values", "UPDATE Everything SET colour = 'blue' WHERE id = 1", finds: "unknown-case Everything.colour"),
    Damage(
      "Values", "UPDATE Everything SET shape = '{\"circle\":{}}' WHERE id = 1", finds: "wrong-value Everything.shape"),
    Damage(
      "Values", "UPDATE Everything SET shape = '{\"cube\":{}}' WHERE id = 1", finds: "wrong-value Everything.shape"),
    Damage("Values", "UPDATE Everything SET counts = '{\"a\":\"b\"}'", finds: "wrong-value Everything.counts"),
    Damage("Values", "UPDATE Measurement SET level = 9 WHERE id = 1", finds: "unknown-case Measurement.level"),
    Damage(
      "SampleTrips", "DELETE FROM trellis_metadata WHERE key = 'mark not NFC: Trip.name'",
      "UPDATE Trip SET name = 'e' || char(769) WHERE id = 1", finds: "missing-mark Trip.name"),
    Damage(
      "Values", "DELETE FROM trellis_metadata WHERE key = 'mark NaN: Everything.double'",
      "UPDATE Everything SET double = 'NaN' WHERE id = 1", finds: "missing-mark Everything.double"),
  ]

  private static let transactions =
    "INSERT INTO trellis_history VALUES (1, 0.5, NULL, 'b', 'p', NULL), (2, 1.5, NULL, 'b', 'p', x'010001')"

  static let history = [
    Damage(
      "SampleTrips", transactions, "UPDATE trellis_history SET changes = x'01000502' WHERE id = 2",
      finds: "history trellis_history.changes"),
    Damage(
      "SampleTrips", transactions, "UPDATE trellis_history SET changes = x'02' WHERE id = 2",
      finds: "history trellis_history.changes"),
    Damage(
      "SampleTrips", transactions, "UPDATE trellis_history SET time = 'then' WHERE id = 1",
      finds: "history trellis_history.time"),
    Damage(
      "SampleTrips", transactions, "UPDATE trellis_history SET time = 9e999 WHERE id = 1",
      finds: "history trellis_history.time"),
    Damage(
      "SampleTrips",
      "INSERT INTO trellis_tombstones (\"transaction\", entity, key, part) VALUES (999, 0, 1, 0)",
      finds: "history trellis_tombstones.transaction"),
    Damage(
      "SampleTrips", transactions, "UPDATE trellis_history SET changes = x'010001'",
      "INSERT INTO trellis_metadata VALUES ('history floor', 1)", finds: "history trellis_history.id"),
  ]

  @Test(arguments: catalogue + references + values + history) func eachDamageIsFound(_ damage: Damage) throws {
    let store = try StoreUnderTest(damage.schema)
    if let table = damage.table {
      try store.run(inLoose: table, damage.statements)
    } else {
      try store.run(damage.statements)
    }
    let before = contents(of: store.path)
    let report = try StoreChecker.check(store.path)
    #expect(Set(report.findings.map(\.place)) == damage.findings, "\(report.text)")
    #expect(contents(of: store.path) == before)
  }

  @Test func aFindingHasTheNumberOfRowsAndExamples() throws {
    let store = try StoreUnderTest("SampleTrips")
    try store.run("UPDATE Trip SET kind = 'cruise' WHERE id BETWEEN 3 AND 12")
    let finding = try #require(StoreChecker.check(store.path).findings.first)
    #expect(finding.count == 10)
    #expect(finding.examples == ["3", "4", "5", "6", "7"])
    #expect(finding.text.hasPrefix("unknown-case  Trip.kind (10): "))
  }

  /// Another program's tables, and its indexes on the store's tables.
  @Test func otherProgramsNeitherCauseNorHideFindings() throws {
    let store = try StoreUnderTest("SampleTrips")
    try store.run(
      "UPDATE BucketListItem SET trip = 9999 WHERE id = 1", "DELETE FROM trellis_metadata WHERE key = 'next Trip'",
      "CREATE TABLE parent (y)", "CREATE TABLE child (x REFERENCES parent (y))", "INSERT INTO child VALUES (1)",
      "CREATE TABLE limited (x CHECK (x > 0))", "PRAGMA ignore_check_constraints = ON",
      "INSERT INTO limited VALUES (-1)", "CREATE INDEX other ON Trip (name)", "PRAGMA writable_schema = ON",
      "UPDATE sqlite_schema SET sql = 'CREATE INDEX other ON Trip (name COLLATE unheard)' WHERE name = 'other'")
    let report = try StoreChecker.check(store.path)
    #expect(report.findings.map(\.place) == ["dangling-reference BucketListItem", "used-key Trip"], "\(report.text)")
  }

  /// An app begins to save while the check reads a store that nobody had open.
  @Test func aCheckReadsASnapshot() throws {
    let store = try StoreUnderTest("SampleTrips")
    var steps: [String] = []
    let report = try StoreChecker.check(store.path) { step in
      steps.append(step)
      #expect(throws: Never.self) { try store.run("DELETE FROM Trip WHERE id = \(steps.count)", "VACUUM") }
    }
    #expect(steps.contains("rows of Trip"))
    #expect(report.findings.isEmpty, "\(report.text)")
    #expect(report.rows == 72)
    #expect(try store.rows("SELECT count(*) FROM Trip") == [[.integer(Int64(24 - steps.count))]])
  }

  @Test func pagesThatAreNotUsedAreReturnedByCompacting() throws {
    let store = try StoreUnderTest("SampleTrips")
    try store.run(
      "CREATE TABLE ballast (x)", "PRAGMA writable_schema = ON", "DELETE FROM sqlite_schema WHERE name = 'ballast'",
      "UPDATE Trip SET kind = 'cruise' WHERE id = 1")
    let report = try StoreChecker.check(store.path)
    #expect(report.findings.map(\.place) == ["damaged-pages", "unknown-case Trip.kind"], "\(report.text)")
    #expect(report.findings.map(\.isRepairable) == [false, false])
    #expect(report.rows == 72)
    _ = try StoreCompaction.run(store.path)
    #expect(try StoreChecker.check(store.path).findings.map(\.place) == ["unknown-case Trip.kind"])
  }

  @Test func anIndexThatLacksARowIsFound() throws {
    let store = try StoreUnderTest("SampleTrips")
    try store.run(
      withoutIndex: "LivingAccommodation_placeName_index",
      ["UPDATE LivingAccommodation SET placeName = 'elsewhere' WHERE id = 2"])
    let report = try StoreChecker.check(store.path)
    #expect(report.findings.map(\.place) == ["damaged-pages"])
    #expect(report.findings[0].examples.contains { $0.contains("LivingAccommodation_placeName_index") })
    #expect(report.findings[0].isRepairable)
    #expect(report.rows > 0)
  }

  @Test func aDamagedPageIsFound() throws {
    let store = try StoreUnderTest("SampleTrips")
    try store.damagePage(of: "BucketListItem")
    #expect(try StoreChecker.check(store.path).findings.map(\.place) == ["damaged-pages"])
  }

  @Test(arguments: [
    "not a database at all, but long enough for the header of a file that SQLite would accept as one of its own…….",
    "",
  ]) func otherFilesAreNoStores(_ text: String) throws {
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: folder.url.appending(path: "other"))
    #expect(try StoreChecker.check(folder.path("other")).findings.map(\.place) == ["unreadable-schema"])
  }

  // MARK: external files

  @Test func externalFilesAreComparedWithTheRows() throws {
    func places(_ damage: (StoreUnderTest, String) throws -> Void) throws -> [String] {
      let store = try StoreUnderTest("SampleTrips")
      let file = try #require(store.externalFiles.first)
      try damage(store, "\(store.path)-external/\(file)")
      return try StoreChecker.check(store.path).findings.map { "\($0.kind.rawValue): \($0.message)" }
    }
    let files = FileManager.default
    let refers = "; 'Trip.photo' refers to it"
    let missing = "missing-file: a file is missing, damaged or a symbolic link\(refers)"
    #expect(try places { try files.removeItem(atPath: $1) } == [missing])
    #expect(try places { try Data([1, 2]).write(to: URL(filePath: $1)) } == [missing])
    #expect(
      try places {
        try files.moveItem(atPath: $1, toPath: $0.path + "-moved")
        try files.createSymbolicLink(atPath: $1, withDestinationPath: $0.path + "-moved")
      } == [missing])
    #expect(
      try places { store, _ in
        try Data().write(to: URL(filePath: "\(store.path)-external/\(String(repeating: "a", count: 32))-0"))
      } == ["orphaned-file: a file belongs to no row"])
    #expect(
      try places { store, _ in
        try files.createSymbolicLink(atPath: "\(store.path)-external/link", withDestinationPath: "/dev/zero")
        mkfifo("\(store.path)-external/pipe", 0o600)
      } == ["orphaned-file: a file is not a file that a store writes"])
    #expect(
      try places { store, file in
        try store.run("UPDATE Trip SET photo = '../../secret' WHERE photo = '\(URL(filePath: file).lastPathComponent)'")
        // The trigger has recorded the old file, which the app removes.
      } == ["missing-file: a file is not a name that a store writes\(refers)"])
  }
}

extension Finding {
  /// `wrong-value Trip.budget`
  var place: String {
    ([kind.rawValue] + [[entity, column].compactMap(\.self).joined(separator: ".")]).filter { !$0.isEmpty }.joined(
      separator: " ")
  }
}

import Foundation
import StoreCare
import Testing
import Trellis

/// A repair derives what follows from the rest of a store, in a copy.
@Suite struct RepairTests {
  static let repairable =
    DamageTests.catalogue.filter { damage in
      [
        "missing-trigger", "missing-trigger trellis_discarded_files", "outdated-description trellis_metadata",
      ].contains { damage.findings == [$0] }
        || damage.statements[0].hasPrefix("DROP INDEX Trip_")
    }
    + (DamageTests.references + DamageTests.values).filter {
      $0.findings.allSatisfy { $0.hasPrefix("used-key") || $0.hasPrefix("missing-mark") }
    }

  @Test(arguments: repairable) func theCopyHasNoFinding(_ damage: Damage) throws {
    let store = try StoreUnderTest(damage.schema)
    try store.run(damage.statements)
    let before = contents(of: store.path)
    let report = try StoreRepair.run(store.path, to: store.folder.path("copy.store"))
    #expect(report.remaining.isEmpty, "\(report.text)")
    #expect(report.repairs.count == 1, "\(report.text)")
    #expect(report.failures.isEmpty)
    #expect(contents(of: store.path) == before)
    #expect(try StoreChecker.check(store.folder.path("copy.store")).findings.isEmpty)
  }

  @Test func theListOfRepairableDamageIsNotEmpty() { #expect(Self.repairable.count == 9) }

  @Test func anIndexIsRebuiltFromItsTable() throws {
    let store = try StoreUnderTest("SampleTrips")
    try store.run(
      withoutIndex: "LivingAccommodation_placeName_index",
      ["UPDATE LivingAccommodation SET placeName = 'elsewhere' WHERE id = 2"])
    let report = try StoreRepair.run(store.path, to: store.folder.path("copy.store"))
    #expect(report.remaining.isEmpty, "\(report.text)")
    #expect(report.repairs.contains { $0.hasSuffix("indexes were rebuilt from their tables") })
  }

  @Test func valuesAreNeverChanged() throws {
    let store = try StoreUnderTest("SampleTrips")
    try store.run(
      "UPDATE Trip SET kind = 'cruise' WHERE id = 1", "DELETE FROM trellis_metadata WHERE key = 'next Trip'")
    let report = try StoreRepair.run(store.path, to: store.folder.path("copy.store"))
    #expect(report.remaining.map(\.place) == ["unknown-case Trip.kind"])
    #expect(report.repairs.count == 1)
    let kinds = try Connection(store.folder.path("copy.store"), .readOnly).rows("SELECT kind FROM Trip WHERE id = 1")
    #expect(kinds == [[.text("cruise")]])
  }

  @Test func theReportsNameTheCopyAndCountItsProblems() throws {
    let store = try StoreUnderTest("SampleTrips")
    try store.run(
      "UPDATE Trip SET kind = 'cruise' WHERE id = 1", "DELETE FROM trellis_metadata WHERE key = 'next Trip'")
    let copy = CareTests.store(
      "check", "SampleTrips.store", "--repair", "copy.store", in: store.folder.url.path)
    #expect(copy.output.hasPrefix("copy.store: a repaired copy of "))
    #expect(copy.output.contains("; 1 problem remains\n"), "\(copy.output)")
    #expect(!copy.output.contains("partial"))
  }

  @Test func aUniqueIndexOverEqualValuesCannotBeCreated() throws {
    let store = try StoreUnderTest("SampleTrips")
    try store.run(
      "DROP INDEX LivingAccommodation_bookingReference_unique",
      "UPDATE LivingAccommodation SET bookingReference = 'A1' WHERE id < 3")
    let report = try StoreRepair.run(store.path, to: store.folder.path("copy.store"))
    #expect(report.failures.count == 1)
    #expect(
      Set(report.remaining.map(\.place)) == [
        "different-table", "duplicate-value LivingAccommodation.bookingReference",
      ])
  }

  @Test func filesWithoutRowsAreLeftOut() throws {
    let store = try StoreUnderTest("SampleTrips")
    let orphan = "\(store.path)-external/\(String(repeating: "a", count: 32))-3"
    try Data([1, 2, 3]).write(to: URL(filePath: orphan))
    let known = store.externalFiles.filter { !orphan.hasSuffix($0) }
    let report = try StoreRepair.run(store.path, to: store.folder.path("copy.store"))
    #expect(report.remaining.isEmpty)
    #expect(report.repairs.count == 1)
    #expect(FileManager.default.fileExists(atPath: orphan))
    let copied = try FileManager.default.contentsOfDirectory(atPath: store.folder.path("copy.store-external"))
    #expect(copied.sorted() == known)
  }
}

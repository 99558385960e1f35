import CSQLite
import Foundation
import RelationshipsGolden
import SampleTripsGolden
import SchemaCommands
import SchemaDriver
import TestSupport
import Testing
import Trellis
import TrellisTesting

private typealias V1 = SampleTripsSchema.V1_0_0

/// Tests of `trellis inspect` and `trellis preflight` with stores of released versions.
final class StoreInspectionTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("inspection-\(UUID().uuidString)")
  private let root = Repository.root

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: folder) }

  private var path: String { folder.appendingPathComponent("a b.store").path }
  private var schemas: String { root.appendingPathComponent("Schemas/SampleTrips").path }

  /// Runs a command and returns its output without the path of the store.
  private func run(_ words: String...) -> (status: Int32, out: String) {
    let outcome = CommandLineTool.run(words)
    return (
      outcome.status.rawValue, (outcome.findings + outcome.progress).replacing(folder.path + "/", with: "")
    )
  }

  private func writeFirstRelease(_ body: (ModelContext) -> Void) throws {
    let container = try ModelContainer(
      for: Schema(versionedSchema: V1.self),
      configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
    let context = ModelContext(container)
    body(context)
    try context.save()
  }

  private func trip(_ title: String, _ day: Double, budget: Double? = nil, hotel: String? = nil) -> V1.Trip {
    let start = Date(timeIntervalSinceReferenceDate: day * 86_400)
    return V1.Trip(
      title: title, destination: "Oslo", startDate: start, endDate: start, budget: budget, hotelName: hotel)
  }

  @Test func oldStoresAreRecognisedAndCounted() throws {
    try writeFirstRelease { context in
      context.insert(trip("A", 1, budget: 1, hotel: "Park"))
      context.insert(trip("A", 1))
      context.insert(trip("B", 2, budget: 2))
    }
    let inspected = run("inspect", "--store", path, schemas)
    #expect(inspected.status == 0)
    #expect(inspected.out.contains("SampleTrips 1.0.0: migrates when opened: 1.0.0 → 2.0.0 → 3.0.0\n"))
    #expect(inspected.out.contains("  Trip            3 rows\n"))
    let counted = run("preflight", "--store", path, schemas)
    #expect(counted.status == 0)
    let lines = """
      SampleTrips 1.0.0: 1.0.0 → 2.0.0 → 3.0.0
        [MIG030 type-changed] attribute 'Trip.budget': type changed from 'Double?' to 'Decimal?': 2 rows have a value of the old type (filled)
        [MIG050 unique-added] model 'Trip': [name, startDate, endDate] is now unique: 2 equal rows in 1 group (deduplicated)
        [MIG011 attribute-dropped] attribute 'Trip.hotelName' removed, its type was 'String?': 1 row has a value (accepted)
        [MIG011 attribute-dropped] attribute 'Trip.isHotelConfirmed' removed, its type was 'Bool': 3 rows have a value (accepted)

      """
    #expect(counted.out == lines)
    // The same migration, first with only the custom step and then without any step.
    let copy = folder.appendingPathComponent("Open")
    try FileManager.default.copyItem(atPath: schemas, toPath: copy.path)
    let head = copy.appendingPathComponent("SampleTrips.schema")
    let text = try String(contentsOf: head, encoding: .utf8).replacing(#/    accept .*\n/#, with: "")
    try text.write(to: head, atomically: true, encoding: .utf8)
    let carried = run("preflight", "--store", path, copy.path)
    #expect(carried == (0, lines.replacing("(accepted)", with: "(carried by custom)")))
    try text.replacing("    custom moveHotels\n", with: "").write(to: head, atomically: true, encoding: .utf8)
    #expect(run("preflight", "--store", path, copy.path) == (1, lines.replacing("(accepted)", with: "(open)")))
    #expect(run("preflight", "--json", "--store", path, copy.path).out.contains("\"handling\" : \"open\""))
    // A step that still contains a placeholder handles no change.
    let second = copy.appendingPathComponent("versions/SampleTrips-2.0.0/SampleTrips.schema")
    try String(contentsOf: second, encoding: .utf8).replacing(
      #/fill Trip.budget = .*/#, with: "fill Trip.budget = <#value#>"
    )
    .write(to: second, atomically: true, encoding: .utf8)
    let incomplete = run("preflight", "--store", path, copy.path)
    #expect(
      incomplete.status == 1 && incomplete.out.contains("2 rows have a value of the old type (open)"), "\(incomplete)")
    let all = run("preflight", "--all", "--store", path, schemas).out
    #expect(all.contains("'Trip.hotelStreet' removed, its type was 'String?': no row has a value"))
    #expect(run("preflight", "--to", "2.0.0", "--store", path, schemas).out.contains("hotel") == false)
  }

  /// 'Book.authors' has a different name in the store.
  @Test func laterStagesFollowRenames() throws {
    try StoreFixture(RelationshipsSchema.V1_0_0.self).write(to: URL(fileURLWithPath: path))
    let counted = run("preflight", "--store", path, root.appendingPathComponent("Schemas/Relationships").path)
    #expect(
      counted.out.contains("relationship 'Book.authors': minimum count changed from 'none' to '1': 16 rows have a link")
    )
  }

  /// Columns that belong to no version prevent the migration or are removed by it.
  @Test func foreignColumnsAreNamed() throws {
    try writeFirstRelease { _ in }
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    #expect(sqlite3_exec(handle, "ALTER TABLE Trip ADD COLUMN theirs TEXT", nil, nil, nil) == SQLITE_OK)
    let line = "  column 'Trip.theirs' belongs to no version; "
    #expect(run("inspect", "--store", path, schemas).out.contains(line))
    let counted = run("preflight", "--store", path, schemas)
    #expect(counted.status == 1 && counted.out.contains(line))
  }

  /// The text of models in Swift files has no `schema` line.
  @Test func storesOfSwiftModelsAreNotCompared() throws {
    try writeFirstRelease { context in context.insert(trip("A", 1)) }
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    let change =
      "UPDATE trellis_metadata SET value = replace(value, 'schema SampleTrips 1.0.0', '') WHERE key = 'source'"
    #expect(sqlite3_exec(handle, change, nil, nil, nil) == SQLITE_OK)
    let reason =
      "the store cannot be compared, because its models are in Swift files and it does not record a schema name: "
    let inspected = run("inspect", "--store", path, schemas)
    #expect(inspected.status == 0)
    #expect(inspected.out.contains("\n" + reason) && inspected.out.contains("  Trip            1 row\n"))
    let counted = run("preflight", "--store", path, schemas)
    #expect(counted.status == 2)
    #expect(counted.out.hasPrefix("error: a b.store: " + reason), "\(counted.out)")
  }

  @Test func theMatchingSchemaOfSeveralWithOneNameIsUsed() throws {
    try writeFirstRelease { _ in }
    for name in ["First", "Second"] {
      try FileManager.default.copyItem(atPath: schemas, toPath: folder.appendingPathComponent(name).path)
    }
    let question = "error: there are 2 schemas 'SampleTrips': name one of the files "
    for verb in ["inspect", "preflight"] {
      let (status, out) = run(verb, "--store", path, folder.path)
      #expect(status == 2)
      #expect(out == question + "(First/SampleTrips.schema, Second/SampleTrips.schema)\n")
    }
    // A head that was never released is not the store's schema.
    try FileManager.default.removeItem(at: folder.appendingPathComponent("First/versions"))
    let head = folder.appendingPathComponent("First/SampleTrips.schema")
    let text = try String(contentsOf: head, encoding: .utf8)
    try String(text.prefix(upTo: try #require(text.firstRange(of: "\nmigration from")).lowerBound))
      .write(to: head, atomically: true, encoding: .utf8)
    let inspected = run("inspect", "--store", path, folder.path)
    #expect(inspected.status == 0)
    #expect(inspected.out.contains("migrates when opened: 1.0.0 → 2.0.0 → 3.0.0\n"))
    #expect(inspected.out.contains("only Second/SampleTrips.schema contains the store's version 1.0.0\n"))
  }

  @Test func emptyStoresHaveNoAffectedRows() throws {
    try writeFirstRelease { _ in }
    let counted = run("preflight", "--store", path, schemas)
    #expect(counted.status == 0)
    #expect(counted.out.hasSuffix("  no change affects rows of this store\n"))
  }

  @Test func inspectionChangesNothing() throws {
    try writeFirstRelease { context in context.insert(trip("A", 1)) }
    func contents() throws -> [String: Data] {
      var contents: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        contents[name] = try Data(contentsOf: folder.appendingPathComponent(name))
      }
      return contents
    }
    let before = try contents()
    _ = run("inspect", "--store", path, schemas)
    _ = run("preflight", "--store", path, schemas)
    #expect(try contents() == before)
  }

  @Test func currentStore() throws {
    try StoreFixture(SampleTripsSchema.Current.self).write(to: URL(fileURLWithPath: path))
    #expect(run("inspect", "--store", path, schemas).out.contains("SampleTrips 3.0.0: the current version\n"))
    let counted = run("preflight", "--store", path, schemas)
    #expect(counted.status == 0)
    #expect(counted.out == "SampleTrips 3.0.0: the current version, nothing to do\n")
  }

  @Test func storeOfAnUnknownVersion() throws {
    try StoreFixture(SampleTripsSchema.Current.self).write(to: URL(fileURLWithPath: path))
    let other = folder.appendingPathComponent("Trips.schema")
    let text = try String(contentsOfFile: schemas + "/SampleTrips.schema", encoding: .utf8)
    let start = try #require(text.range(of: "migration from"))
    try String(text[..<start.lowerBound]).replacing("    var tags: [String] = []\n", with: "")
      .write(to: other, atomically: true, encoding: .utf8)
    let inspected = run("inspect", "--store", path, other.path)
    #expect(inspected.status == 1)
    #expect(
      inspected.out.contains(
        "SampleTrips 3.0.0: matches no version; differences from version 3.0.0:\n"
          + "  - attribute 'Trip.tags' added with type '[String]'\n"))
    #expect(run("preflight", "--store", path, other.path).status == 1)
  }

  @Test func otherFilesAreNotStores() throws {
    #expect(run("inspect", "--store", path, schemas).status == 2)
    try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
    let said = run("inspect", "--store", path, schemas)
    #expect(said.status == 2)
    #expect(said.out.hasPrefix("error: a b.store: not a Trellis store"))
    #expect(run("inspect", "--store", folder.path, schemas).status == 2)
    #expect(run("inspect").status == 2)
    #expect(run("preflight", "--store", path, "--to", "two", schemas).status == 2)
  }
}

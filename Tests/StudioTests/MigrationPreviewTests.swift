import Foundation
import SampleTripsGolden
import SchemaCommands
import SchemaDriver
import StoreStudio
import TestSupport
import Testing
import TrellisTesting

/// The view 'Migration': the effects of current schema files on a store.
@Suite struct MigrationPreviewTests {
  private func show(_ store: TripStore, _ url: URL, _ schema: URL) throws {
    var companions = StudioCompanions()
    companions.migration = try MigrationPreview(url.path, schema: schema.path, Session())
    store.api = StudioAPI(try StudioStore(url), companions)
  }

  private static let schemas = Repository.root.appending(path: "Schemas/SampleTrips")

  @Test func olderStoresHaveStepsAndCounts() throws {
    let store = try TripStore(trips: 1)
    let old = store.url.deletingLastPathComponent().appending(path: "old.store")
    try StoreFixture(SampleTripsSchema.V1_0_0.self, rowsPerModel: 4).write(to: old)
    try show(store, old, Self.schemas)
    let answer = try store.object("migration")
    #expect(answer["isClean"] as? Bool == true)
    let preflight = try #require(answer["preflight"] as? [String: Any])
    #expect(preflight["way"] as? [String] == ["1.0.0", "2.0.0", "3.0.0"])
    let findings = try #require(preflight["findings"] as? [[String: Any]])
    let unique = try #require(findings.first { $0["rule"] as? String == "MIG050" })
    #expect(unique["handling"] as? String == "deduplicated")
    #expect(unique["rows"] as? Int == 4)
    let changes = try #require(answer["changes"] as? [[String: Any]])
    #expect(changes.contains { $0["text"] as? String == "attribute 'Trip.title' renamed to 'name'" })
  }

  @Test func currentStoresHaveNothingToDo() throws {
    let store = try TripStore(trips: 1)
    try show(store, store.url, Self.schemas)
    let answer = try store.object("migration")
    #expect(answer["isClean"] as? Bool == true)
    #expect((answer["changes"] as? [Any])?.isEmpty == true)
  }

  @Test func refusalsAndBrokenSchemasAreShown() throws {
    let store = try TripStore(trips: 1)
    let folder = store.url.deletingLastPathComponent().appending(path: "schema")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "SampleTrips.schema")
    try "schema SampleTrips 1.0.0\n\n@Model\nclass Trip {\n    var name: String\n}\n"
      .write(to: file, atomically: true, encoding: .utf8)
    try show(store, store.url, folder)
    let answer = try store.object("migration")
    #expect(answer["isClean"] as? Bool == false)
    let preflight = try #require(answer["preflight"] as? [String: Any])
    #expect(preflight["problem"] as? String == "the store has the newer version 3.0.0")
    // The files are read for each request.
    try "schema SampleTrips".write(to: file, atomically: true, encoding: .utf8)
    let failure = try store.object("migration", status: 400)
    #expect((failure["error"] as? String)?.contains("SampleTrips.schema:1:") == true)
    #expect(throws: DriverFailure.self) { try show(store, store.url, folder.appending(path: "missing.schema")) }
  }
}

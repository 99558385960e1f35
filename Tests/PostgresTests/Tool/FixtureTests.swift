import Foundation
import PostgresSupport
import SchemaCommands
import SchemaDriver
import SchemaFixtures
import StoreCommands
import TestSchemas
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres
import TrellisTesting

/// `fixture` with a database.
@Suite(.waiting) struct FixtureTests {
  /// The schema names. A short run includes two of them.
  static let sample = TestDatabase.sample(SchemaPlans.bySchema.keys.sorted(), "plans")

  /// The program can open the store, which contains the same rows as a file, except for U+0000 in text.
  @Test(arguments: sample) func theProgramOpensTheStore(_ name: String) throws {
    let plan = try #require(SchemaPlans.bySchema[name])
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let schemas =
      TestDatabase.root.path + "/Schemas/"
      + (name.hasPrefix("Landmine") ? "Landmine" : name)
    // A short run includes the oldest and the newest version.
    let versions = Repetitions.isThorough ? plan.schemas : [plan.schemas.first, plan.schemas.last].compactMap { $0 }
    for version in versions {
      let title = "\(name)@\(version.versionIdentifier)"
      let database = try TestDatabase()
      let written = database.run("fixture", title, "--rows", "12", "--seed", "3", schemas)
      #expect(written.status == .clean, "\(title): \(written)")
      let file = folder.appendingPathComponent("\(title).store")
      let arguments = try Arguments([title, "--rows", "12", "--seed", "3", schemas], options: Fixture.options)
      let wanted = try #require(WriteFixture.requestedVersions(arguments, Session()).first)
      try WriteFixture.fixture(of: wanted, arguments, keepsNullCharacters: false).write(to: file)
      let schema = Schema(versionedSchema: version)
      let found = try StoreContents(
        of: version, ModelContainer(for: schema, configurations: [database.configuration]))
      let expected = try StoreContents(
        of: version, ModelContainer(for: schema, configurations: [ModelConfiguration(url: file)]))
      #expect(found.difference(from: expected) == nil, "\(title)")
    }
  }

  @Test func theStoreIsSummarisedOnOneLine() throws {
    let database = try TestDatabase()
    let first = database.run("fixture", "SampleTrips@1.0.0", "--rows", "3", TestDatabase.schemas)
    #expect(
      first
        == TestDatabase.Result(
          status: .clean, output: "SERVER/postgres, schema SCHEMA: SampleTrips 1.0.0, Trip 3, BucketListItem 3\n",
          progress: "writing SampleTrips 1.0.0\n"))
    let again = database.run("fixture", "SampleTrips@1.0.0", TestDatabase.schemas)
    #expect(
      again
        == TestDatabase.Result(
          status: .usage, output: "",
          progress: "error: SERVER/postgres, schema SCHEMA already contains a store: '--force' deletes its tables\n"))
    let forced = database.run("fixture", "SampleTrips@2.0.0", "--rows", "5", "--force", TestDatabase.schemas)
    #expect(forced.status == .clean)
    #expect(database.run("inspect", TestDatabase.schemas).output.contains("  Trip            5 rows\n"))
  }

  @Test func forceReplacesOnlyTheStoresTables() throws {
    let database = try TestDatabase()
    let server = database.server
    let schemas = TestDatabase.schemas
    try server.psql("CREATE SCHEMA \(database.quoted); CREATE TABLE \(database.quoted).\"Trip\" (theirs int)")
    let refused = database.run("fixture", "--force", schemas)
    #expect(refused.status == .usage)
    #expect(refused.progress.contains("relation \"Trip\" already exists"))
    #expect(try database.relations() == ["Trip"])
    try server.psql("ALTER TABLE \(database.quoted).\"Trip\" RENAME TO other")
    #expect(database.run("fixture", "1.0.0", schemas).status == .clean)
    let own = try database.relations()
    #expect(own.contains("trellis_metadata") && own.contains("Trip_keys"))
    // An object that depends on a table prevents its removal.
    try server.psql("CREATE VIEW \(database.quoted).titles AS SELECT title FROM \(database.quoted).\"Trip\"")
    let kept = database.run("fixture", "2.0.0", "--force", schemas)
    #expect(kept.status == .usage)
    #expect(kept.progress.contains("because other objects depend on"))
    #expect(try database.relations() == own)
    try server.psql("DROP VIEW \(database.quoted).titles")
    #expect(database.run("fixture", "2.0.0", "--rows", "0", "--force", schemas).status == .clean)
    #expect(try database.relations() == own)
    #expect(try server.psql("SELECT count(*) FROM \(database.quoted).\"Trip\"") == "0")
  }

  /// The arguments and error messages of calls that write nothing.
  static let refusals: [([String], String)] = [
    (["all"], "error: a database contains a single store, but 3 versions were given: name one of SampleTrips@1.0.0, "),
    (["9.0.0"], "error: unknown version 9.0.0; known versions are SampleTrips@1.0.0, "),
    (["--rows", "many"], "error: '--rows' must be an integer from 0 to 1000000"),
    (["--output", "x"], "error: '--store' and '--output' cannot be combined"),
  ]

  @Test(arguments: refusals) func invalidCallsWriteNothing(_ words: [String], _ error: String) throws {
    let database = try TestDatabase()
    let outcome = database.run(
      ["fixture", "--store", database.url, "--schema", database.name] + words + [TestDatabase.schemas])
    #expect(outcome.status == .usage)
    #expect(outcome.progress.hasPrefix(error), "\(outcome.progress)")
    #expect(try database.relations() == [])
  }
}

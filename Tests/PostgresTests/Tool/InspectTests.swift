import Foundation
import PostgresSupport
import SchemaCommands
import SchemaDriver
import TestSupport
import TestTraits
import Testing

/// `inspect` and `preflight` with a store in a database.
@Suite(.waiting) struct InspectTests {
  private func bytes(_ text: String) -> String { text.replacing(/[0-9]+ bytes/, with: "N bytes") }

  private func identifier(_ text: String) -> String {
    text.replacing(/[0-9A-F]{8}-[0-9A-F-]{27}/, with: "ID")
  }

  @Test func oldStoresAreRecognisedAndCounted() throws {
    let database = try TestDatabase()
    #expect(database.run("fixture", "1.0.0", "--rows", "4", TestDatabase.schemas).status == .clean)
    let inspected = database.run("inspect", TestDatabase.schemas)
    #expect(inspected.status == .clean)
    #expect(
      identifier(bytes(inspected.output)) == """
        SERVER/postgres, schema SCHEMA: store format 1, N bytes, identifier ID
        SampleTrips 1.0.0: migrates when opened: 1.0.0 → 2.0.0 → 3.0.0
          Trip            4 rows
          BucketListItem  4 rows

        """)
    let size = try #require(inspected.output.firstMatch(of: /([0-9]+) bytes/)).1
    #expect(Int(size).map { $0 > 8_192 } == true)
    let counted = database.run("preflight", TestDatabase.schemas)
    #expect(counted.status == .clean)
    #expect(
      counted.output == """
        SampleTrips 1.0.0: 1.0.0 → 2.0.0 → 3.0.0
          [MIG030 type-changed] attribute 'Trip.budget': type changed from 'Double?' to 'Decimal?': 3 rows have a value of the old type (filled)
          [MIG011 attribute-dropped] attribute 'Trip.hotelName' removed, its type was 'String?': 4 rows have a value (accepted)
          [MIG011 attribute-dropped] attribute 'Trip.hotelStreet' removed, its type was 'String?': 4 rows have a value (accepted)
          [MIG011 attribute-dropped] attribute 'Trip.hotelCity' removed, its type was 'String?': 3 rows have a value (accepted)
          [MIG011 attribute-dropped] attribute 'Trip.isHotelConfirmed' removed, its type was 'Bool': 4 rows have a value (accepted)

        """)
  }

  @Test func theReportAsJSON() throws {
    let database = try TestDatabase()
    #expect(database.run("fixture", "2.0.0", "--rows", "2", TestDatabase.schemas).status == .clean)
    let inspected = database.run("inspect", "--format", "json", TestDatabase.schemas)
    #expect(
      identifier(inspected.output.replacing(/"bytes" : [0-9]+/, with: "\"bytes\" : 0")) == """
        {
          "bytes" : 0,
          "format" : 1,
          "identifier" : "ID",
          "path" : "SERVER/postgres, schema SCHEMA",
          "schemaVersion" : 1,
          "schemas" : [
            {
              "differences" : [

              ],
              "name" : "SampleTrips",
              "standing" : "older",
              "version" : "2.0.0",
              "way" : [
                "2.0.0",
                "3.0.0"
              ]
            }
          ],
          "strayColumns" : [

          ],
          "tables" : [
            {
              "name" : "Trip",
              "rows" : 2
            },
            {
              "name" : "BucketListItem",
              "rows" : 3
            }
          ],
          "version" : "2.0.0"
        }

        """)
    let counted = database.run("preflight", "--json", TestDatabase.schemas)
    #expect(counted.status == .clean)
    #expect(counted.output.contains("\"rule\" : \"MIG011\""))
  }

  /// The folders below `Schemas`.
  static let folders =
    (try? FileManager.default.contentsOfDirectory(atPath: TestDatabase.root.path + "/Schemas"))?
    .sorted() ?? []

  /// Every version of every schema is reported and counted like the same version in a file. A short run tests the
  /// oldest and newest versions of two schemas.
  @Test(arguments: TestDatabase.sample(folders, "folders")) func reportsEqualThoseOfAFile(_ folder: String) throws {
    let temporary = FileManager.default.temporaryDirectory.appendingPathComponent("reports-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: temporary) }
    let schemas = TestDatabase.root.path + "/Schemas/" + folder
    let files = try TestDatabase().run(["fixture", "all", "--rows", "8", "--output", temporary.path, schemas])
    #expect(files.status == .clean, "\(files)")
    let stores = try FileManager.default.contentsOfDirectory(atPath: temporary.path)
      .filter { $0.hasSuffix(".store") }.sorted()
    #expect(stores.count > 1)
    let chosen = Repetitions.isThorough ? stores : [stores.first, stores.last].compactMap { $0 }
    for store in chosen {
      let database = try TestDatabase()
      let parts = store.dropLast(".store".count).split(separator: "-")
      let written = database.run("fixture", "\(parts[0])@\(parts[1])", "--rows", "8", schemas)
      #expect(written.status == .clean, "\(store): \(written)")
      let path = temporary.appendingPathComponent(store).path
      for words in [["inspect"], ["preflight", "--all"], ["preflight", "--all", "--json"]] {
        let file = database.run(words + ["--store", path, schemas])
        let found = database.run(words + ["--store", database.url, "--schema", database.name, schemas])
        #expect(found.status == file.status && found.progress == file.progress, "\(store) \(words)")
        func rest(_ text: String) -> String {
          words == ["inspect"] ? text.split(separator: "\n").dropFirst().joined(separator: "\n") : text
        }
        #expect(rest(found.output) == rest(file.output), "\(store) \(words)")
      }
    }
  }

  @Test func inspectionChangesNothing() throws {
    let database = try TestDatabase()
    #expect(database.run("fixture", "1.0.0", TestDatabase.schemas).status == .clean)
    let server = database.server
    let count =
      "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del), count(*) FROM pg_stat_user_tables"
      + " WHERE schemaname = '\(database.name)'"
    try server.psql("SELECT pg_stat_force_next_flush()")
    let before = try (server.psql(count), database.relations())
    #expect(database.run("inspect", TestDatabase.schemas).status == .clean)
    #expect(database.run("preflight", TestDatabase.schemas).status == .clean)
    try server.psql("SELECT pg_stat_force_next_flush()")
    let after = try (server.psql(count), database.relations())
    #expect(before == after)
  }

  @Test func foreignColumnsAreNamed() throws {
    let database = try TestDatabase()
    #expect(database.run("fixture", "1.0.0", TestDatabase.schemas).status == .clean)
    try database.server.psql("ALTER TABLE \(database.quoted).\"Trip\" ADD COLUMN theirs text")
    // Another program's table in the same schema is not part of the store.
    try database.server.psql("CREATE TABLE \(database.quoted).other (id int)")
    let line = "  column 'Trip.theirs' belongs to no version; "
    let inspected = database.run("inspect", TestDatabase.schemas)
    #expect(inspected.output.contains(line) && !inspected.output.contains("other"))
    #expect(database.run("preflight", TestDatabase.schemas).output.contains(line))
  }

  @Test func equalRowsAreCounted() throws {
    let database = try TestDatabase()
    #expect(database.run("fixture", "1.0.0", "--rows", "4", TestDatabase.schemas).status == .clean)
    try database.server.psql(
      "UPDATE \(database.quoted).\"Trip\" SET title = 'A', \"startDate\" = 1, \"endDate\" = 2 WHERE id < 4")
    #expect(
      database.run("preflight", TestDatabase.schemas).output
        .contains("[name, startDate, endDate] is now unique: 3 equal rows in 1 group (deduplicated)\n"))
  }

  @Test func aNewerStore() throws {
    let database = try TestDatabase()
    #expect(database.run("fixture", TestDatabase.schemas).status == .clean)
    let released = TestDatabase.schemas + "/versions/SampleTrips-2.0.0/SampleTrips.schema"
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("newer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = try String(contentsOfFile: released, encoding: .utf8)
    let start = text.range(of: "migration from")?.lowerBound ?? text.endIndex
    let old = folder.appendingPathComponent("SampleTrips.schema")
    try text[..<start].write(to: old, atomically: true, encoding: .utf8)
    let inspected = database.run("inspect", old.path)
    #expect(inspected.status == .findings)
    #expect(inspected.output.contains("SampleTrips 3.0.0: newer than the schema; differences from version 2.0.0"))
    let counted = database.run("preflight", old.path)
    #expect(counted.status == .findings)
    #expect(counted.output == "SampleTrips 3.0.0: the store has the newer version 3.0.0\n")
    // For a store that a newer version of the library wrote, the tool says so and lists the tables that it recognizes.
    try database.server.psql("UPDATE \(database.quoted).trellis_metadata SET value = '99' WHERE key = 'format'")
    #expect(database.run("inspect", old.path).output.contains("store format 99,"))
  }
}

import Foundation
import PostgresSupport
import SchemaDriver
import TestTraits
import Testing

/// `migrate` with stores from released versions.
@Suite(.waiting) struct MigrateTests {
  /// A schema with four versions. The last stage has a custom step.
  private static let versions = [
    "1.0.0": """
    schema Parcels 1.0.0

    @Model
    class Parcel {
        var code: String
        var weight: Int?
    }
    """,
    "2.0.0": """
    schema Parcels 2.0.0

    @Model
    class Parcel {
        #Index<Parcel>([\\.code])
        var code: String
        var weight: Int?
        var priority: Int = 3
    }
    """,
    "3.0.0": """
    schema Parcels 3.0.0

    @Model
    class Parcel {
        #Unique<Parcel>([\\.code])
        var code: String
        var priority: Int = 3
    }

    migration from 2.0.0 {
        accept MIG011 Parcel.weight -- "never read"
        accept MIG050 Parcel -- "codes are unique"
    }
    """,
    "4.0.0": """
    schema Parcels 4.0.0

    @Model
    class Parcel {
        #Unique<Parcel>([\\.code])
        var code: String
        var priority: Int = 3
        var label: String
    }

    migration from 3.0.0 {
        fill Parcel.label = old.code
    }
    """,
  ]

  /// Calls `body` with the schema files of all versions up to `head`, in a folder below `Schemas`.
  private func inFolder(upTo head: String, _ body: (String, TestDatabase) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("migrate-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = root.appendingPathComponent("Schemas/Parcels")
    for (version, text) in Self.versions where version <= head {
      let place = version == head ? folder : folder.appendingPathComponent("versions/Parcels-\(version)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data((text + "\n").utf8).write(to: place.appendingPathComponent("Parcels.schema"))
    }
    try body(folder.path, TestDatabase())
  }

  private func columns(_ database: TestDatabase) throws -> String {
    try database.server.psql(
      """
      SELECT string_agg(a.attname, ' ' ORDER BY a.attname) FROM pg_attribute a
      WHERE a.attrelid = '\(database.quoted).\"Parcel\"'::regclass AND a.attnum > 0 AND NOT a.attisdropped
      """)
  }

  @Test func storesMigrateInOneStep() throws {
    try inFolder(upTo: "3.0.0") { schemas, database throws in
      #expect(database.run("fixture", "1.0.0", "--rows", "2", schemas).status == .clean)
      #expect(
        database.run("migrate", schemas)
          == TestDatabase.Result(
            status: .clean, output: "Parcels 1.0.0 → 2.0.0 → 3.0.0: migrated\n",
            progress: "migrating Parcels 1.0.0 → 2.0.0 → 3.0.0\n"))
      #expect(try columns(database) == "$exact code id priority")
      #expect(try database.server.psql("SELECT count(*) FROM \(database.quoted).\"Parcel\" WHERE priority = 3") == "2")
      let inspected = database.run("inspect", schemas)
      #expect(inspected.status == .clean && inspected.output.contains("Parcels 3.0.0: the current version\n"))
      let again = TestDatabase.Result(
        status: .clean, output: "Parcels 3.0.0: the current version, nothing to do\n", progress: "")
      #expect(database.run("migrate", schemas) == again)
      #expect(database.run("migrate", "--phase", "expand", schemas) == again)
      #expect(
        database.run("migrate", "--plan", schemas).output
          == "-- Parcels 3.0.0: the current version, nothing to do\n")
    }
  }

  @Test func phases() throws {
    try inFolder(upTo: "3.0.0") { schemas, database throws in
      #expect(database.run("fixture", "2.0.0", "--rows", "2", schemas).status == .clean)
      let early = database.run("migrate", "--phase", "contract", schemas)
      #expect(early.status == .findings && early.output.contains("run the phase 'expand' first"), "\(early)")
      #expect(
        database.run("migrate", "--phase", "expand", schemas).output
          == "Parcels 2.0.0 → 3.0.0: expanded. Replace the apps, then run '--phase contract'\n")
      #expect(try columns(database) == "$exact code id priority weight")
      let inspected = database.run("inspect", schemas).output
      #expect(inspected.contains("between two migration phases: apps with version 2.0.0 or later can use the store\n"))
      #expect(!inspected.contains("belongs to no version"))
      let remaining = database.run("migrate", schemas)
      #expect(remaining.status == .clean)
      #expect(
        remaining.output
          == "Parcels 3.0.0: expanded. Run '--phase contract' to complete the migration when no app of an older "
          + "version is running\n")
      #expect(try columns(database) == "$exact code id priority weight")
      #expect(
        database.run("migrate", "--phase", "contract", schemas).output
          == "Parcels 3.0.0: contracted; the migration is complete\n")
      #expect(try columns(database) == "$exact code id priority")
    }
  }

  /// The released copy declares properties in a different order than the store.
  @Test func phasesOfAStoreWithADifferentOrder() throws {
    try inFolder(upTo: "3.0.0") { schemas, database throws in
      #expect(database.run("fixture", "2.0.0", "--rows", "2", schemas).status == .clean)
      let copy = URL(fileURLWithPath: schemas).appendingPathComponent("versions/Parcels-2.0.0/Parcels.schema")
      let (code, weight) = ("    var code: String\n", "    var weight: Int?\n")
      let text = try String(contentsOf: copy, encoding: .utf8)
      try Data(text.replacing(code + weight, with: weight + code).utf8).write(to: copy)
      #expect(database.run("migrate", "--phase", "expand", schemas).status == .clean)
      #expect(try columns(database) == "$exact code id priority weight")
      let contracted = database.run("migrate", "--phase", "contract", schemas)
      #expect(contracted.status == .clean, "\(contracted)")
      #expect(try columns(database) == "$exact code id priority")
    }
  }

  @Test func thePlanIsPrinted() throws {
    try inFolder(upTo: "3.0.0") { schemas, database throws in
      #expect(database.run("fixture", "2.0.0", "--rows", "2", schemas).status == .clean)
      let before = try (columns(database), database.relations())
      let plan = database.run("migrate", "--plan", schemas)
      #expect(plan.status == .clean && plan.progress == "")
      #expect(
        plan.output.replacing("\"\(database.name)\".", with: "") == """
          -- Parcels 2.0.0 → 3.0.0

          -- phase 'expand': nothing

          -- phase 'contract'
          DROP INDEX "Parcel_code_index";
          ALTER TABLE "Parcel" DROP COLUMN "weight";
          CREATE UNIQUE INDEX CONCURRENTLY "Parcel_code_unique" ON "Parcel" ("code");

          """)
      #expect(database.run("migrate", "--plan", "--phase", "contract", schemas).output.contains("DROP COLUMN"))
      #expect(!database.run("migrate", "--plan", "--phase", "expand", schemas).output.contains("DROP COLUMN"))
      let after = try (columns(database), database.relations())
      #expect(before == after)
      #expect(database.run("inspect", schemas).output.contains("Parcels 2.0.0: migrates when opened:"))
    }
  }

  /// Without '--schema', the tables are found through the search path.
  @Test func separateDatabase() throws {
    try inFolder(upTo: "3.0.0") { schemas, database throws in
      let name = "tools"
      try database.server.psql("CREATE DATABASE \(name)")
      let url = database.server.url(name)
      func run(_ verb: String, _ words: String...) -> TestDatabase.Result {
        database.run([verb, "--store", url] + words + [schemas])
      }
      let written = run("fixture", "2.0.0", "--rows", "2")
      #expect(
        written
          == TestDatabase.Result(
            status: .clean, output: "SERVER/tools: Parcels 2.0.0, Parcel 2\n", progress: "writing Parcels 2.0.0\n"))
      let moved = run("fixture", "1.0.0", "--rows", "3", "--force")
      #expect(moved.status == .clean)
      #expect(
        run("inspect").output.contains("Parcels 1.0.0: migrates when opened: 1.0.0 → 2.0.0 → 3.0.0\n  Parcel  3 rows\n")
      )
      #expect(run("preflight", "--to", "2.0.0").status == .clean)
      let planned = run("migrate", "--plan", "--to", "2.0.0", "--phase", "expand").output
      #expect(planned.contains("ALTER TABLE \"Parcel\" ADD COLUMN \"priority\" bigint"), "\(planned)")
      #expect(run("migrate", "--to", "2.0.0").output == "Parcels 1.0.0 → 2.0.0: migrated\n")
      #expect(try database.server.psql("SELECT sum(priority) FROM \"Parcel\"", database: name) == "9")
    }
  }

  @Test func intermediateVersion() throws {
    try inFolder(upTo: "4.0.0") { schemas, database throws in
      #expect(database.run("fixture", "1.0.0", "--rows", "2", schemas).status == .clean)
      let refused = database.run("migrate", schemas)
      let reason = """
        error: Parcels 1.0.0 → 2.0.0 → 3.0.0 → 4.0.0: the app must migrate this store by opening it, for these reasons:
          - 3.0.0 → 4.0.0: fill Parcel.label
        'migrate --to 3.0.0' migrates the store up to these steps

        """
      #expect(refused == TestDatabase.Result(status: .findings, output: reason, progress: ""))
      #expect(database.run("migrate", "--plan", schemas) == refused)
      #expect(try columns(database) == "$exact code id weight")
      #expect(database.run("migrate", "--to", "2.0.0", schemas).output == "Parcels 1.0.0 → 2.0.0: migrated\n")
      #expect(try columns(database) == "$exact code id priority weight")
      #expect(
        database.run("inspect", schemas).output.contains("Parcels 2.0.0: migrates when opened: 2.0.0 → 3.0.0 → 4.0.0"))
    }
  }

  @Test func rowsThatPreventTheMigration() throws {
    try inFolder(upTo: "3.0.0") { schemas, database throws in
      #expect(database.run("fixture", "2.0.0", "--rows", "3", schemas).status == .clean)
      try database.server.psql("UPDATE \(database.quoted).\"Parcel\" SET code = 'x', \"$exact\" = NULL")
      let refused = database.run("migrate", schemas)
      #expect(refused.status == .findings)
      #expect(refused.output.hasPrefix("error: ") && refused.output.contains("Parcel"), "\(refused)")
      #expect(database.run("inspect", schemas).output.contains("Parcels 2.0.0: migrates when opened:"))
      #expect(try columns(database) == "$exact code id priority weight")
    }
  }

  @Test func incompatibleStoresAndInvalidCalls() throws {
    try inFolder(upTo: "3.0.0") { schemas, database throws in
      #expect(database.run("fixture", "--rows", "1", schemas).status == .clean)
      let older = database.run("migrate", "--to", "2.0.0", schemas)
      #expect(older.status == .findings)
      #expect(older.output == "error: the store has the newer version 3.0.0\n")
      let unknown = database.run("migrate", "--to", "9.0.0", schemas)
      #expect(unknown.status == .usage && unknown.progress == "error: 'Parcels' has no version 9.0.0\n")
      let other = database.run("migrate", TestDatabase.schemas)
      let reason = "no schema file declares 'Parcels': name the schema file or its folder as the last argument"
      #expect(other.status == .usage && other.progress == "error: \(reason)\n")
      #expect(database.run("migrate", "--to", "two", schemas).status == .usage)
      #expect(database.run("migrate", "--phase", "both", schemas).status == .usage)
      let server = database.server
      try server.psql(
        """
        UPDATE \(database.quoted).trellis_metadata SET value = replace(value, 'schema Parcels 3.0.0', '')
        WHERE key = 'source'
        """
      )
      let unnamed = database.run("migrate", schemas)
      #expect(unnamed.status == .usage && unnamed.progress.contains("open it with the app, which migrates it"))
      try server.psql("DELETE FROM \(database.quoted).trellis_metadata WHERE key = 'source'")
      let silent = database.run("migrate", schemas)
      #expect(silent.status == .usage && silent.progress.contains("the store does not record its schema"))
    }
  }

  @Test func storeOfAnotherModule() throws {
    try inFolder(upTo: "3.0.0") { schemas, database throws in
      #expect(database.run("fixture", "2.0.0", "--rows", "1", "--module", "Other", schemas).status == .clean)
      let metadata = "\(database.quoted).trellis_metadata"
      let fingerprint = try database.server.psql("SELECT value FROM \(metadata) WHERE key = 'fingerprint'")
      try database.server.psql("UPDATE \(metadata) SET value = 'another' WHERE key = 'fingerprint'")
      let refused = database.run("migrate", schemas)
      #expect(refused.status == .findings)
      #expect(
        refused.output
          == "error: the store of Parcels 2.0.0 was not written by an app with the module 'Parcels': set the module "
          + "with '--module'\n")
      // These types have the same fingerprint in every module.
      try database.server.psql("UPDATE \(metadata) SET value = '\(fingerprint)' WHERE key = 'fingerprint'")
      #expect(database.run("migrate", schemas).status == .clean)
    }
  }

  /// Literal defaults become the values of existing rows. Only the program knows other defaults.
  @Test func defaultsOfNewAttributes() throws {
    let head = """
      schema Parcels 2.0.0

      @Model
      class Parcel {
          var code: String
          var weight: Int?
          var count: UInt64 = 7
          var ratio: Double = -1.5
          var small: Float = 2
          var price: Decimal = 12
          var isOpen: Bool = true
          var text: String = "\u{E9} 'quoted'"
          var state: State = .open
          var level: Level = Level.high
          var kind: Kind = .plain
          var tags: [String] = []
          var sizes: [String: Int] = [:]
          var note: String? = "n"
      }

      enum State: String, Codable { case open, closed = "shut" }
      enum Level: Int, Codable { case low = 1, high = 2 }
      enum Kind: Codable { case plain, sized(Int) }
      """
    try inFolder(upTo: "2.0.0") { schemas, database throws in
      let path = URL(fileURLWithPath: schemas).appendingPathComponent("Parcels.schema")
      try Data((head + "\n").utf8).write(to: path)
      #expect(database.run("fixture", "1.0.0", "--rows", "1", schemas).status == .clean)
      let migrated = database.run("migrate", schemas)
      #expect(migrated.status == .clean, "\(migrated)")
      let row = try database.server.psql(
        """
        SELECT count, ratio, small, price, "isOpen", text, state, level, kind, tags, sizes, note
        FROM \(database.quoted)."Parcel"
        """)
      #expect(row == "7|-1.5|2|12|t|\u{E9} 'quoted'|open|2|{\"plain\":{}}|[]|{}|n")
    }
    try inFolder(upTo: "2.0.0") { schemas, database throws in
      let path = URL(fileURLWithPath: schemas).appendingPathComponent("Parcels.schema")
      try Data((head.replacing("= 7", with: "= UInt64(7)") + "\n").utf8).write(to: path)
      #expect(database.run("fixture", "1.0.0", "--rows", "1", schemas).status == .clean)
      let refused = database.run("migrate", schemas)
      #expect(refused.status == .findings && refused.output.contains("'Parcel.count'"), "\(refused)")
    }
  }
}

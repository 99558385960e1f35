import CSQLite
import Foundation
import StoreTransfer
import Synchronization
import TestSupport
import Testing
import Trellis

/// Files, names and the command.
@Suite struct SQLiteFileTests {
  private static let trips = """
    CREATE TABLE trips (id INTEGER PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER);
    INSERT INTO trips VALUES (1, 'Oslo', 1700000000), (2, 'Rome', 1700000001);
    """

  @Test func anImportWritesSchemaAndStore() throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    let before = try source.bytes()
    let run = source.tool("import", "--from", "sqlite", "trips.db", "--into", "trips.store", "--dates", "all")
    #expect(run.status == 0)
    #expect(run.output == "")
    #expect(
      run.messages == """
        found 1 table with 3 columns and 2 rows in trips.db; wrote 1 model to Trips.schema
        trips -> Trip: 2 rows, checksums equal

        """)
    #expect(try source.bytes() == before)
    let schema = try String(contentsOf: source.folder.appendingPathComponent("Trips.schema"), encoding: .utf8)
    #expect(
      schema == """
        schema Trips 1.0.0

        @Model(originalName: "trips")
        class Trip {
            var name: String
            @Attribute(originalName: "created_at") var createdAt: Date?
        }

        """)
    #expect(source.tool("check", "Trips.schema").status == 0)
    #expect(source.tool("format", "--check", "Trips.schema").status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: source.folder.path).sorted() == [
        "Trips.schema", "trips.db", "trips.store",
      ])
    // Nothing is replaced without --force.
    #expect(source.tool("import", "--from", "sqlite", "trips.db", "--into", "trips.store").status == 2)
    #expect(source.tool("import", "--from", "sqlite", "trips.db", "--into", "trips.store", "--force").status == 0)
  }

  @Test func aDryRunWritesNothing() throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    let run = source.tool("import", "--from", "sqlite", "trips.db", "--dry-run", "--into", "trips.store")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("// Trips.schema\nschema Trips 1.0.0\n"))
    #expect(run.messages.contains("trips: 2 rows\n"))
    #expect(run.messages.contains("'--dates trips.created_at=unix'"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: source.folder.path) == ["trips.db"])
  }

  @Test func rejectedRowsStopTheCopyOrGoToAFile() throws {
    let source = try SQLiteSource("trips.db", Self.trips + "INSERT INTO trips VALUES (3, x'01', 'soon');")
    let stopped = source.tool("import", "--from", "sqlite", "trips.db", "--into", "t.store")
    #expect(stopped.status == 1)
    #expect(
      stopped.output == """
        trips row 3, name: a blob with 1 byte is not text
        error: 1 row does not fit, so nothing was written; '--rejects FILE' writes them to FILE and copies all others

        """)
    #expect(try FileManager.default.contentsOfDirectory(atPath: source.folder.path) == ["trips.db"])
    let run = source.tool("import", "--from", "sqlite", "trips.db", "--into", "t.store", "--rejects", "bad.ndjson")
    #expect(run.status == 1)
    let rejects = try String(contentsOf: source.folder.appendingPathComponent("bad.ndjson"), encoding: .utf8)
    #expect(
      rejects == """
        {"column":"name","reason":"a blob with 1 byte is not text","row":3,"table":"trips",\
        "values":{"created_at":"soon","id":3,"name":{"bytes":"AQ=="}}}

        """)
    #expect(run.messages.contains("trips -> Trip: 2 rows, 1 rejected, checksums equal\n"))
  }

  @Test func theLogIsReadFromACopy() throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    let connection = try Connection(source.url.path, .existing)
    _ = try connection.rows("PRAGMA journal_mode = WAL")
    try connection.execute("INSERT INTO trips VALUES (3, 'Bern', NULL)")
    let (before, log) = (try source.bytes(), try source.bytes("-wal"))
    #expect(!log.isEmpty)
    let copy = try source.copy()
    #expect(copy.report.counts == ["trips": 3])
    #expect(try source.bytes() == before)
    #expect(try source.bytes("-wal") == log)
    withExtendedLifetime(connection) {}
  }

  @Test(arguments: [
    ("", "the file is empty"), ("hello, this is text and no database at all", "is not an SQLite database"),
  ])
  func otherFilesAreRefused(_ text: String, _ reason: String) throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    try text.write(to: source.url, atomically: true, encoding: .utf8)
    let run = source.tool("import", "--from", "sqlite", "trips.db")
    #expect(run.status == 2)
    #expect(run.messages.contains(reason))
  }

  @Test func missingFilesAndFoldersAreRefused() throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    #expect(source.tool("import", "--from", "sqlite", "none.db").messages == "error: none.db: no such file\n")
    #expect(
      source.tool("import", "--from", "sqlite", "/").messages.contains("is not a regular file")
        || source.tool("import", "--from", "sqlite", "/").status == 2)
    #expect(source.tool("import", "--from", "sqlite").status == 2)
    #expect(source.tool("import", "--from", "sqlite", "trips.db", "--rejects", "x").status == 2)
  }

  @Test func storesOfOtherKindsNameTheirCommand() throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    _ = try source.copy()
    let own = source.tool("import", "--from", "sqlite", "copy.store")
    #expect(own.status == 2)
    #expect(own.messages.contains("is a Trellis store already"))
    let apple = try SQLiteSource(
      "apple.sqlite",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER); CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER); CREATE TABLE ZTRIP (Z_PK INTEGER)"
    )
    #expect(apple.tool("import", "--from", "sqlite", "apple.sqlite").messages.contains("'trellis import --from store'"))
  }

  /// The encodings beside a lone surrogate, which has no UTF-8.
  /// The reader met no damage, but the copy does.
  @Test func damageThatOnlyTheCopyMeetsIsReported() throws {
    let source = try SQLiteSource(
      "s.db", "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO items VALUES (1, 'a');")
    let draft = try source.draft()
    let target = try draft.target(module: "Imported")
    let plan = try DraftPlan.plan(draft, into: target, from: source.url)
    try target.create(at: source.store)
    var bytes = try Data(contentsOf: source.url)
    bytes.replaceSubrange(4_096..<4_104, with: [UInt8](repeating: 0xFF, count: 8))
    try bytes.write(to: source.url)
    let problem = #expect(throws: TransferError.self) {
      try CopyEngine(plan, into: target).run(at: source.store, rejects: .stop)
    }
    #expect(problem?.description.contains("the source is damaged (database disk image is malformed)") == true)
  }

  @Test func aHeaderWithoutAnEncodingIsReadAsUTF8() throws {
    let source = try SQLiteSource(
      "s.db", "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO items VALUES (1, 'a');")
    var bytes = try Data(contentsOf: source.url)
    bytes.replaceSubrange(56..<60, with: [0, 0, 0, 0])
    try bytes.write(to: source.url)
    #expect(try source.copy().rows("SELECT name FROM Item") == [[.text("a")]])
  }

  @Test(arguments: [("UTF-16le", "00d8"), ("UTF-16be", "d800")])
  func wideTextIsRead(_ encoding: String, _ surrogate: String) throws {
    let source = try SQLiteSource(
      "wide.db",
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE words (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL CHECK (text <> ''));
      CREATE TABLE plain (x TEXT DEFAULT "none", y INTEGER AS (length(x)), z BLOB);
      CREATE TABLE codes (code TEXT PRIMARY KEY, word INTEGER REFERENCES words, UNIQUE (word, code)) WITHOUT ROWID;
      CREATE INDEX by_x ON plain (x COLLATE NOCASE);
      CREATE VIEW all_words AS SELECT * FROM words;
      CREATE VIRTUAL TABLE notes USING fts5(body);
      CREATE TRIGGER checked BEFORE INSERT ON plain BEGIN SELECT RAISE(ABORT, 'no') WHERE new.x = 'c'; END;
      INSERT INTO words VALUES (3, 'é🙂'), (4, 'a' || char(0) || 'b'), (5, char(65279) || 'x'),
        (6, CAST(x'\(surrogate)' AS TEXT));
      INSERT INTO plain (rowid, x, z) VALUES (7, 'A', x'00d8'), (9, NULL, 1.5);
      INSERT INTO codes VALUES ('ö', 3);
      INSERT INTO notes VALUES ('one'), ('two');
      """)
    let copy = try source.copy(keepsRejects: true)
    #expect(
      try copy.rows("SELECT id, hex(text) FROM Word ORDER BY id") == [
        [.integer(3), .text("C3A9F09F9982")], [.integer(4), .text("610062")], [.integer(5), .text("EFBBBF78")],
      ])
    #expect(copy.rejects.map(\.text).contains("words row 6, text: a blob with 2 bytes is not text"))
    #expect(try copy.rows("SELECT id, x, y FROM Plain") == [[.integer(7), .text("A"), .integer(1)]])
    #expect(try copy.rows("SELECT code, word FROM Code") == [[.text("ö"), .integer(3)]])
    #expect(
      copy.draft.database.skipped.map { "\($0.kind) \($0.name)" }.sorted() == [
        "trigger checked", "view all_words", "virtual table notes",
      ])
  }

  private static let disturbed =
    "trips.db: another program wrote to the database while it was read; quit it and import again"

  @Test func aChangeDuringTheCopyIsNamedInsteadOfItsEffects() throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    let file = try ForeignFile(source.url.path, shownAs: "trips.db")
    let error = #expect(throws: TransferError.self) {
      try file.read {
        try source.run("INSERT INTO trips (name) VALUES ('Bern')")
        throw CopyRefusal(report: CopyReport())
      }
    }
    #expect(error?.description == Self.disturbed)
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
  func aFastWriterIsNamed(_ mode: String) throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    let path = source.url.path
    let isDone = Mutex(false)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      defer { ended.signal() }
      guard let writer = try? Connection(path, .existing) else { return }
      _ = try? writer.rows("PRAGMA journal_mode = \(SQLFragment(verbatim: mode, []))")
      while !isDone.withLock({ $0 }) { try? writer.execute("UPDATE trips SET created_at = created_at + 1") }
    }
    for _ in 0..<30 {
      do {
        let file = try ForeignFile(path, shownAs: "trips.db")
        #expect(try SQLiteReader.read(file, name: "Trips").tables.map(\.rowCount) == [2])
      } catch {
        #expect("\(error)" == Self.disturbed)
      }
    }
    isDone.withLock { $0 = true }
    ended.wait()
  }

  @Test func foldersOfKilledImportsAreRemoved() throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    let abandoned = source.folder.appendingPathComponent(".trellis-partial-1/copy")
    try FileManager.default.createDirectory(at: abandoned, withIntermediateDirectories: true)
    let used = try PartialFolder(in: source.folder)
    let other = try PartialFolder(in: source.folder)
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: source.folder.path)) == [
        "trips.db", used.url.lastPathComponent, other.url.lastPathComponent,
      ])
  }

  @Test func rowsOfVirtualTablesAreCounted() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE posts (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE notes USING fts5(title, body);
      CREATE VIRTUAL TABLE pages USING fts4(body);
      CREATE VIRTUAL TABLE boxes USING rtree(id, x1, x2, +label);
      CREATE VIRTUAL TABLE search USING fts5(body, content='posts', content_rowid='id');
      CREATE VIRTUAL TABLE words USING fts5(body, content='');
      INSERT INTO notes VALUES ('a', 'b'), ('c', 'd'); INSERT INTO pages VALUES ('a');
      INSERT INTO boxes VALUES (1, 0, 1, 'x'), (2, 0, 1, 'y'), (3, 0, 1, 'z'); INSERT INTO words VALUES ('a');
      """)
    func reason(_ rows: String, _ name: String, _ them: String = "them") -> String {
      "its \(rows) nowhere else; to keep \(them), create an ordinary table with "
        + "'CREATE TABLE \"\(name)2\" AS SELECT * FROM \"\(name)\"' and import again"
    }
    let derived = "its rows are derived from other tables, or belong to a module"
    #expect(
      try source.draft().database.skipped.map { "\($0.name): \($0.reason)" } == [
        "notes: \(reason("2 rows exist", "notes"))", "pages: \(reason("row exists", "pages", "it"))",
        "boxes: \(reason("3 rows exist", "boxes"))", "search: \(derived)", "words: \(derived)",
      ])
  }

  @Test func anEmptyDatabaseBecomesAnEmptySchema() throws {
    let source = try SQLiteSource("empty.db", "CREATE TABLE t (x); DROP TABLE t")
    let copy = try source.copy("Empty")
    #expect(copy.draft.text == "schema Empty 1.0.0\n")
    #expect(copy.report.tables.isEmpty)
  }

  @Test func hostileNames() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE "class" (id INTEGER PRIMARY KEY, "self" TEXT, "default" INTEGER, "a""b; DROP TABLE x" TEXT, "" TEXT,
        "2fa" INTEGER, "🙂" TEXT, "Type" TEXT, "hashValue" TEXT, "rowid" INTEGER, "created at" TEXT, "CREATED_AT" TEXT);
      CREATE TABLE "Date" (id INTEGER PRIMARY KEY, value TEXT);
      CREATE TABLE "dates" (id TEXT PRIMARY KEY, "ID_2" TEXT, entity TEXT, "_id" TEXT);
      CREATE TABLE "x'y" (a, b, c);
      CREATE TABLE "ImportedSchema" (a INTEGER);
      CREATE TABLE "日本" ("名前" TEXT);
      INSERT INTO "class" VALUES (1, 's', 2, 'q', 'e', 3, 'smile', 't', 'h', 4, 'c', 'd');
      INSERT INTO "x'y" VALUES (1, 'two', x'03');
      INSERT INTO "日本" VALUES ('東京');
      INSERT INTO "dates" VALUES ('k', 'i', 'e', 'u');
      """)
    let copy = try source.copy()
    #expect(copy.report.isComplete)
    #expect(copy.report.writtenCount == 4)
    let text = copy.draft.text
    #expect(text.contains(##"@Attribute(originalName: "a\"b; DROP TABLE x") var aBDROPTABLEX: String?"##))
    #expect(text.contains("@Model(originalName: \"Date\")"))
  }

  @Test func aTableWithoutAnyKeyIsSkippedAndNamed() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE odd (rowid TEXT, _rowid_ TEXT, oid TEXT); INSERT INTO odd VALUES ('a', 'b', 'c');
      CREATE TABLE even (rowid TEXT, oid TEXT); INSERT INTO even VALUES ('a', 'c');
      """)
    let copy = try source.copy()
    #expect(copy.draft.database.skipped.map(\.name) == ["odd"])
    #expect(copy.report.counts == ["even": 1])
  }

  /// A key column that is not the row number may be NULL in SQLite, so such rows cannot be numbered by their key.
  @Test func rowsThatCannotBeReadAreNotLostSilently() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE odd (rowid TEXT PRIMARY KEY, _rowid_ TEXT, oid TEXT);
      INSERT INTO odd VALUES ('a', 'b', 'c'), (NULL, 'd', 'e');
      """)
    let refusal = #expect(throws: CopyRefusal.self) { try source.copy() }
    #expect(refusal?.report.tables.first?.found == 2)
    #expect(refusal?.report.tables.first?.written == 1)
  }

  @Test func choicesBecomeEnums() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE jobs (id INTEGER PRIMARY KEY,
        state TEXT NOT NULL DEFAULT 'on-hold' CHECK (state IN ('open', 'on-hold', 'class')),
        level INT CHECK (level IS NULL OR level IN (1, 2, -3)), size INT CHECK (size >= 0 AND  "size" <> 'it''s'), flag BOOLEAN NOT NULL DEFAULT 1);
      INSERT INTO jobs VALUES (1, 'class', -3, 5, 1), (2, 'open', NULL, 6, 0);
      """)
    let copy = try source.copy()
    #expect(
      copy.draft.text == """
        schema Imported 1.0.0

        @Model(originalName: "jobs")
        class Job {
            var state: JobState = .onHold
            var level: JobLevel?
            var size: Int?
            var flag: Bool = true
        }

        enum JobState: String, Codable, CaseIterable {
            case open
            case onHold = "on-hold"
            case `class`
        }

        enum JobLevel: Int, Codable, CaseIterable {
            case value1 = 1
            case value2 = 2
            case minus3 = -3
        }

        """)
    #expect(
      copy.draft.notes.map(\.text) == [
        "jobs: not-carried: CHECK (size >= 0 AND  \"size\" <> 'it''s') is not carried over"
      ])
    #expect(copy.report.isComplete)
  }

  @Test func manyColumnsAreCheckedInGroups() throws {
    let names = (0..<250).map { "c\($0)" }
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE wide (id INTEGER PRIMARY KEY, \(names.map { "\($0) INTEGER" }.joined(separator: ", ")));
      INSERT INTO wide VALUES (1, \(names.indices.map { "\($0)" }.joined(separator: ", ")));
      INSERT INTO wide (id, c0, c249) VALUES (2, 1, 'x');
      """)
    let copy = try source.copy(keepsRejects: true)
    #expect(copy.report.isComplete)
    #expect(copy.rejects.map(\.text) == ["wide row 2, c249: 'x' is not an integer"])
    #expect(try copy.rows("SELECT c249 FROM Wide") == [[.integer(249)]])
  }
}

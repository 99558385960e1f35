import Foundation
import SchemaCommands
import SchemaDriver
import StoreCommands
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// The files of an import: links, files that are the same, and failures that leave nothing behind.
@Suite struct ImportFileTests {
  private static let trips = """
    CREATE TABLE trips (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    INSERT INTO trips VALUES (1, 'Oslo'), (2, x'00');
    """

  private func names(_ source: SQLiteSource) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: source.folder.path).sorted()
  }

  private func link(_ name: String, to target: String, _ source: SQLiteSource) throws {
    try FileManager.default.createSymbolicLink(
      atPath: source.folder.appendingPathComponent(name).path, withDestinationPath: target)
  }

  @Test func theLogOfALinkedDatabaseIsRead() throws {
    let source = try SQLiteSource("trips.db", "CREATE TABLE trips (id INTEGER PRIMARY KEY, name TEXT)")
    let connection = try Connection(source.url.path, .existing)
    _ = try connection.rows("PRAGMA journal_mode = WAL")
    try connection.execute("INSERT INTO trips VALUES (3, 'Bern')")
    try link("link.db", to: "trips.db", source)
    let run = source.tool("import", "--from", "sqlite", "link.db", "--into", "t.store")
    #expect(run.messages.contains("trips -> Trip: 1 row, checksums equal\n"))
    // The store's own log is read through a link as well.
    let store = try Connection(source.folder.appendingPathComponent("t.store").path, .existing)
    try store.execute("INSERT INTO Trip (id, name) VALUES (4, 'Rome')")
    try link("link.store", to: "t.store", source)
    #expect(source.tool("export", "link.store", "out", "--to", "csv").output.contains("Trip.csv, 2 rows") == false)
    let rows = try String(contentsOf: source.folder.appendingPathComponent("out/Trip.csv"), encoding: .utf8)
    #expect(rows.contains("Rome"))
    withExtendedLifetime((connection, store)) {}
  }

  @Test(arguments: [
    ["--rejects", "trips.db"], ["--rejects", "link.db"], ["--rejects", "hard.db"], ["--rejects", "t.store"],
    ["--rejects", "t.store-wal"], ["--rejects", "Trips.schema"], ["--rejects", "./x/../Trips.schema"],
    ["--rejects", "trips.db-wal"], ["--rejects", "r", "--into", "Trips.schema"],
  ])
  func eachFileIsAnother(_ options: [String]) throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    try link("link.db", to: "trips.db", source)
    try FileManager.default.linkItem(
      atPath: source.url.path, toPath: source.folder.appendingPathComponent("hard.db").path)
    try FileManager.default.createDirectory(
      at: source.folder.appendingPathComponent("x"), withIntermediateDirectories: false)
    let (before, list) = (try source.bytes(), try names(source))
    let arguments = ["import", "--from", "sqlite", "trips.db", "--into", "t.store"] + options + ["--force"]
    let run = StoreVerbs.run(arguments, in: source.folder.path)
    #expect(run.status.rawValue == 2)
    #expect(run.progress.contains("are the same file, so nothing was written"))
    #expect(try source.bytes() == before)
    #expect(try names(source) == list)
  }

  @Test func aFailedImportLeavesNothingBehind() throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    // The schema file cannot be written, although all rows were copied.
    try Data("text".utf8).write(to: source.folder.appendingPathComponent("file"))
    let run = source.tool(
      "import", "--from", "sqlite", "trips.db", "--into", "t.store", "--rejects", "r.ndjson", "--output", "file/sub")
    #expect(run.status == 2)
    #expect(try names(source) == ["file", "trips.db"])
  }

  @Test func aFolderIsNotReplacedByTheSchema() throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    try FileManager.default.createDirectory(
      at: source.folder.appendingPathComponent("Trips.schema"), withIntermediateDirectories: false)
    let run = source.tool(
      "import", "--from", "sqlite", "trips.db", "--into", "t.store", "--rejects", "r.ndjson", "--force")
    #expect(run.status == 2)
    #expect(
      run.messages.contains(
        "Trips.schema: error: this is a folder, so nothing was written; choose another place with '--output'\n"))
    #expect(try names(source) == ["Trips.schema", "trips.db"])
  }

  @Test func rejectsOfAFailedImportKeepTheFormerFile() throws {
    let source = try SQLiteSource("trips.db", Self.trips)
    let rejects = source.folder.appendingPathComponent("r.ndjson")
    try Data("old".utf8).write(to: rejects)
    try Data("text".utf8).write(to: source.folder.appendingPathComponent("file"))
    let run = source.tool(
      "import", "--from", "sqlite", "trips.db", "--into", "t.store", "--rejects", "r.ndjson", "--output", "file/sub",
      "--force")
    #expect(run.status == 2)
    #expect(try Data(contentsOf: rejects) == Data("old".utf8))
  }

  @Test func aStoreInUseIsNotReplaced() throws {
    let source = try SQLiteSource("trips.db", "CREATE TABLE trips (id INTEGER PRIMARY KEY, name TEXT)")
    #expect(source.tool("import", "--from", "sqlite", "trips.db", "--into", "t.store").status == 0)
    let path = source.folder.appendingPathComponent("t.store").path
    var connection: Connection? = try Connection(path, .existing)
    _ = try connection?.rows("SELECT count(*) FROM Trip")
    let run = source.tool("import", "--from", "sqlite", "trips.db", "--into", "t.store", "--force")
    #expect(run.status == 2)
    #expect(run.messages.contains("another process has the store open"))
    connection = nil
    #expect(source.tool("import", "--from", "sqlite", "trips.db", "--into", "t.store", "--force").status == 0)
  }

  @Test(arguments: [
    (SQLiteError(extendedCode: 13, message: "database or disk is full") as any Error, "the disk is full"),
    (SQLiteError(extendedCode: 10, message: "disk I/O error", systemCode: ENOSPC), "the disk is full"),
    (SQLiteError(extendedCode: 4_874, message: "disk I/O error"), "the disk is full"),
    (SQLiteError(extendedCode: 8, message: "attempt to write a readonly database"), "check the permissions"),
    (CocoaError(.fileWriteOutOfSpace), "the disk is full"), (CocoaError(.fileWriteNoPermission), "Permission denied"),
    (FileError(EROFS), "check the permissions"),
  ])
  func failuresOfTheFileSystemNameTheWayOut(_ error: any Error, _ text: String) {
    let found = FileProblem.text(of: error, "Trips.store") ?? ""
    #expect(found.hasPrefix("Trips.store: "))
    #expect(found.contains(text))
  }

  @Test func keysAndReferencesAreNoDates() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE days (created INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE events (id INTEGER PRIMARY KEY, day_created INTEGER REFERENCES days, size INTEGER);
      INSERT INTO days VALUES (1700000000, 'a');
      """)
    for (column, reason) in [("days.created", "is the primary key"), ("events.day_created", "is a foreign key")] {
      let error = #expect(throws: TransferError.self) { try source.draft(dates: ["\(column)=unix"]) }
      #expect(error?.description.contains(reason) == true)
    }
    #expect(try source.draft(dates: ["all"]).text.contains("Date") == false)
  }

  @Test(arguments: [
    ("milliseconds", "1700000000123", 721_692_800.123), ("iso", "'2024-05-01 10:00:00.123456'", 736_250_400.123456),
    ("iso", "'1999-12-31T23:59:59.9'", -31_622_400.1),
  ])
  func datesAreRoundedOnce(_ form: String, _ value: String, _ seconds: Double) throws {
    let source = try SQLiteSource(
      "s.db", "CREATE TABLE events (id INTEGER PRIMARY KEY, at); INSERT INTO events VALUES (1, \(value))")
    let copy = try source.copy(dates: ["events.at=\(form)"])
    #expect(try copy.rows("SELECT at FROM Event") == [[.real(seconds)]])
  }

  @Test func datesAtTheEnd() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE events (id INTEGER PRIMARY KEY, at TEXT);
      INSERT INTO events VALUES (1, '9999-12-31T23:59:59.9999999'), (2, '9999-12-31T23:59:59'),
        (3, '2024-05-01T10:00:00.123456789Z');
      """)
    let copy = try source.copy(dates: ["events.at=iso"], keepsRejects: true)
    #expect(copy.rejects.map(\.text) == ["events row 1, at: '9999-12-31T23:59:59.9999999' is not a date"])
    #expect(
      copy.draft.notes.map(\.text).contains(
        "events.at: check: contains 1 date finer than microseconds, rounded when read"))
  }

  @Test func aLostTypeIsNamed() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE items (id INTEGER PRIMARY KEY, price DECIMAL(8,2));
      INSERT INTO items VALUES (1, 5), (2, 7), (3, 'free');
      """)
    let note = try source.draft().notes.first?.text ?? ""
    #expect(note.contains("the property does not have the declared type DECIMAL(8,2); values that do not fit"))
  }

  /// Rails writes Booleans like this.
  @Test func aTypeThatNoValueHasIsNamed() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE items (id INTEGER PRIMARY KEY, sold BOOLEAN, code UUID, new BOOLEAN, size INTEGER);
      INSERT INTO items VALUES (1, 't', 'x1', 1, 'one'), (2, 'f', NULL, NULL, 'two');
      """)
    #expect(
      try source.draft().notes.map(\.text) == [
        "items.sold: check: contains 2 texts, for example 't'; the property therefore has not the declared type BOOLEAN",
        "items.code: check: contains 1 text, for example 'x1'; the property therefore has not the declared type UUID",
      ])
  }
}

import CSQLite
import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct StoreOpeningTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture(Journey.self) }

  /// Opens the store and checks the problem, and that all files are unchanged.
  private func expect(
    _ problem: StoreProblem, allowsSave: Bool = true, _ schema: Schema? = nil,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try fixture.contents()
    let error = #expect(throws: SwiftDataError.self, sourceLocation: location) {
      try fixture.open(schema, allowsSave: allowsSave)
    }
    #expect(error?.storeProblem == problem, "\(error as Any)", sourceLocation: location)
    #expect(error?.path == fixture.url.path, sourceLocation: location)
    #expect(try fixture.contents() == before, sourceLocation: location)
  }

  @Test func storesKeepTheirIdentity() throws {
    let identifier = try fixture.open().identifier
    #expect(UUID(uuidString: identifier) != nil)
    #expect(try fixture.open().identifier == identifier)
    #expect(try fixture.shell("PRAGMA journal_mode") == "wal")
  }

  @Test func unusualFileNamesWork() throws {
    for name in ["a b?mode=memory#x%41.store", "é 'quote\".store", "-rf.store"] {
      let url = fixture.folder.appendingPathComponent(name)
      let store = try DefaultStore(
        ModelConfiguration(schema: fixture.schema, url: url), migrationPlan: nil)
      try store.save(insert: [Journey.Snapshot().snapshot()])
      #expect(FileManager.default.fileExists(atPath: url.path))
      let reader = try DefaultStore(
        ModelConfiguration(schema: fixture.schema, url: url, allowsSave: false), migrationPlan: nil)
      #expect(try reader.values(Journey.Snapshot.self).count == 1)
    }
  }

  @Test func emptyFilesBecomeNewStores() throws {
    try Data().write(to: fixture.url)
    try fixture.open().save(insert: [Journey.Snapshot().snapshot()])
    #expect(try fixture.complaints() == "")
  }

  @Test func foldersAreRejected() throws {
    try FileManager.default.createDirectory(at: fixture.url, withIntermediateDirectories: false)
    try expect(.isFolder)
  }

  @Test func foldersThatCannotBeCreatedAreReported() throws {
    let file = fixture.folder.appendingPathComponent("file")
    try Data("x".utf8).write(to: file)
    let error = #expect(throws: SwiftDataError.self) {
      try DefaultStore(
        ModelConfiguration(schema: fixture.schema, url: file.appendingPathComponent("a/b.store")),
        migrationPlan: nil)
    }
    #expect(error?.storeProblem == .noFolder)
  }

  /// A mistyped path does not become folders.
  @Test func onlyTheLastFolderIsCreated() throws {
    func open(_ path: String) throws {
      _ = try DefaultStore(
        ModelConfiguration(schema: fixture.schema, url: fixture.folder.appendingPathComponent(path)),
        migrationPlan: nil)
    }
    try open("new/a.store")
    let error = #expect(throws: SwiftDataError.self) { try open("typo/new/a.store") }
    #expect(error?.storeProblem == .noFolder)
    let typo = fixture.folder.appendingPathComponent("typo").path
    #expect("\(error.map { "\($0)" } ?? "")".contains("there is no folder '\(typo)': correct the path"))
    #expect(!FileManager.default.fileExists(atPath: typo))
  }

  @Test func otherFilesAreRejected() throws {
    try Data("just some text, longer than the header of a database would be".utf8)
      .write(to: fixture.url)
    try expect(.notADatabase)
    try expect(.notADatabase, allowsSave: false)
    try Data("SQLite format 3\0".utf8).write(to: fixture.url)
    try expect(.damaged)
  }

  @Test func databasesOfOtherProgramsAreRejected() throws {
    _ = try fixture.shell("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
    try expect(.foreign)
    _ = try fixture.shell("PRAGMA journal_mode = WAL; INSERT INTO theirs VALUES (2)")
    try expect(.foreign)
    try expect(.foreign, allowsSave: false)
  }

  @Test func damageIsReported() throws {
    _ = try fixture.open()
    var bytes = try Data(contentsOf: fixture.url)
    bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xA5, count: 3996))
    try bytes.write(to: fixture.url)
    try expect(.damaged)
    try bytes.prefix(50).write(to: fixture.url)
    try expect(.damaged)
  }

  @Test func aStoreWithoutItsMetadataTableIsDamaged() throws {
    _ = try fixture.open()
    _ = try fixture.shell("DROP TABLE trellis_metadata")
    try expect(.damaged)
  }

  @Test(arguments: ["format", "identifier", "value types", "history epoch", "schema", "tables", "columns"])
  func aStoreWithoutMetadataIsDamaged(key: String) throws {
    _ = try fixture.open()
    _ = try fixture.shell("DELETE FROM trellis_metadata WHERE key = '\(key)'")
    try expect(.damaged)
    try expect(.damaged, allowsSave: false)
  }

  /// The list of tables is read only to look for drift.
  @Test func unreadableMetadataIsReportedAsDamage() throws {
    _ = try fixture.open()
    _ = try fixture.shell(
      """
      UPDATE trellis_metadata SET value = '{' WHERE key = 'schema';
      UPDATE trellis_metadata SET value = 'another' WHERE key = 'fingerprint'
      """)
    try expect(.damaged)
    try expect(.damaged, allowsSave: false)
  }

  /// Opening a pipe would block until another process opens it.
  @Test(.timeLimit(.minutes(60))) func specialFilesAreRejected() throws {
    #expect(mkfifo(fixture.url.path, 0o644) == 0)
    for allowsSave in [true, false] {
      let error = #expect(throws: SwiftDataError.self) { try fixture.open(allowsSave: allowsSave) }
      #expect(error?.storeProblem == .notADatabase)
    }
  }

  /// The files of a program that is killed during a commit in rollback journal mode: new pages in the file, and the old
  /// pages in the journal.
  @Test func incompleteFilesAreNotReadWithoutTheirJournal() throws {
    try fixture.open().save(insert: (0..<400).map { _ in Journey.Snapshot().snapshot() })
    let torn = try StoreFixture(Journey.self)
    do {
      let connection = try Connection(fixture.url.path, .existing)
      try connection.execute("PRAGMA journal_mode = DELETE")
      try connection.execute("PRAGMA cache_size = 1")
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute("UPDATE \"Journey\" SET \"id\" = \"id\" + 100000")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: fixture.url.path + suffix, toPath: torn.url.path + suffix)
      }
    }
    #expect(FileStamp.size(torn.url.path + "-journal") > 512)
    let error = #expect(throws: SwiftDataError.self) { try torn.open(allowsSave: false) }
    #expect(error?.storeProblem == .notWritable)
    #expect(error?.explanation?.contains("open it once with 'allowsSave: true'") == true)
    let rows = try torn.open().values(Journey.Snapshot.self)
    #expect(rows.count == 400 && rows.allSatisfy { ($0.persistentIdentifier.row ?? 0) <= 400 })
    #expect(try torn.open(allowsSave: false).values(Journey.Snapshot.self).count == 400)
  }

  @Test func newerFormatsAreRejected() throws {
    _ = try fixture.open()
    // The newer format has no row with the schema.
    _ = try fixture.shell(
      "UPDATE trellis_metadata SET value = 2 WHERE key = 'format'; DELETE FROM trellis_metadata WHERE key = 'schema'")
    try expect(.newerFormat)
    try expect(.newerFormat, allowsSave: false)
  }

  @Test func newerSchemasAreRejected() throws {
    _ = try fixture.open(Schema([Journey.self, Member.self], version: .init(2, 0, 0)))
    let error = #expect(throws: SwiftDataError.backwardMigration) { try fixture.open() }
    #expect(error?.storeProblem == .newerSchema)
  }

  @Test func externallyChangedTablesAreReported() throws {
    _ = try fixture.open()
    _ = try fixture.shell("ALTER TABLE \"Stop\" DROP COLUMN \"title\"")
    try expect(.drifted)
    // Additional columns and views are harmless.
    _ = try fixture.shell("ALTER TABLE \"Stop\" ADD COLUMN \"title\" TEXT NOT NULL DEFAULT ''")
    _ = try fixture.shell("CREATE VIEW plan AS SELECT * FROM \"Stop\"")
    _ = try fixture.open()
  }

  @Test(arguments: ["trellis_history", "trellis_tombstones", "trellis_history_names"])
  func missingHistoryTablesAreReported(table: String) throws {
    _ = try fixture.open()
    _ = try fixture.shell("DROP TABLE \(table)")
    try expect(.drifted)
  }

  /// An unchanged store is not compared; the first external change is detected.
  @Test func everyExternalChangeIsListed() throws {
    _ = try fixture.open()
    _ = try fixture.open()
    _ = try fixture.shell(
      """
      ALTER TABLE "Stop" DROP COLUMN "title"; ALTER TABLE "Stop" ADD COLUMN "title" BLOB;
      DROP TABLE "Tag"
      """)
    for _ in 0..<2 {
      let error = #expect(throws: SwiftDataError.self) { try fixture.open() }
      #expect(error?.storeProblem == .drifted)
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("column 'Stop.title' is \"title\""))
      #expect(text.contains("table 'Tag' is missing"))
    }
  }

  /// SQLite waits for the lock for five seconds, without using the processor.
  @Test func lockedStoresAreReported() throws {
    _ = try fixture.open()
    let connection = try Connection(fixture.url.path, .existing)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    try connection.execute("BEGIN EXCLUSIVE")
    let error = #expect(throws: SwiftDataError.self) { try fixture.open() }
    #expect(error?.storeProblem == .locked, "\(error as Any)")
  }

  @Test func readOnlyStoresWriteNoFiles() throws {
    try expect(.missing, allowsSave: false)
    do {
      let store = try fixture.open()
      try store.save(insert: [Journey.Snapshot().snapshot()])
    }
    let before = try fixture.contents()
    #expect(before.keys.sorted() == ["test.store"])
    let reader = try fixture.open(allowsSave: false)
    #expect(try reader.values(Journey.Snapshot.self).count == 1)
    let error = #expect(throws: SwiftDataError.self) {
      try reader.save(insert: [Journey.Snapshot().snapshot()])
    }
    #expect(error?.storeProblem == .notWritable)
    #expect(throws: SwiftDataError.self) { try reader.erase() }
    #expect(try fixture.contents() == before)
    // With an open writer, the reader uses the WAL and sees its commits.
    let writer = try fixture.open()
    try writer.save(insert: [Journey.Snapshot().snapshot()])
    #expect(try reader.values(Journey.Snapshot.self).count == 2)
  }

  @Test(.enabled(if: getuid() != 0)) func unwritableStoresAreReported() throws {
    _ = try fixture.open()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: fixture.url.path)
    try expect(.notWritable)
    _ = try fixture.open(allowsSave: false)
  }

  /// The setting belongs to the process, not to the library.
  @Test func sqliteMemoryStatisticsRemainEnabled() throws {
    let store = try fixture.openInMemory()
    withExtendedLifetime(store) { #expect(sqlite3_memory_used() > 0) }
  }

  @Test func inMemoryStoresAreIndependent() throws {
    let one = try fixture.openInMemory()
    let other = try fixture.openInMemory()
    try one.save(insert: [Journey.Snapshot().snapshot()])
    #expect(try one.values(Journey.Snapshot.self).count == 1)
    #expect(try other.values(Journey.Snapshot.self).isEmpty)
    // A nested call.
    var inner = 0
    let all = DataStoreFetchRequest(
      descriptor: FetchDescriptor<Journey>(), editingState: StoreFixture.context)
    try one.rows(Query(all)) { _ in inner += try one.fetchCount(all) }
    #expect(inner == 1)
    #expect(try fixture.contents().isEmpty)
  }
}

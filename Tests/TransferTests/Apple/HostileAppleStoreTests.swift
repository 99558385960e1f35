import AppleStore
import AppleStoreFiles
import Foundation
import SchemaDiagnostics
import SchemaImport
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// Files that are damaged, incomplete or made to mislead the import.
@Suite struct HostileAppleStoreTests {
  private typealias M = TestModels

  private static func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test func filesThatAreNoStores() throws {
    let store = try AppleTestStore(nil, [], "")
    func open(_ path: String) -> String {
      Self.message { _ = try AppleStoreImport(path, name: "Voyages") }
    }
    let text = store.folder.appendingPathComponent("text").path
    try Data("hello".utf8).write(to: URL(fileURLWithPath: text))
    let pipe = store.folder.appendingPathComponent("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let database = store.folder.appendingPathComponent("other.db").path
    try Connection(database, .creating).execute("CREATE TABLE trip (name TEXT)")
    #expect(open(store.folder.appendingPathComponent("missing").path) == "no such file")
    #expect(open(text) == "not an SQLite database")
    #expect(open(pipe).hasSuffix("cannot be copied: it is a folder, a pipe, a socket or a device"))
    #expect(open(store.folder.path).hasSuffix("cannot be copied: it is a folder, a pipe, a socket or a device"))
    #expect(open(database).hasPrefix("not a SwiftData or Core Data store: the tables Z_PRIMARYKEY and Z_METADATA"))
    #expect(
      open(store.url.path)
        == "the store contains no model (the table Z_MODELCACHE is missing or empty): name the app's sources or its "
        + "'.xcdatamodeld' with '--models'")
  }

  @Test func aLinkedLogIsRefused() throws {
    let store = try VoyageStore.store()
    let log = store.url.path + "-wal"
    try? FileManager.default.removeItem(atPath: log)
    try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: "/etc/passwd")
    #expect(throws: AppleStoreProblem("'\(log)' is a symbolic link")) {
      try AppleStoreImport(store.url.path, name: "Voyages")
    }
  }

  @Test func damagedModelCache() throws {
    let store = try AppleTestStore(nil, VoyageStore.entities, VoyageStore.tables, cache: [1, 2, 3, 4, 5])
    #expect(
      throws: AppleStoreProblem(
        "the store's model cannot be read: the size of a stored block contradicts its check value; name the app's "
          + "sources or its '.xcdatamodeld' with '--models'")
    ) { try AppleStoreImport(store.url.path, name: "Voyages") }
  }

  @Test(arguments: [
    (
      "ALTER TABLE ZAPPLESTOP RENAME COLUMN ZPLACE TO ZPLACES",
      "the model does not match the tables: 'AppleStop.place' has no column ZPLACE in the table ZAPPLESTOP"
    ),
    (
      "ALTER TABLE ZAPPLEVEHICLE DROP COLUMN ZCODE1",
      "the model does not match the tables: 'AppleCar.code' has no column ZCODE1 in the table ZAPPLEVEHICLE"
    ),
    (
      "DROP TABLE ZAPPLESTOP",
      "the model does not match the tables: the table ZAPPLESTOP of entity 'AppleStop' is missing"
    ),
    (
      "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'AppleStop'",
      "the model does not match the tables: entity 'AppleStop' is missing in the table Z_PRIMARYKEY"
    ),
    (
      "INSERT INTO Z_PRIMARYKEY VALUES (20, 'AppleStop', 0, 0)",
      "entity 'AppleStop' has two numbers in the table Z_PRIMARYKEY"
    ),
    ("DROP TABLE Z_1VOYAGES", "the table of the many-to-many relationship 'AppleLabel.voyages' is missing"),
  ])
  func modelsThatDoNotMatch(_ change: String, _ expected: String) throws {
    let store = try VoyageStore.store(more: change)
    #expect(Self.message { _ = try store.imported() } == expected)
  }

  // MARK: - External files

  private static let hasPhoto = "UPDATE ZAPPLEVOYAGE SET ZPHOTO = "

  @Test(arguments: [
    ("B0", "the external file 'B0' is missing"),
    ("../secret", "the name of the external file is not valid"),
    ("/etc/passwd", "the name of the external file is not valid"),
    ("..", "the name of the external file is not valid"),
    ("", "the name of the external file is not valid"),
    ("link", "the external file 'link' is a symbolic link"),
    ("folder", "the external file 'folder' is not a regular file"),
    ("pipe", "the external file 'pipe' is not a regular file"),
  ])
  func externalFilesThatCannotBeRead(_ name: String, _ problem: String) throws {
    let store = try VoyageStore.store(
      more: "\(Self.hasPhoto)\(hexadecimal([2] + Array(name.utf8) + [0])) WHERE Z_PK = 11")
    let secret = store.folder.appendingPathComponent(".Voyages_SUPPORT/secret")
    try Data("secret".utf8).write(to: secret)
    try FileManager.default.createSymbolicLink(
      at: store.externalFolder.appendingPathComponent("link"), withDestinationURL: secret)
    try FileManager.default.createDirectory(
      at: store.externalFolder.appendingPathComponent("folder"), withIntermediateDirectories: false)
    #expect(mkfifo(store.externalFolder.appendingPathComponent("pipe").path, 0o600) == 0)
    let read = try AppleStoreImport(store.url.path, name: "Voyages")
    #expect(
      read.result.notes.filter { $0.topic == "external-file" }.map(\.message)
        == ["'AppleVoyage.photo' in row 11: \(problem)"])
    do {
      _ = try store.imported()
      Issue.record("the row was copied")
    } catch let refusal as CopyRefusal {
      // The voyage's label is a row, too.
      #expect(
        refusal.report.rejects.map { "\($0.table) \($0.row) \($0.column)" }.sorted() == [
          "ZAPPLEVOYAGE 11 ZPHOTO", "Z_1VOYAGES 3 Z_7VOYAGES",
        ])
    }
  }

  @Test func aLinkedFolderIsRefused() throws {
    let store = try VoyageStore.store()
    let elsewhere = store.folder.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: store.externalFolder, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: store.externalFolder, withDestinationURL: elsewhere)
    let read = try AppleStoreImport(store.url.path, name: "Voyages")
    #expect(
      read.result.notes.filter { $0.topic == "external-file" }.map(\.message)
        == ["'AppleVoyage.photo' in row 11: the folder '\(store.externalFolder.path)' is a symbolic link"])
  }

  // MARK: - Rows

  @Test func rowsThatDoNotFitAreListed() throws {
    let store = try VoyageStore.store(
      more: """
        UPDATE ZAPPLEVOYAGE SET ZTITLE = NULL WHERE Z_PK = 10;
        INSERT INTO ZAPPLELABEL VALUES (9, 77, 1, 'unknown');
        ALTER TABLE ZAPPLESTOP ADD COLUMN ZOLD INTEGER
        """)
    var rejects: [String] = []
    let imported = try store.imported(rejects: .write { rejects.append("\($0.table) \($0.row) \($0.column)") })
    #expect(rejects.contains("ZAPPLEVOYAGE 10 ZTITLE"))
    #expect(try imported.rows("SELECT id FROM AppleVoyage") == ["11"])
    #expect(
      imported.report.notes.contains(
        "not copied: 1 row of 'ZAPPLELABEL' with the unknown entity number 77"))
    #expect(
      imported.report.notes.contains(
        "not copied: the column 'ZAPPLESTOP.ZOLD', which belongs to no property of the model"))
    #expect(try SQLiteShell(imported.store).complaints() == "")
  }

  // MARK: - Mutations

  /// Damaged files are refused or imported. The process survives, and writes nothing but the new store.
  @Test func mutatedStores() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let store = try VoyageStore.store()
    let bytes = [UInt8](try Data(contentsOf: store.url))
    let open = try VoyageStore.store(isOpen: true)
    let header = try Data(contentsOf: open.url)
    let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: open.url.path + "-wal")))
    let folder = store.folder.appendingPathComponent("mutated")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("Voyages.store")
    var refused = 0
    for round in 0..<Repetitions.scaled(40) {
      let isLog = round % 4 == 0
      try Data(isLog ? Array(header) : random.mutate(bytes)).write(to: file)
      try Data(isLog ? random.mutate(log) : []).write(to: URL(fileURLWithPath: file.path + "-wal"))
      let before = try [file.path, file.path + "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
      do {
        let read = try AppleStoreImport(file.path, name: "Voyages")
        _ = try read.plan(for: read.target())
      } catch {
        refused += 1
      }
      let after = try [file.path, file.path + "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
      #expect(before == after, "seed \(seed), round \(round): the source changed")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2, "seed \(seed)")
    }
    #expect(refused > 0, "seed \(seed): nothing was damaged")
  }
}

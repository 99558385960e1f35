import Foundation
import SchemaCommands
import SchemaDriver
import SchemaModel
import SchemaVersions
import StoreCare
import StoreCommands
import TestSupport
import Testing
import Trellis

@Suite struct StoreVerbTests {
  @Test func aCheckPrintsItsFindingsAndExitsWithOne() throws {
    let sound = try StoreUnderTest("SampleTrips")
    let clean = CareTests.store("check", sound.path)
    #expect(clean.status == 0)
    #expect(clean.output.hasSuffix(": version 3.0.0, 72 rows: no problems\n"), "\(clean.output)")
    #expect(clean.errors.contains("checking: rows of Trip\n"))
    try sound.run(
      "UPDATE Trip SET kind = 'cruise' WHERE id = 1", "DELETE FROM trellis_metadata WHERE key = 'next Trip'")
    let damaged = CareTests.store("check", sound.path)
    #expect(damaged.status == 1)
    #expect(damaged.output.contains("\nunknown-case  Trip.kind (1): a value is no case of 'TripKind'; for example 1\n"))
    #expect(damaged.output.hasSuffix("1 of 2 findings can be repaired: 'trellis store check FILE --repair COPY'\n"))
    let json = CareTests.store("check", sound.path, "--format", "json")
    let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(findings.compactMap { $0["id"] as? String }.sorted() == ["unknown-case", "used-key"])
    let repaired = CareTests.store("check", sound.path, "--repair", sound.folder.path("copy.store"))
    #expect(repaired.status == 1)
    #expect(repaired.output.contains("  repaired: the next row number of 'Trip' is 25\n"))
    #expect(repaired.output.contains("  remains: unknown-case  Trip.kind"))
  }

  @Test func schemaFilesReplaceTheCopyInTheStore() throws {
    let store = try StoreUnderTest("SampleTrips")
    try store.run(
      "DELETE FROM trellis_metadata WHERE key = 'source'", "UPDATE Trip SET kind = 'cruise' WHERE id = 1")
    // Without the source, the cases are unknown.
    #expect(CareTests.store("check", store.path).status == 0)
    let head = Repository.root.appending(path: "Schemas/SampleTrips").path
    let declared = CareTests.store("check", store.path, "--schema", head)
    #expect(declared.output.contains("unknown-case  Trip.kind"), "\(declared)")
    let copy = CareTests.store("check", store.path, "--schema", head, "--repair", store.folder.path("copy.store"))
    #expect(copy.output.contains("  remains: unknown-case  Trip.kind"))
    // Other schemas of the same version do not describe the store.
    let version = try #require(VersionUnderTest.all.first { $0.version.name == "SampleTrips" }).history.head.version
    for other in VersionUnderTest.all where other.version.version == version && other.folder != "SampleTrips" {
      let path = Repository.root.appending(path: "Schemas/\(other.folder)").path
      let refused = CareTests.store("check", store.path, "--schema", path)
      #expect(refused.errors == "error: the files do not declare the models of the store in version \(version)\n")
    }
    let sources = try StoreUnderTest("Relationships")
    let refused = CareTests.store("check", sources.path, "--schema", head)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("do not declare the models of the store in version"))
  }

  @Test(
    arguments: [
      ([], "error: name an action: check, copy, backup, compact, info, migrate\n"),
      (["chek", "a"], "error: unknown action 'chek'; did you mean 'check'?\n"),
      (["check"], "error: 'store check' needs a store file\n"),
      (["check", "missing.store"], "error: missing.store: no such file\n"),
      (["check", "a", "b"], "error: unexpected argument 'b'; 'trellis store --help' describes 'check'\n"),
      (["check", "a", "--keep", "2"], "error: '--keep' does not apply to 'store check'\n"),
      (["check", "a", "--force"], "error: '--force' applies to '--repair COPY'\n"),
      (["copy", "a"], "error: 'store copy' needs a target: 'trellis store copy FILE TARGET'\n"),
      (["backup", "a", "--keep", "0"], "error: '--keep' must be a number from 1\n"),
      (
        ["info", "a", "--keep-history", "soon"],
        "error: '--keep-history' must be an age such as '30d', '12h' or '8w', or a number of transactions\n"
      ),
      (
        ["info", "postgres://user:secret@host/db"],
        "error: 'store' is for files: use the tools of the database, and 'trellis-postgres migrate'\n"
      ),
    ] as [([String], String)]) func wrongUsageIsExplained(_ arguments: [String], _ message: String)
  {
    let outcome = StoreVerbs.run(["store"] + arguments)
    #expect(outcome.status.rawValue == 2)
    #expect(outcome.progress == message)
  }

  @Test func infoAndCompactPrintSizes() throws {
    let store = try StoreUnderTest("SampleTrips")
    let info = CareTests.store("info", store.path, "--keep-history", "30d")
    #expect(info.status == 0)
    #expect(info.output.contains("; the policy would free 0 transactions (0 bytes)\n"))
    let compacted = CareTests.store("compact", store.path)
    #expect(compacted.status == 0)
    #expect(compacted.output.contains(" pages free, log 0 bytes → "))
  }

  @Test(
    arguments: [
      (13, 0, "the disk is full: free some space and try again"), (10, ENOSPC, "the disk is full: free some space"),
      // SQLITE_IOERR_SHMSIZE.
      (4_874, 0, "the disk is full: free some space"), (10, EIO, "cannot be read or written: text; check"),
      (11, 0, "the file is damaged (text): restore a backup"), (5, 0, "another process uses the store: end it"),
    ] as [(Int32, Int32, String)])
  func errorsOfSQLiteNameTheWayOut(_ code: Int32, _ systemCode: Int32, _ text: String) {
    let error = SQLiteError(extendedCode: code, message: "text", systemCode: systemCode)
    #expect(CareFailure(error, "a.store").description.hasPrefix("a.store: \(text)"))
  }

  /// The tools that `trellis` calls if they are installed next to it.
  @Test(
    arguments: [
      (["store", "check", "a.store"], "trellis-store"), (["import", "--from", "sqlite", "a.db"], "trellis-store"),
      (["export", "a.store", "--to=csv", "out"], "trellis-store"), (["check"], nil), (["store", "--help"], nil),
      (["import", "--from", "postgres", "postgres://host/db"], "trellis-postgres"),
      (["--root", "x", "import", "--from=postgres", "dbname=db"], "trellis-postgres"),
      (["inspect", "--store", "postgres://host/db"], "trellis-postgres"), (["inspect", "--store", "a.store"], nil),
      (["studio", "a.store"], "trellis-store"), (["studio", "--write", "postgres://host/db"], "trellis-postgres"),
      (["export", "--schema", "a.schema", "--to", "sql", "--dialect", "postgres"], "trellis-postgres"),
    ] as [([String], String?)]) func aNeighborRunsWhatTheToolCannot(_ arguments: [String], _ name: String?) throws
  {
    let folder = try TemporaryFolder()
    let executable = folder.url.appending(path: "trellis")
    #expect(StoreTool.neighbor(for: arguments, of: executable) == nil)
    for tool in ["trellis-store", "trellis-postgres"] {
      #expect(FileManager.default.createFile(atPath: folder.path(tool), contents: nil))
      chmod(folder.path(tool), 0o755)
    }
    #expect(StoreTool.neighbor(for: arguments, of: executable)?.lastPathComponent == name)
  }

  @Test func theToolWithoutTheRuntimeRefersToTheOther() {
    let outcome = CommandLineTool.run(["store", "check", "a.store"])
    #expect(outcome.status.rawValue == 2)
    #expect(outcome.progress.contains("'swift run trellis-store store'"))
    #expect(CommandLineTool.run(["store", "--help"]).findings.hasPrefix("Usage: trellis store check FILE"))
  }
}

import Foundation
import SchemaCommands
import SchemaDriver
import StoreCommands
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// `trellis export` as a command.
struct ExportVerbTests {
  private func run(_ arguments: String..., in folder: URL) -> CommandLineTool.Outcome {
    StoreVerbs.run(["export"] + arguments, in: folder.path)
  }

  @Test func filesAreListed() throws {
    try inTemporaryFolder { folder in
      _ = try ExportTests.makeStore(at: folder.file("a.store"))
      let outcome = run("a.store", "--to", "csv", "out", in: folder)
      #expect(
        outcome.findings == """
          out/Trip.csv: 2 rows
          out/Stop.csv: 3 rows
          out/Guest.csv: 2 rows
          out/Guest_stops.csv: 2 rows

          """)
      #expect(outcome.status == .clean && outcome.progress.isEmpty)
      let sql = run("a.store", "--to", "sql", "dump", in: folder)
      #expect(sql.findings.hasPrefix("dump/Things.sql: Trip, 2 rows\n"))
      let json = run("a.store", "--to", "ndjson", "lines", "--format", "json", in: folder)
      #expect(json.findings.contains("\"file\" : \"Trip.ndjson\""))
    }
  }

  /// Arguments, status and message.
  static let refusals: [([String], SchemaDriver.ExitStatus, String)] = [
    (["a.store", "out"], .usage, "error: '--to' is missing; use csv, json, ndjson or sql"),
    (["a.store", "out", "--to", "xml"], .usage, "error: '--to' must be one of csv, json, ndjson, sql"),
    (["a.store", "--to", "csv"], .usage, "error: 'trellis export' needs a store and a folder"),
    (["b.store", "out", "--to", "csv"], .usage, "b.store: no such store"),
    (["a.store", "full", "--to", "csv"], .usage, "full: the folder is not empty"),
    (["a.store", "a.store", "--to", "csv"], .usage, "a.store: is a file, not a folder"),
    (["a.store", "x/y/z", "--to", "csv"], .usage, "there is no folder"),
    (["a.store", "out", "--to", "csv", "--output", "x"], .usage, "error: '--output' applies to '--schema'"),
    (["postgres://host/db", "out", "--to", "csv"], .usage, "error: only store files can be exported"),
  ]

  @Test(arguments: refusals)
  func wrongUseIsExplained(_ arguments: [String], _ status: SchemaDriver.ExitStatus, _ message: String) throws {
    try inTemporaryFolder { folder in
      _ = try ExportTests.makeStore(at: folder.file("a.store"))
      try FileManager.default.createDirectory(at: folder.file("full"), withIntermediateDirectories: true)
      try Data().write(to: folder.file("full/x"))
      let outcome = StoreVerbs.run(["export"] + arguments, in: folder.path)
      #expect(outcome.status == status)
      #expect((outcome.findings + outcome.progress).contains(message), "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: folder.file("out").path))
    }
  }

  @Test(arguments: RowFormat.allCases) func aDamagedFileIsNamed(_ format: RowFormat) throws {
    try inTemporaryFolder { folder in
      let store = try ExportTests.makeStore(at: folder.file("a.store"))
      let root = try Connection(store.url.path, .readOnly)
        .integers("SELECT rootpage FROM sqlite_schema WHERE name = 'Stop'")
      let handle = try FileHandle(forUpdating: store.url)
      try handle.seek(toOffset: UInt64(try #require(root.first) - 1) * 4096)
      try handle.write(contentsOf: Data(repeating: 0xEE, count: 200))
      try handle.close()
      for filter in [[], ["--where", "Stop: $0.trip != nil"]] {
        let outcome = StoreVerbs.run(["export", "a.store", "out", "--to", format.rawValue] + filter, in: folder.path)
        #expect(outcome.status == .findings, "\(outcome)")
        #expect(outcome.findings.contains("/a.store: the file is damaged (database disk image is malformed): restore"))
      }
      #expect(!FileManager.default.fileExists(atPath: folder.file("out").path))
    }
  }

  /// 100 MB of text are exported by a process that may use much less memory.
  @Test func memoryDoesNotDependOnTheRowCount() throws {
    try inTemporaryFolder { folder in
      let store = try RowStore("@Model class Thing { var name: String }", at: folder.file("large.store"))
      try store.execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO "Thing" ("id", "name") SELECT i, printf('%.40000c', 'x') FROM n
        """)
      let process = Program.command(
        "bash",
        [
          "-c", "ulimit -d 65536 && exec \"$0\" export \"$1\" --to csv \"$2\" 2>&1",
          Program.tool("trellis-store", target: "StoreTool").path, store.url.path, folder.file("out").path,
        ])
      let output = try Program.output(of: process)
      #expect(process.terminationStatus == 0, "\(output)")
      let size = try FileManager.default.attributesOfItem(atPath: folder.file("out/Thing.csv").path)[.size] as? Int
      #expect((size ?? 0) > 100_000_000)
    }
  }
}

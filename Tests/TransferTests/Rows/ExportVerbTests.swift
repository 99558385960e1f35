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

  /// A process with ten times as many rows needs about the same memory.
  @Test func memoryDoesNotDependOnTheRowCount() throws {
    try inTemporaryFolder { folder in
      var peaks: [Int] = []
      for rows in [20_000, 200_000] {
        let store = try RowStore("@Model class Thing { var name: String }", at: folder.file("\(rows).store"))
        try store.execute(
          """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(number: rows))
          INSERT INTO "Thing" ("id", "name") SELECT i, 'The name of a thing, number ' || i FROM n
          """)
        let arguments = ["export", store.url.path, "--to", "csv", folder.file("\(rows)").path]
        peaks.append(try PeakMemory.kilobytes(of: Program.folder.appending(path: "StoreTool").path, arguments))
        let lines = folder.file("\(rows)/Thing.csv").text.utf8.count { $0 == 0x0A }
        #expect(lines == rows + 1)
      }
      // The files have 0.8 and 8 MB.
      #expect(peaks[1] - peaks[0] < 3_000, "\(peaks)")
    }
  }
}

/// The peak memory of a process.
enum PeakMemory {
  /// Runs an executable and returns its peak resident memory.
  static func kilobytes(of path: String, _ arguments: [String]) throws -> Int {
    var process = pid_t()
    let words = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    guard posix_spawn(&process, path, nil, nil, words + [nil], nil) == 0 else {
      throw FileError(errno)
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0 { if errno != EINTR { throw FileError(errno) } }
    #expect(status == 0)
    return usage.ru_maxrss
  }
}

import Foundation
import SchemaCommands
import SchemaDriver
import StoreCommands
import Testing

/// Tests of `trellis fixture`.
struct FixtureVerbTests {
  /// Runs a test in a package with two schemas, one of which has released versions.
  private func inPackage(_ body: (URL) throws -> Void) throws {
    try inFolder { folder in
      let schemas = folder.appendingPathComponent("Schemas")
      // Copy the contents of the files without their owners.
      let sample = SchemaUnderTest.root.appendingPathComponent("Schemas/SampleTrips")
      for path in try FileManager.default.subpathsOfDirectory(atPath: sample.path) {
        guard let bytes = FileManager.default.contents(atPath: sample.appendingPathComponent(path).path) else {
          continue
        }
        let copy = schemas.appendingPathComponent("SampleTrips/\(path)")
        try FileManager.default.createDirectory(
          at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: copy)
      }
      let notes = schemas.appendingPathComponent("Notes")
      try FileManager.default.createDirectory(at: notes, withIntermediateDirectories: true)
      try Data("schema Notes 1.0.0\n\n@Model\nclass Note {\n  var text: String\n}\n".utf8)
        .write(to: notes.appendingPathComponent("Notes.schema"))
      try body(folder)
    }
  }

  private func fixture(_ arguments: String..., in folder: URL) -> CommandLineTool.Outcome {
    CommandLineTool.run(["fixture"] + arguments, in: folder.path, with: [WriteFixture.self])
  }

  private func stores(_ folder: URL, _ path: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)
      .filter { $0 != "Schemas" }.sorted()
  }

  /// Arguments and the resulting stores in `out`.
  static let calls: [([String], [String])] = [
    ([], ["Notes-1.0.0.store", "SampleTrips-3.0.0.store"]),
    (["head"], ["Notes-1.0.0.store", "SampleTrips-3.0.0.store"]),
    (["1.0.0"], ["Notes-1.0.0.store", "SampleTrips-1.0.0.store"]),
    (["SampleTrips@1.0.0", "SampleTrips@head"], ["SampleTrips-1.0.0.store", "SampleTrips-3.0.0.store"]),
    (["2.0.0", "SampleTrips@2.0.0"], ["SampleTrips-2.0.0.store"]),
    (["Notes@all"], ["Notes-1.0.0.store"]),
    (
      ["all", "Schemas/SampleTrips"],
      ["SampleTrips-1.0.0.store", "SampleTrips-2.0.0.store", "SampleTrips-3.0.0.store"]
    ),
  ]

  @Test(arguments: calls) func versionsCanBeSelected(_ arguments: [String], _ expected: [String]) throws {
    try inPackage { folder in
      let outcome = CommandLineTool.run(
        ["fixture", "--rows", "4", "--output", "out"] + arguments, in: folder.path, with: [WriteFixture.self])
      #expect(outcome.status == .clean, "\(outcome)")
      let made = try stores(folder, "out").filter { $0.hasSuffix(".store") }
      #expect(made == expected)
      #expect(outcome.findings.split(separator: "\n").count == expected.count)
      #expect(outcome.progress.split(separator: "\n").count == expected.count)
    }
  }

  @Test func eachStoreIsSummarisedOnOneLine() throws {
    try inPackage { folder in
      let outcome = fixture("SampleTrips@1.0.0", "--output", "old.store", in: folder)
      #expect(outcome.findings == "old.store: SampleTrips 1.0.0, Trip 24, BucketListItem 24\n")
      #expect(outcome.progress == "writing SampleTrips 1.0.0\n")
      let left = try stores(folder)
      #expect(left == ["old.store"])
    }
  }

  /// Arguments, status and message of calls that write nothing.
  static let refusals: [([String], SchemaDriver.ExitStatus, String)] = [
    (["9.0.0"], .usage, "error: unknown version 9.0.0; known versions are Notes@1.0.0, SampleTrips@1.0.0"),
    (["Trips@head"], .usage, "error: unknown schema 'Trips'; known schemas are Notes, SampleTrips"),
    (
      ["SampleTrips@7.0.0"], .usage,
      "error: unknown version SampleTrips@7.0.0; known versions are SampleTrips@1.0.0"
    ),
    (["--rows", "many"], .usage, "error: '--rows' must be an integer"),
    (["--seed", "-1"], .usage, "error: '--seed' must be an integer"),
    (["all", "--output", "a.store"], .usage, "error: 'a.store' is a single store, but 4 versions were given"),
    (["nowhere"], .usage, "nowhere:1:1: error: no such file"),
    (["--output", "Schemas/Notes/Notes.schema"], .usage, "error: "),
  ]

  @Test(arguments: refusals)
  func invalidCallsAreRejected(_ arguments: [String], _ status: SchemaDriver.ExitStatus, _ message: String)
    throws
  {
    try inPackage { folder in
      let outcome = CommandLineTool.run(["fixture"] + arguments, in: folder.path, with: [WriteFixture.self])
      #expect(outcome.status == status)
      #expect((outcome.progress + outcome.findings).contains(message), "\(outcome)")
      let left = try stores(folder)
      #expect(left.isEmpty)
    }
  }

  @Test func nothingIsOverwrittenWithoutForce() throws {
    try inPackage { folder in
      let store = folder.appendingPathComponent("Notes-1.0.0.store")
      #expect(fixture("Notes@head", in: folder).status == .clean)
      let first = try Data(contentsOf: store)
      let again = fixture("Notes@head", "--seed", "2", in: folder)
      #expect(again.status == .usage)
      #expect(again.progress.hasPrefix("error: Notes-1.0.0.store already exists: '--force'"))
      #expect(try Data(contentsOf: store) == first)
      #expect(fixture("Notes@head", "--seed", "2", "--force", in: folder).status == .clean)
      #expect(try Data(contentsOf: store) != first)
      let left = try stores(folder)
      #expect(left == ["Notes-1.0.0.store"])
      // A file that is not a store is never replaced.
      try Data("a diary".utf8).write(to: store)
      let other = fixture("Notes@head", "--force", in: folder)
      #expect(other.status == .usage)
      #expect(other.progress.contains("is not a Trellis store"))
      #expect(try Data(contentsOf: store) == Data("a diary".utf8))
    }
  }

  @Test func nothingIsWrittenIfOneStoreFails() throws {
    try inPackage { folder in
      try Data("schema Notes 1.0.0\n\n@Model\nclass Note {\n  var text: NSText = NSText()\n}\n".utf8)
        .write(to: folder.appendingPathComponent("Schemas/Notes/Notes.schema"))
      let outcome = fixture(in: folder)
      #expect(outcome.status == .findings)
      #expect(outcome.findings.hasPrefix("error: Notes 1.0.0: 'Note.text' is required"), "\(outcome)")
      let left = try stores(folder)
      #expect(left.isEmpty)
      try Data("schema Notes 1.0.0\n\n@Model\nclass Note {\n  var text Strin\n}\n".utf8)
        .write(to: folder.appendingPathComponent("Schemas/Notes/Notes.schema"))
      #expect(fixture(in: folder).status == .unparsable)
    }
  }

  @Test func theToolWithoutTheRuntimeNamesTheToolToUse() {
    let outcome = CommandLineTool.run(["fixture", "1.0.0"])
    #expect(outcome.status == .usage)
    #expect(outcome.progress.contains("schema-store fixture"))
    #expect(CommandLineTool.run(["help"]).findings.contains(/\n  fixture +Write a store with test data/))
    #expect(CommandLineTool.run(["fixture", "--help"]).findings.contains("schema-store"))
    let whole = CommandLineTool.run(["fixture", "--help"], with: [WriteFixture.self])
    #expect(whole.findings.hasPrefix("Usage: trellis fixture"))
  }
}

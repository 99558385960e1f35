import Foundation
import SchemaDriver
import Testing

/// Runs the generator on files. Errors have locations, and no files are written after an error.
struct GenerationTests {
  @Test(
    arguments: [
      ([0x73, 0x00, 0x63], "A.schema:1:1: error: the file contains binary data, not Swift text"),
      (
        Array("schema A 1.0.0\nenum E { case \u{e9}".utf8) + [0x20, 0xFF, 0x7D],
        "A.schema:2:18: error: this byte is not valid UTF-8; save the file as UTF-8"
      ),
      ([0xFF, 0xFE, 0x73, 0x00], "A.schema:1:1: error: the file is UTF-16; save it as UTF-8"),
      (
        Array("schema A 1.0.0\n@Model class A { var x: Itn }".utf8),
        "A.schema:2:25: error: unknown type 'Itn' [TYP001 unknown-type]"
      ),
    ] as [([UInt8], String)])
  func unreadableFiles(_ bytes: [UInt8], _ message: String) throws {
    try inFolder { folder in
      let file = folder.appendingPathComponent("A.schema")
      try Data(bytes).write(to: file)
      let (status, messages) = generation([file], in: folder).run()
      #expect(status == .unparsable)
      #expect(messages.hasPrefix(folder.path + "/" + message), "\(messages)")
      #expect(outputs(folder) == nil)
    }
  }

  @Test func pathsInTheWorkingDirectoryAreRelative() throws {
    try inFolder { folder in
      let file = folder.appendingPathComponent("A.schema")
      try Data("schema A 1.0.0\n@Model class A { var x: Itn }".utf8).write(to: file)
      var generation = generation([file], in: folder)
      generation.shellFolder = folder.path
      #expect(
        generation.run().messages == """
          A.schema:2:25: error: unknown type 'Itn' [TYP001 unknown-type]
           2 | @Model class A { var x: Itn }
             |                         ^^^
          A.schema:2:25: note: did you mean 'Int'?

          """)
    }
  }

  @Test func commentsSilenceWarnings() throws {
    let ignored = """
      schema A 1.0.0
      @Model class A {
        var x: Code = .none  // schema:ignore opaque-codable, SYN016 -- declared in Swift
        // schema:ignore rel001 -- B has many
        var b: B?
        var c: B?
      }
      @Model class B { var y: Int }
      """
    try inFolder { folder in
      let file = folder.appendingPathComponent("A.schema")
      try Data(ignored.utf8).write(to: file)
      let (status, messages) = generation([file], in: folder).run()
      #expect(status == .clean)
      #expect(messages.components(separatedBy: "warning: ").count == 2, "\(messages)")
      #expect(messages.contains("A.schema:6:7: warning: relationship 'A.c' has no inverse"))
      try Data(("// schema:ignore-file REL001 -- B has many\n" + ignored).utf8).write(to: file)
      #expect(generation([file], in: folder).run() == (.clean, ""))
      // An error cannot be ignored.
      try Data(ignored.replacing("y: Int", with: "y: Itn // schema:ignore TYP001 -- why").utf8).write(to: file)
      #expect(generation([file], in: folder).run().messages.contains("A.schema:8:25: error: unknown type 'Itn'"))
    }
  }

  @Test func missingFilesFoldersAndOversizedFilesAreReported() throws {
    try inFolder { folder in
      let names = ["Folder.schema", "Giant.schema", "None.schema"]
      let files = names.map { folder.appendingPathComponent($0) }
      try FileManager.default.createDirectory(at: files[0], withIntermediateDirectories: false)
      #expect(FileManager.default.createFile(atPath: files[1].path, contents: nil))
      let giant = try FileHandle(forWritingTo: files[1])
      try giant.truncate(atOffset: 100 << 20)
      try giant.close()
      let (status, messages) = generation(files, in: folder).run()
      #expect(status == .unparsable)
      #expect(
        messages == """
          \(files[0].path):1:1: error: expected a schema file, found a folder
          \(files[1].path):1:1: error: the file is 100 MiB; the limit for schema files is 16 MiB
          \(files[2].path):1:1: error: no such file

          """)
      #expect(outputs(folder) == nil)
    }
  }

  @Test func nothingIsWrittenIfOneFileFails() throws {
    try inFolder { folder in
      let file = folder.appendingPathComponent("A.schema")
      try Data("schema A 1.0.0\n@Model class A { var x: Int }".utf8).write(to: file)
      let blocked = folder.appendingPathComponent("out/M+Stages.swift")
      try FileManager.default.createDirectory(at: blocked, withIntermediateDirectories: true)
      let (status, messages) = generation([file], in: folder).run()
      #expect(status == .usage)
      #expect(
        messages
          == "\(blocked.path): error: expected a generated file, found a folder; remove the folder\n")
      #expect(outputs(folder) == ["M+Stages.swift"])
      try FileManager.default.removeItem(at: blocked)
      #expect(generation([file], in: folder).run().status == .clean)
      #expect(
        outputs(folder) == [
          "A+Codecs.swift", "A+Models.swift", "M+Macros.swift", "M+Stages.swift", "M+Versions.swift",
        ])
    }
  }

  /// A target without a schema gets the macros for its predicates.
  @Test func aTargetWithoutASchema() throws {
    try inFolder { folder in
      #expect(generation([], in: folder).run().status == .clean)
      #expect(outputs(folder) == ["M+Macros.swift"])
    }
  }

  @Test func theOutputFolderIsAFile() throws {
    try inFolder { folder in
      let file = folder.appendingPathComponent("A.schema")
      try Data("schema A 1.0.0\n@Model class A { var x: Int }".utf8).write(to: file)
      try Data().write(to: folder.appendingPathComponent("out"))
      let (status, messages) = generation([file], in: folder).run()
      #expect(status == .usage)
      #expect(messages.hasPrefix("\(folder.path)/out: error: cannot write generated files: "))
    }
  }

  @Test func twoVersionsInOneTarget() throws {
    try inFolder { folder in
      let files = ["a/A.schema", "b/B.schema"].map { folder.appendingPathComponent($0) }
      for (version, file) in zip(1..., files) {
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("schema A \(version).0.0\n@Model class A { var x: Int }".utf8).write(to: file)
      }
      let (status, messages) = generation(files, in: folder).run()
      #expect(status == .unparsable)
      #expect(
        messages.hasPrefix("\(files[0].path):1:10: error: schema 'A' 1.0.0 is in the same target as version 2.0.0"))
      #expect(outputs(folder) == nil)
    }
  }

  private func generation(_ files: [URL], in folder: URL) -> Generation {
    Generation(
      heads: files.map(\.path), outputFolder: folder.appendingPathComponent("out").path,
      module: "M", target: "M", access: nil, root: folder.path)
  }

  private func outputs(_ folder: URL) -> [String]? {
    try? FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent("out").path
    ).sorted()
  }

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("trellis 'generation' é \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}

/// Tests of released versions that are stored next to the head files.
struct ReleasedGenerationTests {
  private static let model = "@Model class A { var x: Int = 0 }\n"

  /// Runs the generator on files and returns its messages without the folder.
  private func messages(_ files: [String: String]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (path, text) in files {
      let url = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let paths = files.keys.sorted().map { folder.appendingPathComponent($0).path }
    var generation = Generation(
      heads: paths.filter(Generation.isHead), outputFolder: folder.appendingPathComponent("out").path,
      module: "M", target: "M", access: nil, root: folder.path)
    generation.inputs = paths.filter { !Generation.isHead($0) }
    return generation.run().messages.replacing(folder.path + "/", with: "")
  }

  @Test func missingLockFile() throws {
    let said = try messages([
      "S.schema": "schema S 2.0.0\n" + Self.model + "@Model class B { var y: Int = 0 }\n",
      "versions/S-1.0.0/S.schema": "schema S 1.0.0\n" + Self.model,
    ])
    #expect(
      said.hasPrefix("versions/S-1.0.0/S.schema:1:10: error: the lock for the released versions of 'S' is missing"))
  }

  @Test func releasedFolderWithAnUnexpectedName() throws {
    let said = try messages([
      "S.schema": "schema S 2.0.0\n" + Self.model,
      "versions/S-1.1.0/S.schema": "schema S 1.0.0\n" + Self.model,
    ])
    #expect(said.hasPrefix("versions/S-1.1.0/S.schema:1:10: error: the folder 'S-1.1.0' contains S 1.0.0"))
  }

  @Test func releasedVersionsWithoutAHead() throws {
    let said = try messages([
      "T.schema": "schema T 2.0.0\n" + Self.model,
      "versions/S-1.0.0/S.schema": "schema S 1.0.0\n" + Self.model,
    ])
    #expect(said.hasPrefix("versions/S-1.0.0/S.schema:1:10: error: schema 'S' has released versions"))
  }

  @Test func errorsInReleasedVersionsAreReportedInTheirFiles() throws {
    let said = try messages([
      "S.schema": "schema S 2.0.0\n" + Self.model,
      "versions/S-1.0.0/S.schema": "schema S 1.0.0\n@Model class A { var x: Itn = 0 }\n",
    ])
    #expect(said.hasPrefix("versions/S-1.0.0/S.schema:2:25: error: unknown type 'Itn'"))
  }
}

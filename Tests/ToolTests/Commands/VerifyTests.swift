import Foundation
import SchemaDriver
import Testing

/// Tests of `trellis verify` with released versions and their lock file.
struct VerifyTests {
  static let first = "schema S 1.0.0\n@Model class A { var x: Int = 0; var y: Int? }\n"
  static let second = """
    schema S 2.0.0
    @Model class A { var x: Int = 0 }
    migration from 1.0.0 { accept MIG011 A.y -- "gone" }

    """

  private func play(_ body: (Playground) throws -> Void) throws {
    try ToolTests.play { (folder: Playground) throws in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      try folder.write("S.schema", Self.second)
      folder.run("freeze")
      try body(folder)
    }
  }

  @Test func lostLockFilesAreRebuilt() throws {
    try play { (folder: Playground) throws in
      let lock = try folder.read("versions/S.lock")
      #expect(
        folder.run("verify", "--rebuild-lock").text
          == "versions/S.lock: nothing to do, the lock file matches the released files\n")
      try FileManager.default.removeItem(at: folder.root.appendingPathComponent("versions/S.lock"))
      let (status, output) = folder.run("verify")
      #expect(status == .findings)
      #expect(output.contains("error: the lock for the released versions of 'S' is missing [MIG007 lock-missing]"))
      let rebuilt = folder.run("verify", "--rebuild-lock")
      #expect(rebuilt.status == .clean)
      #expect(rebuilt.text.hasPrefix("--- /dev/null\n+++ versions/S.lock\n@@ -0,0 +1,3 @@\n+# Released"))
      #expect(try folder.read("versions/S.lock") == lock)
      #expect(folder.run("verify").status == .clean)
    }
  }

  /// Follows the steps in the article on versions.
  @Test func oldestVersionRemoved() throws {
    try play { (folder: Playground) throws in
      try FileManager.default.removeItem(at: folder.root.appendingPathComponent("versions/S-1.0.0"))
      #expect(
        folder.run("verify").text.contains("the lock lists version 1.0.0 of 'S', but its files are missing"))
      for path in ["S.schema", "versions/S-2.0.0/S.schema"] {
        let text = Self.second.replacing("migration from 1.0.0 { accept MIG011 A.y -- \"gone\" }\n", with: "")
        try folder.write(path, text)
      }
      #expect(folder.run("verify", "--rebuild-lock").status == .clean)
      #expect(folder.run("verify") == (.clean, "S 2.0.0: 0 migration steps checked, no findings\n"))
      #expect(try !folder.read("versions/S.lock").contains("retired"))
    }
  }

  @Test func editedReleasedFile() throws {
    try play { (folder: Playground) throws in
      try folder.write("versions/S-1.0.0/S.schema", "// a comment\n" + Self.first)
      #expect(folder.run("verify").status == .clean)
      try folder.write("versions/S-1.0.0/S.schema", Self.first.replacing("= 0", with: "= 1"))
      let (status, output) = folder.run("verify")
      #expect(status == .findings)
      #expect(
        output.hasPrefix(
          "versions/S-1.0.0/S.schema:1:10: error: version 1.0.0 of 'S' was edited after its release"))
    }
  }

  @Test func validSchemasDoNotHideFindingsOfOthers() throws {
    try play { (folder: Playground) throws in
      try folder.write("versions/S-1.0.0/S.schema", Self.first.replacing("= 0", with: "= 1"))
      for name in ["R", "T"] {
        try folder.write("\(name).schema", "schema \(name) 1.0.0\n@Model class \(name)1 { var x: Int = 0 }\n")
      }
      let (status, output) = folder.run("verify")
      #expect(status == .findings)
      #expect(output.contains("version 1.0.0 of 'S' was edited after its release"))
    }
  }

  @Test func uncompilableReleasedVersion() throws {
    try play { (folder: Playground) throws in
      try folder.write("versions/S-1.0.0/S.schema", Self.first.replacing("Int", with: "Itn"))
      let (status, output) = folder.run("verify")
      #expect(status == .unparsable)
      #expect(output.hasPrefix("versions/S-1.0.0/S.schema:2:25: error: unknown type 'Itn'"))
    }
  }

  @Test func foreignLineBreaks() throws {
    try play { (folder: Playground) throws in
      let lock = try folder.read("versions/S.lock")
      try folder.write("versions/S.lock", lock.replacing("\n", with: "\r\n"))
      #expect(folder.run("verify").status == .clean)
    }
  }

  @Test func machineReadableReport() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.second.replacing("2.0.0", with: "3.0.0"))
      let (status, output) = folder.run("verify", "--format", "json")
      #expect(status == .findings)
      #expect(output.contains("\"id\" : \"MIG004\""))
      #expect(output.contains("\"hops\" : 2"))
      #expect(output == folder.run("verify", "--format", "json").text)
      #expect(folder.run("verify", "--format", "xml").status == .usage)
    }
  }

  @Test func reusedNames() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", "schema S 2.1.0\n@Model class A { var x: Int = 0; var y: String? }\n")
      let (status, output) = folder.run("verify")
      #expect(status == .findings)
      #expect(
        output.contains(
          "S.schema:2:38: warning: 'A.y' existed in an earlier version and is now a different declaration [MIG024"))
    }
  }

  @Test func releasedVersionsWithoutAHead() throws {
    try play { (folder: Playground) throws in
      try folder.write("T.schema", "schema T 1.0.0\n@Model class T { var x: Int = 0 }\n")
      folder.run("freeze", "T.schema")
      try FileManager.default.removeItem(at: folder.root.appendingPathComponent("T.schema"))
      let (status, output) = folder.run("verify")
      #expect(status == .findings)
      #expect(output.contains("schema 'T' has released versions, but no current schema file"))
    }
  }

  @Test func everyVerbHasHelp() throws {
    try ToolTests.play { (folder: Playground) throws in
      let help = folder.run("--help").text
      for verb in ["check", "lint", "diff", "breaking", "verify", "freeze", "bump", "rename", "accept", "generate"] {
        #expect(help.contains("  \(verb) "))
        let (status, text) = folder.run(verb, "--help")
        #expect(status == .clean)
        #expect(text.hasPrefix("Usage: trellis \(verb) "))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 104 }, "\(verb)")
        #expect(folder.run(verb, "--nonsense").status == .usage)
      }
      #expect(folder.run("verify").text.contains("there is no schema file in this folder"))
      #expect(folder.run("verify", "nowhere").status == .usage)
    }
  }
}

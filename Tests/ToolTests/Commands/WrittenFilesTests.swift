import Foundation
import SchemaCommands
import SchemaDriver
import Testing

/// Tests that files are written to their locations and that no other file is replaced.
@Suite struct WrittenFilesTests {
  private static let schema = "schema S 1.0.0\n@Model class A { var x: Int = 0 }\n"

  private static let verbs = [
    ["freeze"], ["bump", "major"], ["rename", "A", "B"], ["lint", "--fix"], ["generate", "--out", "Code"],
    ["verify", "--rebuild-lock"], ["graph", "--output", "S.dot"],
  ]

  @Test(arguments: verbs) func schemaNamesCannotLeaveTheFolder(_ verb: [String]) throws {
    try play { (folder: Playground) throws in
      try folder.write("x/Cargo.lock", "mine\n")
      let outside = folder.root.appendingPathComponent("x/Cargo").path
      for name in [outside, "../x/Cargo", ".."] {
        try folder.write("in/S.schema", Self.schema.replacing("schema S", with: "schema `\(name)`"))
        let before = try folder.contents()
        let (status, text) = folder.run(verb + ["in/S.schema"])
        #expect(status == .unparsable, "\(verb) \(name): \(text)")
        #expect(text.contains("in/S.schema:1:8: error: a name must consist of letters, digits"))
        #expect(try folder.contents() == before)
      }
    }
  }

  @Test func foreignLockFilesAreKept() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.schema)
      try folder.write("versions/S.lock", "[[package]]\nname = \"mine\"\n")
      let before = try folder.contents()
      #expect(folder.run("freeze").status != .clean)
      #expect(try folder.contents() == before)
    }
  }

  @Test func foreignBaselineFilesAreKept() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.schema)
      try folder.write("mine.json", "{}\n")
      let (status, text) = folder.run("lint", "--baseline", "mine.json", "--write-baseline")
      #expect(status == .usage)
      #expect(text.contains("not a baseline"))
      #expect(try folder.read("mine.json") == "{}\n")
      #expect(folder.run("lint", "--baseline", "new.json", "--write-baseline").status == .clean)
      #expect(folder.run("lint", "--baseline", "new.json", "--write-baseline").status == .clean)
    }
  }

  @Test(arguments: ["html", "svg", "mermaid", "dot", "plantuml", "json"])
  func diagramsReplaceOnlyDiagrams(_ format: String) throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.schema)
      let arguments = ["graph", "--format", format, "--output", "out"]
      #expect(folder.run(arguments).status == .clean)
      #expect(folder.run(arguments).status == .clean)
      for other in ["notes\n", "{}\n", "<!DOCTYPE html>\n<html></html>\n", "<svg/>\n"] {
        try folder.write("out", other)
        let (status, text) = folder.run(arguments)
        #expect(status == .usage)
        #expect(
          text.contains("out: error: not a diagram in the format '\(format)' (use '--force' to replace it)"))
        #expect(try folder.read("out") == other)
      }
      #expect(folder.run(arguments + ["--force"]).status == .clean)
      #expect(folder.run(arguments).status == .clean)
    }
  }

  @Test func diagramsDoNotReplaceInputs() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.schema)
      try FileManager.default.createSymbolicLink(
        atPath: folder.root.appendingPathComponent("link").path, withDestinationPath: "S.schema")
      for output in ["S.schema", "link", "./S.schema"] {
        let (status, text) = folder.run("graph", "--output", output, "--force", "S.schema")
        #expect(status == .usage, "\(output)")
        #expect(text.contains("schemas and lock files are not replaced"))
      }
      #expect(try folder.read("S.schema") == Self.schema)
    }
  }

  /// The permissions of a symbolic link (0777) are not those of its file.
  @Test(arguments: [true, false]) func permissionsOfSymbolicLinksAreIgnored(_ isThere: Bool) throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.schema)
      let target = folder.root.appendingPathComponent("target.dot").path
      let link = folder.root.appendingPathComponent("link.dot").path
      if isThere {
        #expect(folder.run("graph", "--output", "target.dot").status == .clean)
        #expect(chmod(target, 0o640) == 0)
      }
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.dot")
      #expect(folder.run("graph", "--output", "link.dot").status == .clean)
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == "target.dot")
      var status = stat()
      #expect(lstat(target, &status) == 0)
      #expect(status.st_mode & S_IFMT == S_IFREG)
      if isThere { #expect(status.st_mode & 0o777 == 0o640) } else { #expect(status.st_mode & 0o111 == 0) }
    }
  }

  @Test func releasedVersionsCanContainTheRemovedOption() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.schema.replacing("var x: Int = 0", with: "var x: String = \"\""))
      #expect(folder.run("freeze").status == .clean)
      let released = "schema S 1.0.0\n@Model class A { @Attribute(.fullText) var x: String = \"\" }\n"
      try folder.write("versions/S-1.0.0/S.schema", released)
      #expect(folder.run("verify", "--rebuild-lock").status == .clean)
      try folder.write("S.schema", "schema S 2.0.0\n@Model class A { var x: String = \"\" }\n")
      #expect(
        folder.run("verify").text.hasPrefix("S 1.0.0 → 2.0.0 (not released): 1 migration step checked, no findings"))
      try folder.write("S.schema", released)
      #expect(folder.run("check").status == .unparsable)
    }
  }
}

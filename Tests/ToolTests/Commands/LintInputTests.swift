import Foundation
import SchemaCommands
import SchemaDriver
import Testing

/// Tests of `trellis lint -`, which reads unsaved text of an editor.
@Suite struct LintInputTests {
  private static let bad = "schema S 1.0.0\n@Model class trip { var name: String }\n"
  private static let good = "schema S 1.0.0\n@Model class Trip { var name: String }\n"

  private func lint(_ place: Playground, _ text: String, _ arguments: String...) -> CommandLineTool.Outcome {
    CommandLineTool.run(["lint", "-"] + arguments, in: place.root.path) { Array(text.utf8) }
  }

  @Test func standardInputIsLintedAlone() throws {
    try play { place in
      // The other files of the folder are ignored.
      try place.write("Other.schema", "class {")
      let found = lint(place, Self.bad)
      #expect(found.status == .findings)
      #expect(found.findings.hasPrefix("<stdin>:2:14: warning: "))
      #expect(lint(place, Self.good).status == .clean)
      #expect(lint(place, "class {").status == .unparsable)
    }
  }

  @Test func standardInputReplacesItsFile() throws {
    try play { place in
      try place.write("app/S.schema", "class {")
      try place.write("app/schema.config.json", #"{"rules": {"NAM001": "off"}}"#)
      #expect(lint(place, Self.bad, "--path", "app/S.schema").status == .clean)
      #expect(lint(place, Self.bad, "--path", "app/S.schema", "--no-config").status == .findings)
      try place.write("app/T.schema", "schema T 1.0.0\n@Model class stay { var name: String }\n")
      let found = lint(place, Self.bad, "--path", "app/New.schema", "--no-config")
      #expect(found.status == .unparsable, "the saved text of its neighbour does not compile")
      try place.write("app/S.schema", Self.good)
      let both = lint(place, Self.bad.replacing("S 1", with: "N 1"), "--path", "app/New.schema", "--no-config")
      #expect(both.findings.split(separator: "\n").count { $0.contains("warning") } == 2)
      #expect(try place.read("app/S.schema") == Self.good)
    }
  }

  @Test func releasedVersionsAreCompared() throws {
    try play { place in
      try place.write("S.schema", Self.good)
      #expect(place.run("freeze").status == .clean)
      let edited = Self.good.replacing("name: String", with: "name: String; var more: Int")
      let found = lint(place, edited, "--path", "S.schema", "--no-config")
      #expect(found.status != .clean && found.findings.contains("1.0.0"))
      #expect(lint(place, Self.good, "--path", "S.schema", "--no-config").status == .clean)
    }
  }

  @Test func contradictoryOptions() throws {
    try play { place in
      #expect(lint(place, Self.good, "S.schema").status == .usage)
      #expect(lint(place, Self.good, "--fix").status == .usage)
      let fixed = lint(place, Self.good, "--fix-dry-run", "--enable", "SYN014")
      #expect(fixed.findings.hasPrefix("--- <stdin>\n") && fixed.findings.contains("+@Model"))
      #expect(place.run("lint", "--path", "S.schema").status == .usage)
      #expect(lint(place, "\u{0}").status == .unparsable)
    }
  }
}

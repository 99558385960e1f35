import Foundation
import SchemaCommands
import SchemaDriver
import Testing

/// Tests of `trellis format`: its files and messages.
struct FormatTests {
  static let bad = "schema S 1.0.0\n@Model class A {\n  var a:Int\n}\n"
  static let good = "schema S 1.0.0\n\n@Model\nclass A {\n    var a: Int\n}\n"

  @Test func filesAreFormattedAndListed() throws {
    try play { folder in
      try folder.write("M/S.schema", Self.bad)
      try folder.write("M/T.schema", Self.good)
      #expect(folder.run("format") == (.clean, "M/S.schema: formatted\n"))
      #expect(try folder.read("M/S.schema") == Self.good)
      #expect(folder.run("format") == (.clean, ""))
      #expect(try folder.files == ["M/S.schema", "M/T.schema"])
    }
  }

  @Test func checkingWritesNothing() throws {
    try play { folder in
      try folder.write("S.schema", Self.bad)
      try folder.write("T.schema", Self.good)
      #expect(folder.run("format", "--check") == (.findings, "S.schema\n"))
      #expect(folder.run("format", "--check", "T.schema") == (.clean, ""))
      let difference = """
        --- S.schema
        +++ S.schema
        @@ -1,4 +1,6 @@
         schema S 1.0.0
        -@Model class A {
        -  var a:Int
        +
        +@Model
        +class A {
        +    var a: Int
         }

        """
      #expect(folder.run("format", "--diff") == (.clean, difference))
      #expect(folder.run("format", "--diff", "--check") == (.findings, difference))
      #expect(try folder.read("S.schema") == Self.bad)
    }
  }

  @Test func unparsableFilesAreKeptAndOthersAreFormatted() throws {
    try play { folder in
      try folder.write("A.schema", "schema S 1.0.0\nclass {\n")
      try folder.write("B.schema", Self.bad)
      try folder.write("C.schema", "\u{FEFF}")
      let (status, text) = folder.run("format")
      #expect(status == .unparsable)
      #expect(text.hasPrefix("A.schema:2:"))
      #expect(text.hasSuffix("B.schema: formatted\nC.schema: formatted\n"))
      #expect(try folder.read("A.schema") == "schema S 1.0.0\nclass {\n")
      #expect(try folder.read("B.schema") == Self.good)
    }
  }

  @Test func standardInput() throws {
    func run(_ text: String, _ arguments: String...) -> CommandLineTool.Outcome {
      CommandLineTool.run(["format"] + arguments) { Array(text.utf8) }
    }
    let written = run(Self.bad, "-")
    #expect(written.status == .clean && written.findings == Self.good && written.progress.isEmpty)
    let checked = run(Self.bad, "-", "--check")
    #expect(checked.status == .findings && checked.findings.isEmpty)
    #expect(run(Self.good, "-", "--check").status == .clean)
    #expect(run(Self.bad, "--diff", "--path", "X.schema", "-").findings.hasPrefix("--- X.schema\n"))
    let wrong = run("class {", "-", "--path", "X.schema")
    #expect(wrong.status == .unparsable && wrong.findings.isEmpty && wrong.progress.hasPrefix("X.schema:1:"))
    #expect(run("class {", "-").progress.hasPrefix("<stdin>:1:"))
    #expect(run(Self.bad, "-", "S.schema").status == .usage)
    #expect(run(Self.bad, "--path", "S.schema").status == .usage)
  }

  @Test func releasedVersionsAreNotFormatted() throws {
    try play { folder in
      try folder.write("S.schema", Self.bad)
      #expect(folder.run("freeze").status == .clean)
      let released = "versions/S-1.0.0/S.schema"
      let text = try folder.read(released)
      #expect(text == Self.bad)
      #expect(folder.run("format") == (.clean, "S.schema: formatted\n"))
      #expect(folder.run("format", "versions").text.contains("\(released): note: a released version"))
      #expect(folder.run("format", released) == (.clean, "\(released): note: a released version is never changed\n"))
      #expect(try folder.read(released) == text)
      #expect(folder.run("verify").status == .clean)
    }
  }

  @Test func nothingIsWrittenIfOneFileFails() throws {
    try play { folder in
      try folder.write("A.schema", Self.bad)
      try folder.write("closed/B.schema", Self.bad)
      // A folder has the same name as the temporary file.
      try folder.write("closed/.B.schema.partial/x", "")
      let (status, text) = folder.run("format", "A.schema", "closed/B.schema")
      #expect(status == .usage && text.contains("nothing was changed"), "\(text)")
      #expect(try folder.read("A.schema") == Self.bad)
      #expect(try folder.read("closed/B.schema") == Self.bad)
    }
  }

  /// The third, fourth and sixth lines are not formatted.
  static let crooked =
    "schema S 1.0.0\n\n@Model class A{var a:Int}\n@Model class B { var b:Int; }\n\n@Model class C{var c:Int}\n"

  @Test(arguments: [
    (
      "3:3",
      "schema S 1.0.0\n\n@Model\nclass A { var a: Int }\n@Model class B { var b:Int; }\n\n@Model class C{var c:Int}\n"
    ),
    (
      "6",
      "schema S 1.0.0\n\n@Model class A{var a:Int}\n@Model class B { var b:Int; }\n\n@Model\nclass C { var c: Int }\n"
    ),
    ("1:2", crooked), ("7:900", crooked),
  ]) func someLinesOnly(_ lines: String, _ expected: String) throws {
    try play { folder in
      try folder.write("S.schema", Self.crooked)
      folder.run("format", "--lines", lines, "S.schema")
      #expect(try folder.read("S.schema") == expected)
    }
  }

  @Test(arguments: ["", "0:1", "2:1", "a:b", "1:2:3", "-1:2"]) func invalidLineRanges(_ lines: String) throws {
    try play { folder in
      try folder.write("S.schema", Self.crooked)
      #expect(folder.run("format", "--lines", lines, "S.schema").status == .usage)
    }
  }

  /// Formatting some lines loses nothing, and formatting the result gives the canonical text.
  @Test func formattingSelectedLinesLosesNothing() throws {
    try play { folder in
      try folder.write("S.schema", Self.crooked)
      folder.run("format", "S.schema")
      let whole = try folder.read("S.schema")
      for first in 1...8 {
        for last in first...8 {
          try folder.write("S.schema", Self.crooked)
          #expect(folder.run("format", "--lines", "\(first):\(last)", "S.schema").status == .clean)
          folder.run("format", "S.schema")
          #expect(try folder.read("S.schema") == whole)
        }
      }
    }
  }
}

import SchemaDriver
import Testing

/// Tests of `trellis accept`.
struct AcceptTests {
  private func play(
    _ new: String,
    old: String = "@Model class A { var x: Int = 0; var y: Int = 0; @Attribute(.unique) var z: Int = 0 }\n",
    _ body: (Playground) throws -> Void
  ) throws {
    try ToolTests.play { (folder: Playground) throws in
      try folder.write("S.schema", "schema S 1.0.0\n" + old)
      #expect(folder.run("freeze").status == .clean)
      try folder.write("S.schema", "schema S 2.0.0\n" + new)
      try body(folder)
    }
  }

  private static let without = "@Model class A { var x: Int = 0; @Attribute(.unique) var z: Int = 0 }\n"

  @Test func migrationBlocksAreCreated() throws {
    try play(Self.without) { (folder: Playground) throws in
      #expect(folder.run("verify").status == .findings)
      let (status, output) = folder.run("accept", "MIG011", "A.y", "--reason", "moved to \"B\"")
      #expect(status == .clean)
      #expect(output == "S.schema: accept MIG011 A.y -- #\"moved to \"B\"\"#\n")
      #expect(
        try folder.read("S.schema") == "schema S 2.0.0\n" + Self.without
          + "\nmigration from 1.0.0 {\n    accept MIG011 A.y -- #\"moved to \"B\"\"#\n}\n")
      #expect(folder.run("verify").status == .clean)
      let again = folder.run("accept", "attribute-dropped", "A.y", "--reason", "twice")
      #expect(again.status == .findings)
      #expect(again.text == "error: MIG011 A.y is already accepted: moved to \"B\"\n")
    }
  }

  static let blocks: [(before: String, after: String)] = [
    ("migration from 1.0.0 {\n}\n", "migration from 1.0.0 {\n    accept MIG011 A.y -- \"so\"\n}\n"),
    ("migration from 1.0.0 { }", "migration from 1.0.0 {\n    accept MIG011 A.y -- \"so\"\n}"),
    (
      "migration from 1.0.0 { custom a }", "migration from 1.0.0 { custom a\n    accept MIG011 A.y -- \"so\"\n}"
    ),
    (
      "migration from 1.0.0 {\r\n\tcustom a\r\n  // last\r\n}\r\n",
      "migration from 1.0.0 {\r\n\tcustom a\r\n  // last\r\n\taccept MIG011 A.y -- \"so\"\r\n}\r\n"
    ),
  ]

  @Test(arguments: blocks) func migrationBlocksAreExtended(before: String, after: String) throws {
    let isWindows = before.contains("\r\n")
    let head = isWindows ? Self.without.replacing("\n", with: "\r\n") : Self.without
    let line = isWindows ? "schema S 2.0.0\r\n" : "schema S 2.0.0\n"
    try ToolTests.play { (folder: Playground) throws in
      try folder.write(
        "S.schema", line.replacing("2.", with: "1.") + head.replacing("var x", with: "var y: Int = 0; var x"))
      #expect(folder.run("freeze").status == .clean)
      try folder.write("S.schema", line + head + before)
      #expect(folder.run("accept", "MIG011", "A.y", "--reason", "so").status == .clean)
      #expect(try folder.read("S.schema") == line + head + after)
    }
  }

  @Test func suggestionsAreReplaced() throws {
    try play(Self.without) { (folder: Playground) throws in
      folder.run("bump")
      let text = try folder.read("S.schema")
      #expect(text.hasSuffix("\n    // accept MIG011 A.y -- \"why\"\n}\n"))
      #expect(folder.run("accept", "MIG011", "A.y", "--reason", "so").status == .clean)
      #expect(
        try folder.read("S.schema")
          == text.replacing("// accept MIG011 A.y -- \"why\"", with: "accept MIG011 A.y -- \"so\""))
      #expect(folder.run("verify").status == .clean)
    }
  }

  @Test func ambiguousSchemasMustBeNamed() throws {
    try ToolTests.play { (folder: Playground) throws in
      for name in ["S", "T"] {
        try folder.write(
          "\(name)/\(name).schema", "schema \(name) 1.0.0\n@Model class A { var x: Int = 0; var y: Int? }\n")
      }
      folder.run("freeze")
      for name in ["S", "T"] {
        try folder.write("\(name)/\(name).schema", "schema \(name) 2.0.0\n@Model class A { var x: Int = 0 }\n")
      }
      let (status, output) = folder.run("accept", "MIG011", "A.y", "--reason", "so")
      #expect(status == .usage)
      #expect(output == "error: several schemas contain 'A.y': name one of the files (S/S.schema, T/T.schema)\n")
      #expect(folder.run("accept", "MIG011", "A.y", "T", "--reason", "so").status == .clean)
      #expect(folder.run("rename", "A", "B").text.contains("several schemas contain 'A'"))
    }
  }

  @Test func adviceCanBeAccepted() throws {
    try play("@Model class A { var x: Int = 0; var y: Int = 0; var z: Int = 0 }\n") { (folder: Playground) throws in
      let (status, output) = folder.run("verify")
      #expect(status == .findings)
      #expect(output.contains("warning: model 'A': [z] is no longer unique"))
      #expect(folder.run("accept", "MIG051", "A", "--reason", "so", "--hop", "1.0.0..2.0.0").status == .clean)
      #expect(folder.run("verify").status == .clean)
    }
  }

  @Test func invalidCallsAreRejected() throws {
    try play(Self.without) { (folder: Playground) throws in
      let before = try folder.contents()
      let wrong = folder.run("accept", "MIG010", "A", "--reason", "so")
      #expect(wrong.status == .findings)
      #expect(wrong.text == "error: no change of 'A' to accept as MIG010; changes that can be accepted: MIG011 A.y\n")
      #expect(folder.run("accept", "MIG011", "A.y").text == "error: '--reason' is missing\n")
      #expect(folder.run("accept", "MIG011", "A.y", "--reason", "  ").status == .usage)
      #expect(
        folder.run("accept", "attribute-droped", "A.y", "--reason", "so").text
          == "error: there is no version rule 'attribute-droped'; did you mean 'attribute-dropped'?\n")
      let hop = folder.run("accept", "MIG011", "A.y", "--reason", "so", "--hop", "0.1.0..1.0.0")
      #expect(hop.status == .usage)
      #expect(hop.text.contains("released versions are not edited"))
      #expect(folder.run("accept", "MIG011", "A.y", "--reason", "so", "--dry-run").text.contains("+    accept MIG011"))
      #expect(try folder.contents() == before)
    }
  }
}

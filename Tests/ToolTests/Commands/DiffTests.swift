import SchemaDriver
import Testing

/// Tests of comparisons of versions, folders and revisions.
struct DiffTests {
  static let first = "schema S 1.0.0\n@Model class A { var name: String = \"\" }\n"
  static let second = "schema S 2.0.0\n@Model class A { @Attribute(originalName: \"name\") var title: String = \"\" }\n"
  static let third = """
    schema S 3.0.0
    @Model(originalName: "A") class B { @Attribute(originalName: "title") var heading: String = ""; var x: Int? }

    """

  private func play(_ body: (Playground) throws -> Void) throws {
    try ToolTests.play { (folder: Playground) throws in
      for text in [Self.first, Self.second] {
        try folder.write("M/S.schema", text)
        #expect(folder.run("freeze").status == .clean)
      }
      try folder.write("M/S.schema", Self.third)
      try body(folder)
    }
  }

  static let whole = """
    S 1.0.0 → S 3.0.0
      automatic     model 'A' renamed to 'B' [READBACK, CODEC, HISTORY, SYNC, SOURCE]
      automatic     attribute 'B.name' renamed to 'heading' [READBACK, CODEC, SYNC, SOURCE]
      automatic     attribute 'B.x' added with type 'Int?'
    3 changes: 3 automatic

    """

  @Test func intermediateRenamesAreCombined() throws {
    try play { (folder: Playground) throws in
      #expect(folder.run("diff", "1.0.0..head").text == Self.whole)
      #expect(folder.run("diff", "1.0.0..3.0.0", "M").text == Self.whole)
      #expect(folder.run("diff", "1.0.0..2.0.0").text.contains("attribute 'A.name' renamed to 'title'"))
      let last = folder.run("diff", "..").text
      #expect(last.hasPrefix("S 2.0.0 → S 3.0.0\n"))
      #expect(last == folder.run("diff", "2.0.0..", "M/S.schema").text)
      #expect(folder.run("diff", "--exit-code", "1.0.0..1.0.0").status == .clean)
      #expect(folder.run("diff", "--exit-code", "..").status == .findings)
    }
  }

  /// Like the build, the comparison considers all versions that may have written a row.
  @Test func defaultsWrittenByEveryVersionCanChange() throws {
    func text(_ version: Int, _ fields: String) -> String {
      "schema S \(version).0.0\n@Model class A { var s: V }\nstruct V: Codable { \(fields) }\n"
    }
    for (first, effect) in [
      ("var a: Int; var c: Int = 1; var d: Int", "automatic   "), ("var a: Int; var d: Int", "needs a fill"),
    ] {
      try ToolTests.play { (folder: Playground) throws in
        try folder.write("M/S.schema", text(1, first))
        #expect(folder.run("freeze").status == .clean)
        try folder.write("M/S.schema", text(2, "var a: Int; var c: Int = 1; var d: Int; var e: Int?"))
        #expect(folder.run("freeze").status == .clean)
        try folder.write("M/S.schema", text(3, "var a: Int; var c: Int = 2; var d: Int; var e: Int?"))
        let text = folder.run("diff", "..").text
        #expect(text.contains("\(effect)  field 'V.c': default changed from '1' to '2'"), "\(text)")
        #expect((folder.run("verify").status == .clean) == effect.hasPrefix("automatic"))
      }
    }
  }

  @Test func filesAndFolders() throws {
    try play { (folder: Playground) throws in
      let (status, text) = folder.run("diff", "M/versions/S-1.0.0", "M/S.schema")
      #expect(status == .clean)
      #expect(text.hasPrefix("S 1.0.0 → S 3.0.0\n"))
      #expect(folder.run("diff", "M/versions/S-1.0.0..M").text == text)
    }
  }

  @Test func markdownForPullRequests() throws {
    try play { (folder: Playground) throws in
      #expect(
        folder.run("diff", "--format", "markdown", "..").text == """
          ### S 2.0.0 → S 3.0.0

          3 changes: 3 automatic

          | change | effect | rule | breaks |
          |---|---|---|---|
          | model 'A' renamed to 'B' | automatic |  | READBACK, CODEC, HISTORY, SYNC, SOURCE |
          | attribute 'B.title' renamed to 'heading' | automatic |  | READBACK, CODEC, SYNC, SOURCE |
          | attribute 'B.x' added with type 'Int?' | automatic |  |  |

          """)
      let json = folder.run("diff", "--format", "json", "..").text
      #expect(json.contains("\"axes\" : [\n"))
      #expect(json.contains("\"kind\" : \"entity-renamed\""))
    }
  }

  @Test func revisions() throws {
    try play { (folder: Playground) throws in
      let first = folder.run("diff", "git:main..")
      #expect(first.status == .usage)
      #expect(first.text.contains("'git:main' cannot be read"), "\(first.text)")
      try folder.git("init", "-q", "-b", "main")
      try folder.write("M/S.schema", Self.first)
      try folder.git("add", "M/S.schema")
      try folder.git("commit", "-q", "-m", "one")
      try folder.git("tag", "v1")
      try folder.write("M/S.schema", Self.second)
      try folder.git("commit", "-q", "-a", "-m", "two")
      try folder.write("M/S.schema", Self.third)
      let before = try folder.contents()
      #expect(folder.run("diff", "git:v1..head").text == Self.whole)
      #expect(folder.run("diff", "git:v1..", "M").text == Self.whole)
      #expect(folder.run("diff", "git:v1..", "M/S.schema").text == Self.whole)
      #expect(folder.run("diff", "git:v1..git:HEAD").text.contains("attribute 'A.name' renamed to 'title'"))
      #expect(folder.run("diff", "git:v1..2.0.0").text.contains("attribute 'A.name' renamed to 'title'"))
      #expect(folder.run("breaking", "--against", "git:main", "--axes", "STORE").status == .clean)
      let unknown = folder.run("diff", "git:v9..")
      #expect(unknown.status == .usage)
      #expect(unknown.text == "error: 'git:v9' is not a revision\n")
      #expect(folder.run("diff", "git:--help..").status == .usage)
      #expect(try folder.contents() == before)
    }
  }

  @Test func severalSchemas() throws {
    try play { (folder: Playground) throws in
      // A schema without releases is not compared, and two schemas with equal names are compared separately.
      try folder.write("N/N.schema", "schema N 1.0.0\n@Model class N { var x: Int = 0 }\n")
      try folder.write("O/S.schema", "schema S 1.0.0\n@Model class O { var x: Int = 0 }\n")
      #expect(folder.run("diff", "..").text.hasPrefix("S 2.0.0 → S 3.0.0\n"))
      #expect(!folder.run("diff", "..").text.contains("N 1.0.0"))
      #expect(folder.run("diff", "..", "N").status == .usage)
      #expect(folder.run("diff", "2.0.0..head").text == folder.run("diff", "..").text)
      try folder.git("init", "-q", "-b", "main")
      try folder.git("add", ".")
      try folder.git("commit", "-q", "-m", "one")
      let same = "N 1.0.0 → N 1.0.0\n  no changes\n"
      #expect(
        folder.run("diff", "git:main..").text
          == "S 3.0.0 → S 3.0.0\n  no changes\n\n" + same + "\nS 1.0.0 → S 1.0.0\n  no changes\n")
      try folder.git("rm", "-q", "N/N.schema")
      try folder.write("P/P.schema", "schema P 1.0.0\n@Model class P { var x: Int = 0 }\n")
      let text = folder.run("diff", "git:main..").text
      #expect(text.contains("N 1.0.0 → N 1.0.0\n  loses data    model 'N' removed"))
      #expect(text.contains("P 1.0.0 → P 1.0.0\n  automatic     model 'P' added"))
    }
  }

  @Test func unknownVersionsAndPaths() throws {
    try play { (folder: Playground) throws in
      #expect(
        folder.run("diff", "1.5.0..head").text
          == "error: no schema has version 1.5.0; known versions are 1.0.0, 2.0.0, 3.0.0\n")
      #expect(folder.run("diff", "nowhere..head").status == .usage)
      #expect(folder.run("diff").status == .usage)
      #expect(folder.run("breaking").text == "error: '--against' is missing\n")
      #expect(folder.run("breaking", "--against", "x").status == .usage)
      #expect(folder.run("breaking", "--against", "1.0.0", "--axes", "SHOP").status == .usage)
    }
  }

  /// The head is not a released version, regardless of its number.
  @Test(arguments: [
    ["diff", ".."], ["diff", "1.0.0..head"], ["breaking", "--against", "1.0.0"], ["graph", "--diff", ".."],
  ])
  func noVersionIsReleased(_ call: [String]) throws {
    try ToolTests.play { (folder: Playground) throws in
      try folder.write("S.schema", Self.first)
      let (status, text) = folder.run(call)
      #expect(status == .usage)
      #expect(
        text.contains(" of 'S' has ")
          && text.hasSuffix("; release a version with 'trellis freeze'\n"),
        "\(text)")
      folder.run("freeze")
      #expect(folder.run(call).status == .clean)
    }
  }

  @Test func breakingOnSomeAxes() throws {
    try ToolTests.play { (folder: Playground) throws in
      try folder.write("S.schema", "schema S 1.0.0\n@Model class A { var x: Int = 0; var y: Int = 0; var z: Int? }\n")
      folder.run("freeze")
      try folder.write("S.schema", "schema S 1.1.0\n@Model class A { var x: Int = 0; let y: Int = 0; var w: Int? }\n")
      let (status, text) = folder.run("breaking", "--against", "1.0.0")
      #expect(status == .findings)
      #expect(text.contains("'A.y' is now declared with 'let' [SOURCE]"))
      #expect(text.contains("'A.z' removed"))
      #expect(!text.contains("'A.w'"))
      let store = folder.run("breaking", "--against", "1.0.0", "--axes", "store,history")
      #expect(store.text.contains("'A.z' removed"))
      #expect(!store.text.contains("'A.y'"))
      #expect(folder.run("breaking", "--against", "1.0.0", "--axes", "HISTORY").status == .clean)
      #expect(
        folder.run("breaking", "--against", "1.0.0", "--axes", "SOURCE", "--fail-on", "error").status == .findings)
      try folder.write("S.schema", "schema S 1.1.0\n@Model class A { var x: Int = 0; let y: Int = 0; var z: Int? }\n")
      #expect(folder.run("breaking", "--against", "1.0.0", "--fail-on", "error").status == .clean)
      #expect(folder.run("breaking", "--against", "1.0.0").status == .findings)
    }
  }
}

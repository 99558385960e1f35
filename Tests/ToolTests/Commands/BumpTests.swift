import Foundation
import SchemaDriver
import Testing

/// Tests of `trellis bump`.
struct BumpTests {
  static let first = "schema S 1.0.0\n@Model class A { var x: Int = 0 }\n"

  /// Releases the old schema, replaces it with the new one, and runs `bump`.
  private func bump(_ old: String, _ new: String, _ arguments: String...) throws -> (output: String, text: String) {
    var result = ("", "")
    try play { folder in
      try folder.write("S.schema", old)
      #expect(folder.run("freeze").status == .clean)
      try folder.write("S.schema", new)
      let output = arguments.isEmpty ? folder.run("bump").text : folder.run("bump", arguments[0]).text
      result = (output, try folder.read("S.schema"))
    }
    return result
  }

  static let levels: [(body: String, version: String)] = [
    ("@Model class A { var x: Int = 1 }", "1.0.1"),
    ("@Model class A { #Index<A>([\\.x]); var x: Int = 0 }", "1.0.1"),
    ("@Model class A { var x: Int = 0; var y: Int? }", "1.1.0"),
    ("@Model class A { var x: Int = 0 }\n@Model class B { var y: Int = 0 }", "1.1.0"),
    ("@Model class A { @Attribute(originalName: \"x\") var y: Int = 0 }", "1.1.0"),
    ("@Model class A { var x: Int = 0; var y: Int }", "2.0.0"),
    ("@Model class A { @Attribute(.unique) var x: Int = 0 }", "2.0.0"),
    ("@Model class A { var y: String? }", "2.0.0"),
  ]

  @Test(arguments: levels) func theLevelFollowsFromTheChanges(body: String, version: String) throws {
    let (output, text) = try bump(Self.first, "schema S 1.0.0\n\(body)\n")
    #expect(output.hasPrefix("S 1.0.0 → \(version) (1 change") || output.hasPrefix("S 1.0.0 → \(version) (2 changes"))
    #expect(text.hasPrefix("schema S \(version)\n\(body)\n"))
  }

  @Test func theMigrationMustBeCompleted() throws {
    let old = """
      schema S 1.0.0
      enum E: String, Codable { case a, b }
      @Model class A { var x: Int?; var y: Int = 0; var name: String = ""; var e: E = .a; var b: B? }
      @Model class B { var z: Int = 0 }
      @Model class C { var z: Int = 0; var w: Double = 0 }

      """
    let new = """
      schema S 1.0.0
      enum E: String, Codable { case a }
      @Model class A { #Unique<A>([\\.name]); var x: Int; var name: String = ""; var e: E = .a; var b: B }
      @Model class B { var z: Int = 0; var v: Int }

      """
    let (output, text) = try bump(old, new)
    #expect(output.hasSuffix("'migration from 1.0.0' in S.schema must be completed\n"))
    #expect(
      text == new.replacing("1.0.0", with: "2.0.0") + """

        migration from 1.0.0 {
            fill A.x = <#value#>
            // custom moveAB
            // accept MIG061 A.b -- "why"
            // accept MIG011 A.y -- "why"
            // dedupe A on [\\.name] keep newest
            fill B.v = <#value#>
            // accept MIG010 C -- "why"
            fill A.e = <#value#>
        }

        """)
  }

  /// Both possible answers are added as comments, and the build fails (MIG020) until one of them is chosen.
  @Test func probableRenamesAreQuestions() throws {
    try play { folder in
      try folder.write("S.schema", "schema S 1.0.0\n@Model class A { var name: String; var x: Int = 0 }\n")
      folder.run("freeze")
      let new = "schema S 1.0.0\n@Model class A { var title: String; var x: Int = 0 }\n"
      try folder.write("S.schema", new)
      #expect(
        folder.run("bump").text
          == "S 1.0.0 → 2.0.0 (2 changes), 'migration from 1.0.0' in S.schema must be completed; "
          + "'A.name' was probably renamed to 'A.title'\n")
      let bumped =
        new.replacing("1.0.0", with: "2.0.0") + """

          migration from 1.0.0 {
              // renamed 'A.name' to 'A.title'? write '@Attribute(originalName: "name")' there; otherwise:
              // accept MIG011 A.name -- "why"
              // fill A.title = <#value#>
          }

          """
      #expect(try folder.read("S.schema") == bumped)
      #expect(folder.run("verify").text.contains("MIG020"))
      let renamed = bumped.replacing("var title", with: "@Attribute(originalName: \"name\") var title")
      try folder.write("S.schema", renamed)
      #expect(folder.run("verify").status == .clean)
      try folder.write("S.schema", bumped.replacing("// fill A.title = <#value#>", with: "fill A.title = \"\""))
      #expect(folder.run("accept", "MIG011", "A.name", "--reason", "gone").status == .clean)
      #expect(folder.run("verify").status == .clean)
      #expect(try folder.read("S.schema").contains("\n    accept MIG011 A.name -- \"gone\"\n    fill A.title"))
    }
  }

  @Test func incompleteMigrationsAreRejected() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      try folder.write("S.schema", "schema S 1.0.0\n@Model class A { var x: Int = 0; var y: Int }\n")
      folder.run("bump")
      let (status, output) = folder.run("verify")
      #expect(status == .findings)
      #expect(
        output.hasPrefix("S.schema:5:10: error: the value of 'A.y' is missing [MIG005 missing-stage]"))
      #expect(output.contains("1 finding"))
      #expect(folder.run("freeze").status == .findings)
      // A second call adds nothing.
      let text = try folder.read("S.schema")
      #expect(folder.run("bump").text == "S 2.0.0: nothing to do, already higher than the released version 1.0.0\n")
      #expect(try folder.read("S.schema") == text)
      try folder.write("S.schema", text.replacing("<#value#>", with: "old.x"))
      #expect(folder.run("verify").status == .clean)
    }
  }

  @Test func repeatedCallsAddNoComments() throws {
    try play { folder in
      try folder.write("S.schema", "schema S 1.0.0\n@Model class A { var x: Int = 0; var gone: Int = 0 }\n")
      folder.run("freeze")
      try folder.write("S.schema", Self.first)
      folder.run("bump")
      let text = try folder.read("S.schema")
      #expect(text.contains("    // accept MIG011 A.gone -- \"why\"\n"))
      folder.run("bump")
      #expect(try folder.read("S.schema") == text)
      folder.run("bump", "minor")
      #expect(try folder.read("S.schema") == text.replacing("schema S 2.0.0", with: "schema S 1.1.0"))
    }
  }

  @Test func onlyTheSchemaLineChanges() throws {
    let old = "// 1.0.0\r\nschema S 1.0.0 // 1.0.0\r\n@Model class A {\r\n\tvar x: Int = 0 // 1.0.0\r\n}"
    let (_, text) = try bump(old, old, "major")
    #expect(text == old.replacing("schema S 1.0.0", with: "schema S 2.0.0"))
  }

  @Test func lineBreaksAreKept() throws {
    let old = "schema S 1.0.0\r\n@Model class A { var x: Int = 0 }\r\n"
    let new = "schema S 1.0.0\r\n@Model class A { var y: String }\r\n"
    let (_, text) = try bump(old, new)
    #expect(
      text == "schema S 2.0.0\r\n@Model class A { var y: String }\r\n\r\nmigration from 1.0.0 {\r\n"
        + "    fill A.y = <#value#>\r\n    // accept MIG011 A.x -- \"why\"\r\n}\r\n")
    let (_, open) = try bump(String(old.dropLast()), String(new.dropLast()))
    #expect(open == String(text.dropLast()))
  }

  @Test func everyFileGetsTheVersion() throws {
    try play { folder in
      try folder.write("M/A.schema", "schema S 1.0.0\n@Model class A { var x: Int = 0 }\n")
      try folder.write("M/B.schema", "schema S 1.0.0\n@Model class B { var x: Int = 0 }")
      try folder.write("M/T.schema", "schema T 1.0.0\n@Model class T { var x: Int = 0 }\n")
      folder.run("freeze")
      let before = try folder.contents()
      #expect(
        folder.run("bump").text == "S 1.0.0: nothing to do, no changes since the release\n"
          + "T 1.0.0: nothing to do, no changes since the release\n")
      #expect(try folder.contents() == before)
      #expect(folder.run("bump", "minor", "M/B.schema").text == "S 1.0.0 → 1.1.0 (no changes yet)\n")
      #expect(try folder.read("M/A.schema") == "schema S 1.1.0\n@Model class A { var x: Int = 0 }\n")
      #expect(try folder.read("M/B.schema") == "schema S 1.1.0\n@Model class B { var x: Int = 0 }")
      #expect(try folder.read("M/T.schema") == "schema T 1.0.0\n@Model class T { var x: Int = 0 }\n")
    }
  }

  @Test func migrationsOfReleasedVersionsRemainInTheirCopies() throws {
    let second = """
      schema S 2.0.0
      @Model class A { var y: Int }

      // how it began
      migration from 1.0.0 {
          fill A.y = old.x
      }

      """
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      try folder.write("S.schema", second)
      #expect(folder.run("freeze").status == .clean)
      try folder.write("S.schema", second.replacing("y: Int", with: "y: Int; var z: Int?"))
      #expect(folder.run("bump").status == .clean)
      #expect(
        try folder.read("S.schema") == "schema S 2.1.0\n@Model class A { var y: Int; var z: Int? }\n\n// how it began\n"
      )
      #expect(try folder.read("versions/S-2.0.0/S.schema") == second)
      #expect(folder.run("verify").status == .clean)
    }
  }

  @Test func dryRunsPrintADifference() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      try folder.write("S.schema", Self.first.replacing("= 0", with: "= 1"))
      let before = try folder.contents()
      #expect(
        folder.run("bump", "--dry-run").text == """
          --- S.schema
          +++ S.schema
          @@ -1,2 +1,2 @@
          -schema S 1.0.0
          +schema S 1.0.1
           @Model class A { var x: Int = 1 }
          S 1.0.0 → 1.0.1 (1 change)

          """)
      #expect(try folder.contents() == before)
    }
  }

  /// The level is relative to the released version.
  @Test func repeatedBumpsChangeNothing() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      try folder.write("S.schema", Self.first.replacing("= 0", with: "= 1"))
      for _ in 0..<2 {
        folder.run("bump", "minor")
        #expect(try folder.read("S.schema").hasPrefix("schema S 1.1.0\n"))
      }
      folder.run("bump", "major")
      #expect(try folder.read("S.schema").hasPrefix("schema S 2.0.0\n"))
    }
  }

  @Test func noVersionIsReleased() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      #expect(folder.run("bump").text == "S 1.0.0: nothing to do, no version has been released ('trellis freeze')\n")
      for word in ["most", "5.0.0"] {
        let (status, text) = folder.run("bump", word)
        #expect(status == .usage)
        #expect(text == "error: '\(word)' is not a level (major, minor, patch), a schema file or a folder\n")
      }
      #expect(folder.run("bump", "T.schema").text.hasSuffix("T.schema:1:1: error: no such file\n"))
    }
  }

  @Test func reorderingNeedsNoVersion() throws {
    try play { (folder: Playground) throws in
      let types = "struct P: Codable { var a: Int; var b: Int }\nenum E: String, Codable { case a, b }\n"
      try folder.write("S.schema", "schema S 1.0.0\n\(types)@Model class A { var x: Int = 0; var e: E?; var p: P? }\n")
      #expect(folder.run("freeze").status == .clean)
      let others = "struct P: Codable { var b: Int; var a: Int }\nenum E: String, Codable { case b, a }\n"
      let text = "schema S 1.0.0\n\(others)@Model class A { var p: P?; var e: E?; var x: Int = 0 }\n"
      try folder.write("S.schema", text)
      #expect(folder.run("verify").status == .clean)
      #expect(folder.run("bump").text == "S 1.0.0: nothing to do, no changes since the release\n")
      #expect(folder.run("freeze").text == "S 1.0.0: nothing to do, already released and unchanged\n")
      #expect(folder.run("diff", "..").text.contains("3 changes: 3 automatic"))
    }
  }

  /// Follows the steps in the article on versions: both branches released a version, with the same number or with
  /// different numbers.
  @Test(arguments: [("1.1.0", "S 1.0.0 → 1.1.0 → 1.2.0"), ("1.0.1", "S 1.0.0 → 1.0.1 → 1.2.0, 1.1.0 → 1.2.0")])
  func branchesWithReleasesAreMerged(number: String, ways: String) throws {
    try play { (folder: Playground) throws in
      func release(_ version: String, _ properties: String) throws {
        try folder.write("S.schema", "schema S \(version)\n@Model class A { var x: Int = 0\(properties) }\n")
        #expect(folder.run("freeze").status == .clean)
        try folder.git("add", ".")
        try folder.git("commit", "-q", "-m", version)
      }
      try folder.git("init", "-q", "-b", "main")
      try release("1.0.0", "")
      try folder.git("checkout", "-q", "-b", "feature")
      try release(number, "; var mine: Int?")
      try folder.git("checkout", "-q", "main")
      try release("1.1.0", "; var theirs: Int?")
      try folder.git("checkout", "-q", "feature")
      try folder.git("merge", "-q", "main", fails: true)
      try folder.git("checkout", "-q", "--theirs", "versions")
      let merged = "@Model class A { var x: Int = 0; var mine: Int?; var theirs: Int? }\n"
      try folder.write("S.schema", "schema S 1.1.0\n" + merged)
      #expect(folder.run("verify", "--rebuild-lock").status == .clean)
      #expect(folder.run("bump").text.hasPrefix("S 1.1.0 → 1.2.0 (1 change)"))
      #expect(
        folder.run("verify").text
          == "\(ways) (not released): \(ways.count { $0 == "→" }) migration steps checked, no findings\n")
      #expect(folder.run("freeze").status == .clean)
      #expect(folder.run("verify").status == .clean)
    }
  }

  private static let plain = "@Model class A { var x: Int = 0 }\n"
  private static let hotfix = "@Model class A { var x: Int = 0; var nickname: String? }\n"

  /// Releases 1.1.0 on the main branch and 1.0.1 on a hotfix branch, and merges the released versions.
  private func playBranches(
    _ main: String, hotfix: String = Self.hotfix, _ body: (Playground) throws -> Void
  ) throws {
    try play { (folder: Playground) throws in
      for (version, text) in [("1.0.0", Self.plain), ("1.0.1", hotfix)] {
        try folder.write("S.schema", "schema S \(version)\n\(text)")
        #expect(folder.run("freeze").status == .clean)
      }
      let other = try folder.read("versions/S-1.0.1/S.schema")
      let line = try #require(try folder.read("versions/S.lock").split(separator: "\n").last)
      try FileManager.default.removeItem(at: folder.root.appendingPathComponent("versions/S-1.0.1"))
      try folder.write("versions/S.lock", try folder.read("versions/S.lock").replacing(line + "\n", with: ""))
      try folder.write("S.schema", "schema S 1.1.0\n\(main)")
      let (status, output) = folder.run("freeze")
      #expect(status == .clean, "\(output)")
      try folder.write("versions/S-1.0.1/S.schema", other)
      try folder.write("versions/S.lock", try folder.read("versions/S.lock") + line + "\n")
      try body(folder)
    }
  }

  @Test func hotfixesBelowAReleasedNumberGetAMigration() throws {
    let main = "@Model class A { var x: Int = 0; var budget: Int = 0 }\n"
    let merged = "@Model class A { var x: Int = 0; var nickname: String?; var budget: Int = 0 }\n"
    try playBranches(main) { (folder: Playground) throws in
      #expect(folder.run("verify").text.contains("error: no later version continues 1.0.1"))
      try folder.write("S.schema", "schema S 1.1.0\n" + merged)
      #expect(folder.run("bump").text == "S 1.1.0 → 1.2.0 (1 change), 'migration from 1.0.1' in S.schema added\n")
      #expect(try folder.read("S.schema") == "schema S 1.2.0\n\(merged)\nmigration from 1.0.1 {\n}\n")
      let ways = "S 1.0.0 → 1.0.1 → 1.2.0, 1.1.0 → 1.2.0"
      #expect(folder.run("verify").text == "\(ways) (not released): 3 migration steps checked, no findings\n")
      #expect(folder.run("bump").text.hasPrefix("S 1.2.0: nothing to do"))
      #expect(folder.run("freeze").status == .clean)
      #expect(folder.run("verify").text == "\(ways): 3 migration steps checked, no findings\n")
      #expect(folder.run("verify", "--rebuild-lock").text.contains("nothing to do"))
      #expect(folder.run("diff", "1.0.1..head").text.contains("1 change: 1 automatic"))
    }
  }

  /// The main branch's schema is compatible with the hotfix, but its values still have the meaning from before the
  /// hotfix.
  @Test func hotfixesThatChangeValuesNeedTwoMigrations() throws {
    let hotfix = """
      @Model class A { #Index<A>([\\.x]); var x: Int = 0 }
      migration from 1.0.0 { fill A.x = old.x &* 100 }

      """
    let main = "@Model class A { var x: Int = 0; var budget: Int? }\n"
    let merged = "@Model class A { #Index<A>([\\.x]); var x: Int = 0; var budget: Int? }\n"
    try playBranches(main, hotfix: hotfix) { (folder: Playground) throws in
      #expect(folder.run("verify").text.contains("error: no later version continues 1.0.1"))
      try folder.write("S.schema", "schema S 1.1.0\n" + merged)
      let blocks = "'migration from 1.0.1' in S.schema added, 'migration from 1.1.0' in S.schema added"
      #expect(folder.run("bump").text == "S 1.1.0 → 1.1.1 (1 change), \(blocks)\n")
      let text = try folder.read("S.schema")
      #expect(text == "schema S 1.1.1\n\(merged)\nmigration from 1.0.1 {\n}\n\nmigration from 1.1.0 {\n}\n")
      try folder.write("S.schema", text.replacing("1.1.0 {\n", with: "1.1.0 {\n    fill A.x = old.x &* 100\n"))
      let ways = "S 1.0.0 → 1.0.1 → 1.1.1, 1.1.0 → 1.1.1"
      #expect(folder.run("verify").text == "\(ways) (not released): 3 migration steps checked, no findings\n")
      #expect(folder.run("freeze").status == .clean)
      #expect(folder.run("verify").text == "\(ways): 3 migration steps checked, no findings\n")
      #expect(folder.run("bump").text.contains("nothing to do"))
    }
  }

  @Test func abandonedHotfixesNeedANewVersion() throws {
    let main = """
      @Model class A { var x: Int = 0; var budget: Int }
      migration from 1.0.0 { fill A.budget = 1 }

      """
    try playBranches(main) { (folder: Playground) throws in
      let (_, output) = folder.run("bump")
      #expect(output.hasSuffix("'migration from 1.0.1' in S.schema must be completed\n"))
      #expect(
        try folder.read("S.schema") == """
          schema S 1.1.1
          @Model class A { var x: Int = 0; var budget: Int }

          migration from 1.0.1 {
              fill A.budget = <#value#>
              // accept MIG011 A.nickname -- "why"
          }

          """)
      try folder.write("S.schema", try folder.read("S.schema").replacing("<#value#>", with: "2"))
      let wrong = folder.run("accept", "MIG011", "A.nickname", "--reason", "so", "--hop", "1.0.0..1.1.1")
      #expect(wrong.text.contains("accepted for 1.0.1..1.1.1 or 1.1.0..1.1.1, not for 1.0.0..1.1.1"))
      #expect(folder.run("accept", "MIG011", "A.nickname", "--reason", "so").status == .clean)
      #expect(folder.run("verify").status == .clean)
      #expect(folder.run("freeze").status == .clean)
    }
  }
}

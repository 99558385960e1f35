import SchemaModel
import SchemaVersions
import Testing

/// What a migration has to say about each change, and what it says wrongly.
struct StageTests {
  /// Both versions inside the same model, and the steps between them.
  private func stage(_ old: String, _ new: String, _ steps: String = "") throws -> [String] {
    let block = steps.isEmpty ? "" : "migration from 1.0.0 {\n\(steps)\n}\n"
    return findings(
      try history(
        "@Model class A {\n\(old)\n}\n", "@Model class A {\n\(new)\n}\n" + block))
  }

  static let needing: [(old: String, new: String, finding: String, step: String)] = [
    (
      "var x: Int = 0", "var x: Int = 0\nvar y: Int",
      "2:4 MIG041 attribute 'A.y' added with type 'Int'", "fill A.y = old.x + 1"
    ),
    (
      "var x: Int?", "var x: Int",
      "2:3 MIG040 attribute 'A.x': type changed from 'Int?' to 'Int'", "fill A.x = old.x ?? 0"
    ),
    (
      "var x: String = \"\"", "var x: Int = 0",
      "2:3 MIG030 attribute 'A.x': type changed from 'String' to 'Int'", "fill A.x = Int(old.x) ?? 0"
    ),
    (
      "var x: Int = 0\nvar y: Int = 0", "var x: Int = 0",
      "2:1 MIG011 attribute 'A.y' removed, its type was 'Int'", "accept MIG011 A.y -- \"nobody needs it\""
    ),
    (
      "var x: Int = 0\nvar y: Int = 0", "var x: Int = 0",
      "2:1 MIG011 attribute 'A.y' removed, its type was 'Int'",
      "accept attribute-dropped A.y -- \"by its name\""
    ),
    (
      "var x: Int = 0\nvar y: Int = 0", "var x: Int = 0",
      "2:1 MIG011 attribute 'A.y' removed, its type was 'Int'", "fill A.x = old.x + old.y"
    ),
    (
      "var x: Int = 0", "#Unique<A>([\\.x])\nvar x: Int = 0",
      "2:3 MIG050 model 'A': [x] is unique now", "dedupe A on [\\.x] keep newest"
    ),
    (
      "var x: Int = 0", "#Unique<A>([\\.x])\nvar x: Int = 0",
      "2:3 MIG050 model 'A': [x] is unique now", "accept MIG050 A -- \"there are none\""
    ),
  ]

  @Test(arguments: needing)
  func isSaidAndTakenCareOf(old: String, new: String, finding: String, step: String) throws {
    let found = try stage(old, new)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(finding) ?? false, "\(found)")
    #expect(found.first?.hasSuffix("and nothing says what becomes of stores of 1.0.0") ?? false)
    #expect(try stage(old, new, step) == [])
  }

  static let automatic: [(old: String, new: String)] = [
    ("var x: Int = 0", "var x: Int = 0\nvar y: Int = 1"), ("var x: Int = 0", "var x: Int = 0\nvar y: Int?"),
    ("var x: Int = 0", "@Attribute(originalName: \"x\") var y: Int = 0"),
    ("var x: Int8 = 0", "var x: Int = 0"), ("var x: Int = 0", "var x: Int?"),
    ("@Attribute(.unique) var x: Int = 0", "var x: Int = 0"),
    ("var x: Int = 0", "var x: Int = 0\n@Attribute(.unique) var y: Int?"),
  ]

  @Test(arguments: automatic) func needsNothing(old: String, new: String) throws {
    #expect(try stage(old, new) == [])
  }

  @Test func enumsNeedAValueForWhatIsGone() throws {
    let old = "enum E: String, Codable { case a, b }\n@Model class A { var e: E = .a; var f: [E] = [] }\n"
    let new = "enum E: String, Codable { case a }\n@Model class A { var e: E = .a; var f: [E] = [] }\n"
    #expect(
      findings(try history(old, new)) == [
        "2:2 MIG013 case 'E.b' removed, and nothing says what becomes of stores of 1.0.0"
      ])
    let one = new + "migration from 1.0.0 {\nfill A.e = .a\n}\n"
    #expect(findings(try history(old, one)).count == 1)
    let both = new + "migration from 1.0.0 {\nfill A.e = .a\nfill A.f = []\n}\n"
    #expect(findings(try history(old, both)) == [])
  }

  @Test func modelsThatGo() throws {
    let old = "@Model class A { var x: Int = 0 }\n@Model class B { var y: Int = 0 }\n"
    let new = "@Model class A { var x: Int = 0 }\n"
    #expect(
      findings(try history(old, new)) == [
        "2:1 MIG010 model 'B' removed, and nothing says what becomes of stores of 1.0.0"
      ])
    #expect(findings(try history(old, new + "migration from 1.0.0 { accept MIG010 B -- \"gone\" }\n")) == [])
  }

  @Test func stepsThatNameNothing() throws {
    let found = try stage(
      "var x: Int = 0", "var x: Int = 0\nvar y: Int = 0\nvar list: [A] = []",
      """
      fill B.x = 1
      fill A.z = 1
      fill A.y = 1
      fill A.y = 2
      fill A.list = []
      dedupe A on [\\.q] keep oldest
      accept MIG011 A.gone -- "was never there"
      """)
    #expect(
      found == [
        "2:8 SYN007 there is no model 'B' in this version",
        "2:9 SYN007 model 'A' has no stored property 'z' of its own",
        "2:11 SYN004 'A.y' is filled twice",
        "2:12 SYN007 'A.list' is not kept in the rows of 'A'",
        "2:13 SYN007 model 'A' has no stored property 'q' of its own",
        "2:14 SYN007 (warning) there is nothing to accept as MIG011 about 'A.gone'",
      ])
  }

  @Test func migrationsFromAnotherVersion() throws {
    let text = "@Model class A { var x: Int = 0; var y: Int = 0 }\n"
    #expect(
      findings(
        try history(
          "@Model class A { var x: Int = 0 }\n", text + "migration from 0.5.0 { fill A.y = 1 }\n"))
        == ["2:3 MIG005 stores come to 2.0.0 from 1.0.0, not from 0.5.0"])
    #expect(
      findings(try history(text + "migration from 0.5.0 { fill A.y = 1 }\n"))
        == ["1:3 MIG005 no version of 'S' before 1.0.0 is released"])
  }

  @Test func aFillOfASuperclassIsForItsSubclassesToo() throws {
    let (history, _) = try history(
      "@Model class A { var x: Int = 0 }\n@Model class B: A { var z: Int = 0 }\n",
      """
      @Model class A { var x: Int = 0; var y: Int }
      @Model(originalName: "B") class C: A { var z: Int = 0 }
      migration from 1.0.0 { fill A.y = old.x }
      """)
    let fillings = history.stages.flatMap(\.fillings)
    #expect(fillings.map(\.oldEntity) == ["A", "B"])
    #expect(fillings.map(\.newEntity) == ["A", "C"])
    #expect(history.check().isEmpty)
  }
}

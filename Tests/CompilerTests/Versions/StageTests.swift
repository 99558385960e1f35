import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import Testing

/// Tests of the required migration steps for each change, and of invalid steps.
struct StageTests {
  /// Compares two versions of a model with the given steps.
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
      "var x: Int = 0\nvar y: Int = 0", "var x: Int = 0",
      "2:1 MIG011 attribute 'A.y' removed, its type was 'Int'", "custom splitNames"
    ),
    (
      "var x: Int = 0", "#Unique<A>([\\.x])\nvar x: Int = 0",
      "2:3 MIG050 model 'A': [x] is now unique", "dedupe A on [\\.x] keep newest"
    ),
    (
      "var x: Int = 0", "#Unique<A>([\\.x])\nvar x: Int = 0",
      "2:3 MIG050 model 'A': [x] is now unique", "accept MIG050 A -- \"there are none\""
    ),
    (
      "@Attribute(.externalStorage) var x: Data?", "var x: Data?",
      "2:3 MIG030 attribute 'A.x': option '.externalStorage' removed", "fill A.x = old.x"
    ),
    (
      "struct S { var a: Int }\n@Attribute(.flattened) var x: S", "struct S { var a: Int }\nvar x: S",
      "2:4 MIG030 attribute 'A.x': storage changed from 'flattened' to none", "fill A.x = old.x"
    ),
    (
      "enum E: Int, Codable { case a }\nvar x: E?", "enum E: Int, Codable { case a }\n@Attribute(.json) var x: E?",
      "2:4 MIG030 attribute 'A.x': storage changed from none to 'json'", "fill A.x = old.x"
    ),
  ]

  @Test(arguments: needing)
  func changesAreReportedUntilTheyAreHandled(old: String, new: String, finding: String, step: String) throws {
    let found = try stage(old, new)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(finding) ?? false, "\(found)")
    #expect(found.first?.hasSuffix("but the migration from 1.0.0 does not handle it") ?? false)
    #expect(try stage(old, new, step) == [])
  }

  static let automatic: [(old: String, new: String)] = [
    ("var x: Int = 0", "var x: Int = 0\nvar y: Int = 1"), ("var x: Int = 0", "var x: Int = 0\nvar y: Int?"),
    ("var x: Int = 0", "@Attribute(originalName: \"x\") var y: Int = 0"),
    ("var x: Int8 = 0", "var x: Int = 0"), ("var x: Int = 0", "var x: Int?"),
    ("@Attribute(.unique) var x: Int = 0", "var x: Int = 0"),
    ("var x: Int = 0", "var x: Int = 0\n@Attribute(.unique) var y: Int?"),
    ("var x: Data?", "@Attribute(.externalStorage) var x: Data?"),
    ("@Attribute(.externalStorage) var x: String?", "var x: String?"),
    ("var x: [Int] = []", "@Attribute(.json) var x: [Int] = []"),
    ("struct S { var a: Int }\n@Attribute(.json) var x: S?", "struct S { var a: Int }\nvar x: S?"),
  ]

  @Test(arguments: automatic) func automaticChangesNeedNoSteps(old: String, new: String) throws {
    #expect(try stage(old, new) == [])
  }

  @Test func propertiesMovedToASuperclassAreNotRemoved() throws {
    let base = "@Model class A { var x: Int = 0 }\n"
    let old = base + "@Model class B: A { var y: Int = 0 }\n@Model class C: B { var z: Int = 0 }\n"
    let up = "@Model class A { var x: Int = 0; var y: Int = 0; var z: Int = 0 }\n"
    #expect(findings(try history(old, up + "@Model class B: A { }\n@Model class C: B { }\n")) == [])
    let other = "@Model class A { var x: Int = 0; var y: String = \"\" }\n"
    #expect(
      findings(try history(old, other + "@Model class B: A { }\n@Model class C: B { var z: Int = 0 }\n"))
        .contains { $0.contains("MIG011 attribute 'B.y' removed") })
  }

  /// The rows get new keys, so accepting the change would not make the store readable.
  @Test func aRootThatBecomesASubclassNeedsACustomStep() throws {
    let old = "@Model class A { var x: Int = 0 }\n@Model class B { var x: Int = 0; var y: Int = 0 }\n"
    let new = "@Model class A { var x: Int = 0 }\n@Model class B: A { var y: Int = 0 }\nmigration from 1.0.0 {\n"
    let finding =
      "2:3 MIG034 model 'B': superclass changed from none to 'A', and rows in stores of 1.0.0 "
      + "require a custom step"
    #expect(findings(try history(old, new + "}\n")) == [finding])
    #expect(findings(try history(old, new + "accept MIG034 B -- \"x\"\n}\n")) == [finding])
    #expect(findings(try history(old, new + "custom move\n}\n")) == [])
    // A new superclass takes over the table.
    let above = "@Model class N { }\n@Model class A: N { var x: Int = 0 }\n"
    let one = "@Model class A { var x: Int = 0 }\n"
    let block = "migration from 1.0.0 {\naccept MIG034 A -- \"x\"\n}\n"
    #expect(findings(try history(one, above + block)) == [])
  }

  @Test func referencesToAFormerSubclassAreCleared() throws {
    let old = "@Model class A { }\n@Model class B: A { }\n@Model class C: B { }\n@Model class O {\n"
    let new = "@Model class A { }\n@Model class B: A { }\n@Model class C: A { }\n@Model class O {\n"
    let block = "\n}\nmigration from 1.0.0 {\naccept MIG034 C -- \"x\"\n}\n"
    let list = "@Relationship(inverse: nil) var bs: [B] = []\n@Relationship(inverse: nil) var all: [A] = []"
    let (accepted, files) = try history(old + list + "\n}\n", new + list + block)
    #expect(findings((accepted, files)) == [])
    #expect(accepted.stages.map(\.lettingGo) == [["O.bs"]])
    let required = "@Relationship(inverse: nil) var b: B"
    #expect(
      findings(try history(old + required + "\n}\n", new + required + block)).contains {
        $0.contains("MIG034") && $0.contains("require a custom step")
      })
  }

  @Test func removedEnumCasesNeedAReplacement() throws {
    let old = "enum E: String, Codable { case a, b }\n@Model class A { var e: E = .a; var f: [E] = [] }\n"
    let new = "enum E: String, Codable { case a }\n@Model class A { var e: E = .a; var f: [E] = [] }\n"
    #expect(
      findings(try history(old, new)) == [
        "2:2 MIG013 case 'E.b' removed, but the migration from 1.0.0 does not handle it"
      ])
    let one = new + "migration from 1.0.0 {\nfill A.e = .a\n}\n"
    #expect(findings(try history(old, one)).count == 1)
    let both = new + "migration from 1.0.0 {\nfill A.e = .a\nfill A.f = []\n}\n"
    #expect(findings(try history(old, both)) == [])
  }

  /// Rows contain raw values, so a case with an explicit raw value can be renamed.
  @Test func casesWithExplicitRawValuesCanBeRenamed() throws {
    let old = "enum E: String, Codable { case a, b }\n@Model class A { var e: E = .a }\n"
    let renamed = old.replacing("a, b", with: "a, c")
    let error = try #require(try history(old, renamed).0.check().first)
    #expect(error.help?.contains("'case newName = \"b\"'") == true)
    #expect(findings(try history(old, old.replacing("a, b", with: "a, c = \"b\""))) == [])
    // Implicit integer raw values depend on the order of cases.
    let numbers = old.replacing("String", with: "Int")
    #expect(findings(try history(numbers, numbers.replacing("a, b", with: "a, c"))).count == 1)
  }

  /// Rows written by 1.0.0 are decoded with the default value of 2.0.0 as long as it exists.
  @Test func defaultsThatOldRowsRelyOnCannotBeRemoved() throws {
    func text(_ fields: String, _ steps: String = "") -> String {
      "struct S: Codable { \(fields) }\n@Model class A { var s: S; @Attribute(.flattened) var f: S }\n"
        + (steps.isEmpty ? "" : "migration from 2.0.0 { \(steps) }\n")
    }
    let two = text("var a: Int; var c: Int = 1")
    let none = text("var a: Int; var c: Int")
    let finding =
      "3:2 MIG033 field 'S.c': default changed from '1' to none, and rows written before the field was added "
      + "lack a value, but the migration from 2.0.0 does not handle it"
    #expect(findings(try history(text("var a: Int"), two, none)) == [finding])
    #expect(findings(try history(text("var a: Int; var c: Int?"), two, none)).contains(finding))
    // Flattened fields received their values when the field was added.
    let fill = text("var a: Int; var c: Int", "fill A.s = S(a: old.s.a, c: old.s.c)")
    #expect(findings(try history(text("var a: Int"), two, fill)) == [])
    let accepted = text("var a: Int; var c: Int", "accept MIG033 S.c -- \"1.0.0 was never shipped\"")
    #expect(findings(try history(text("var a: Int"), two, accepted)) == [])
    // The released version changed, although the stores have equal structure.
    let (versions, _) = try history(text("var a: Int"), two, none)
    var head = versions.head
    head.version = versions.frozen[1].version
    let unbumped = SchemaHistory(head: head, frozen: versions.frozen, lock: versions.lock).check()
    #expect(unbumped.map(\.id.code) == ["MIG001"])
    // All rows contain the value, or do not need it.
    let more = "@Model class M { var x: Int = 0 }\n"
    #expect(findings(try history(two, two.replacing("= 1", with: "= 2") + more, none + more)) == [])
    #expect(findings(try history(none, two + more, none + more)) == [])
    #expect(
      findings(
        try history(
          text("var a: Int").replacing("var s: S; ", with: ""), two.replacing("var s: S; ", with: ""),
          none.replacing("var s: S; ", with: "") + more)) == [])
  }

  /// Rows written by 1.0.0 are decoded to different values, although the rows themselves do not change.
  @Test(arguments: [
    (
      "var c: Int = 2",
      "default changed from '1' to '2', and rows written before the field was added are read with the new default"
    ),
    ("var c: Int?", "is now optional, and rows written before the field was added are read as nil instead of '1'"),
    ("var c: Int? = 1", "is now optional, and rows written before the field was added are read as nil instead of '1'"),
  ])
  func defaultsThatOldRowsRelyOnCannotChange(field: String, finding: String) throws {
    func text(_ fields: String, _ steps: String = "") -> String {
      "struct S: Codable { \(fields) }\n@Model class A { var s: S; @Attribute(.flattened) var f: S }\n"
        + (steps.isEmpty ? "" : "migration from 2.0.0 { \(steps) }\n")
    }
    let (one, two) = (text("var a: Int"), text("var a: Int; var c: Int = 1"))
    let fields = "var a: Int; \(field)"
    let found = findings(try history(one, two, text(fields)))
    #expect(found.count == 1 && found.first?.contains("MIG033 field 'S.c'") == true, "\(found)")
    #expect(found.first?.contains(finding) == true, "\(found)")
    #expect(findings(try history(one, two, text(fields, "fill A.s = S(a: old.s.a, c: old.s.c)"))) == [])
    #expect(findings(try history(one, two, text(fields, "accept MIG033 S.c -- \"so\""))) == [])
    // Every version wrote the value.
    #expect(
      findings(
        try history(
          two, two + "@Model class M { var x: Int = 0 }\n", text(fields) + "@Model class M { var x: Int = 0 }\n")) == []
    )
    // The default of an optional field applies to new values only.
    let optional = text("var a: Int; var c: Int? = 1")
    #expect(findings(try history(one, optional, text("var a: Int; var c: Int? = 2"))) == [])
  }

  static let inverses: [(old: String, new: String, finding: String?)] = [
    ("@Relationship(inverse: nil) var l: [B] = []|", "@Relationship(inverse: \\B.a) var l: [B] = []|var a: A?", "B.a"),
    ("@Relationship(inverse: nil) var l: B?|", "@Relationship(inverse: \\B.a) var l: B?|var a: A?", "B.a"),
    (
      "@Relationship(inverse: nil) var l: [B] = []|@Relationship(inverse: nil) var a: [A] = []",
      "@Relationship(inverse: \\B.a) var l: [B] = []|var a: [A] = []", "B.a"
    ),
    // All members can be migrated.
    (
      "@Relationship(inverse: nil) var l: [B] = []|", "@Relationship(inverse: \\B.a) var l: [B] = []|var a: [A] = []",
      nil
    ),
    ("@Relationship(inverse: nil) var l: B?|", "@Relationship(inverse: \\B.a) var l: B?|var a: [A] = []", nil),
  ]

  @Test(arguments: inverses)
  func lossOfMembersByANewInverseIsReported(old: String, new: String, finding: String?) throws {
    func text(_ parts: String, _ steps: String = "") -> String {
      let parts = parts.split(separator: "|", omittingEmptySubsequences: false)
      return "@Model class A { \(parts[0]) }\n@Model class B { var x: Int = 0; \(parts[1]) }\n"
        + (steps.isEmpty ? "" : "migration from 1.0.0 { \(steps) }\n")
    }
    let found = findings(try history(text(old), text(new)))
    guard let finding else {
      #expect(found == [])
      return
    }
    #expect(
      found.first?.contains(
        "MIG062 relationship 'A.l': inverse changed from none to 'a', and "
          + "'\(finding)' may be unable to hold all existing links") == true, "\(found)")
    let help = try history(text(old), text(new)).0.check().first?.help ?? ""
    #expect(help.contains("a 'fill' of '\(finding)' does not") && help.contains("accept MIG062 A.l"), "\(help)")
    var steps = "accept MIG062 A.l -- \"the first one stays\""
    if found.count > 1 { steps += "\naccept MIG062 B.a -- \"the same\"" }
    let history = try history(text(old), text(new, steps))
    #expect(findings(history) == [])
    #expect(history.0.stages.first?.lettingGo.prefix(2) == ["A.l", finding])
  }

  @Test func removedModels() throws {
    let old = "@Model class A { var x: Int = 0 }\n@Model class B { var y: Int = 0 }\n"
    let new = "@Model class A { var x: Int = 0 }\n"
    #expect(
      findings(try history(old, new)) == [
        "2:1 MIG010 model 'B' removed, but the migration from 1.0.0 does not handle it"
      ])
    #expect(findings(try history(old, new + "migration from 1.0.0 { accept MIG010 B -- \"gone\" }\n")) == [])
  }

  @Test func stepsWithUnknownNames() throws {
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
        "2:12 SYN007 'A.list' is not stored in the rows of 'A'",
        "2:13 SYN007 model 'A' has no stored property 'q' of its own",
        "2:14 SYN007 (warning) no change of 'A.gone' to accept as MIG011",
      ])
  }

  @Test func migrationsFromAnotherVersion() throws {
    let text = "@Model class A { var x: Int = 0; var y: Int = 0 }\n"
    #expect(
      findings(
        try history(
          "@Model class A { var x: Int = 0 }\n", text + "migration from 0.5.0 { fill A.y = 1 }\n"))
        == ["2:3 MIG005 stores migrate to 2.0.0 from 1.0.0, not from 0.5.0"])
    #expect(
      findings(try history(text + "migration from 0.5.0 { fill A.y = 1 }\n"))
        == ["1:3 MIG005 no version of 'S' before 1.0.0 has been released"])
  }

  @Test func fillsOfASuperclassApplyToItsSubclasses() throws {
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

import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import Testing

/// Tests of probable renames and conflicting names.
struct RenameAdviceTests {
  private func stage(_ old: String, _ new: String, _ steps: String = "") throws -> (SchemaHistory, [SourceFile]) {
    let block = steps.isEmpty ? "" : "migration from 1.0.0 {\n\(steps)\n}\n"
    return try history("@Model class A {\n\(old)\n}\n", "@Model class A {\n\(new)\n}\n" + block)
  }

  /// Returns the advice that only the tool reports.
  private func advice(_ history: (SchemaHistory, [SourceFile])) -> [String] {
    history.0.advice().map { diagnostic in
      let line = LineTable(history.1[diagnostic.range.file]).line(at: diagnostic.range.start)
      return "\(line) \(diagnostic.id.code) \(diagnostic.severity.rawValue) \(diagnostic.message)"
    }
  }

  @Test func probableRenamesAreReported() throws {
    let found = try stage("var startDate: Int\nvar keep: String", "var beginDate: Int\nvar keep: String")
    let diagnostics = found.0.check()
    #expect(diagnostics.map(\.id) == [.probableRename])
    let diagnostic = try #require(diagnostics.first)
    #expect(
      diagnostic.message
        == "attribute 'A.startDate' removed, its type was 'Int', and 'A.beginDate' is new and similar")
    #expect(
      diagnostic.related.first?.text
        == "A.beginDate: same type, same options and default, similar name (85 of 100)")
    #expect(
      diagnostic.help
        == "write '@Attribute(originalName: \"startDate\")' at 'A.beginDate' if it was renamed, or accept the removal "
        + "in 'migration from 1.0.0': 'accept MIG011 A.startDate -- \"reason\"'")
    // Both answers are accepted. If the old attribute was removed, the new one needs a value.
    let goes = try stage(
      "var startDate: Int\nvar keep: String", "var beginDate: Int\nvar keep: String",
      "accept MIG011 A.startDate -- \"gone\"\nfill A.beginDate = 0")
    #expect(goes.0.check().isEmpty)
    let renamed = try stage(
      "var startDate: Int\nvar keep: String",
      "@Attribute(originalName: \"startDate\") var beginDate: Int\nvar keep: String")
    #expect(renamed.0.check().isEmpty)
  }

  @Test func equallySimilarCandidatesAreAllNamed() throws {
    let found = try stage("var a: Int = 0", "var b: Int = 0\nvar c: Int = 0").0.check()
    #expect(found.map(\.id) == [.probableRename])
    #expect(found.first?.message.hasSuffix("and 'A.b' and 'A.c' are new and equally similar") ?? false)
  }

  @Test func dissimilarPropertiesAreNotRenames() throws {
    let found = try stage("var a: Int = 0", "var other: String?").0.check()
    #expect(found.map(\.id) == [.attributeDropped])
  }

  @Test func renamedModel() throws {
    let found = try history(
      "@Model class Journey { var name: String; var start: Int }\n@Model class K { var k: Int = 0 }\n",
      "@Model class Trip { var name: String; var start: Int }\n@Model class K { var k: Int = 0 }\n")
    #expect(found.0.check().map(\.id) == [.probableRename])
    #expect(found.0.check().first?.help?.hasPrefix("write '@Model(originalName: \"Journey\")' at 'Trip'") ?? false)
  }

  @Test func renamedRelationship() throws {
    let found = try history(
      "@Model class A { var others: [B] = [] }\n@Model class B { var a: A? }\n",
      "@Model class A { var friends: [B] = [] }\n@Model class B { var a: A? }\n")
    #expect(found.0.check().map(\.id) == [.probableRename])
  }

  /// A declaration with the same name as a removed declaration is not its successor.
  @Test func attributeReplacedByARelationship() throws {
    for (old, new) in [
      ("var x: Int = 0", "@Relationship(inverse: nil) var x: A?"),
      ("@Relationship(inverse: nil) var x: A?", "var x: Int = 0"),
    ] {
      let found = findings(try stage(old, new))
      #expect(found.count == 1 && found.first?.contains("'A.x' removed") == true, "\(found)")
      #expect(found.first?.contains("is new and similar") == false, "\(found)")
    }
  }

  @Test func copiedClassesDoNotTakeOverTheRows() throws {
    let old = "@Model class A { var x: Int = 0 }\n"
    let copy = "@Model(originalName: \"A\") class C { var x: Int = 0; var y: Int = 0 }\n"
    #expect(
      findings(try history(old, old + copy)) == [
        "2:3 MIG022 'C' is renamed from model 'A', which still exists: all its rows would move to 'C'"
      ])
    // An original name that an earlier version already used refers to an even older version. Another class can use a
    // name that is free again.
    #expect(!findings(try history(old, copy, copy + old)).contains { $0.contains("MIG022") })
    let other = findings(try history(old, copy + "@Model class A { var z: String? }\n"))
    #expect(!other.contains { $0.contains("MIG022") })
    let swapped =
      "@Model(originalName: \"B\") class A { var x: Int = 0 }\n"
      + "@Model(originalName: \"A\") class B { var x: Int = 0 }\n"
    #expect(findings(try history(old + "@Model class B { var x: Int = 0 }\n", swapped)) == [])
  }

  @Test func duplicateOriginalNames() throws {
    let found = try stage(
      "var a: Int = 0",
      "@Attribute(originalName: \"a\") var b: Int = 0\n@Attribute(originalName: \"a\") var c: Int = 0")
    #expect(findings(found) == ["2:4 MIG022 'c' and 'b' are both renamed from 'A.a'"])
    let models = try history(
      "@Model class A { var a: Int = 0 }\n",
      "@Model(originalName: \"A\") class B { var a: Int = 0 }\n@Model(originalName: \"A\") class C { var a: Int = 0 }\n"
    )
    #expect(findings(models) == ["2:3 MIG022 'C' and 'B' are both renamed from model 'A'"])
    // An original name in the older version refers to an even earlier version.
    let later = try stage(
      "@Attribute(originalName: \"b\") var a: Int = 0\nvar b: Int = 0",
      "@Attribute(originalName: \"b\") var a: Int = 0\n@Attribute(originalName: \"b\") var c: Int = 0")
    #expect(findings(later) == [])
  }

  @Test func unknownOriginalName() throws {
    let found = try stage("var name: Int = 0", "var name: Int = 0\n@Attribute(originalName: \"nam\") var x: Int = 0")
    #expect(findings(found) == ["2:4 MIG021 'A.x' is renamed from 'nam', which no earlier version declares"])
    #expect(advice(found) == [])
    // An original name from before the first release has no effect.
    let old = "@Attribute(originalName: \"ancient\") var x: Int = 0"
    #expect(advice(try stage(old, old + "\nvar y: Int?")) == [])
    #expect(advice(try history("@Model class A { @Attribute(originalName: \"q\") var x: Int = 0 }\n")) == [])
  }

  @Test func reusedName() throws {
    let found = try history(
      "@Model class A { var x: Int = 0; var y: Int = 0 }\n",
      "@Model class A { var x: Int = 0 }\nmigration from 1.0.0 { accept MIG011 A.y -- \"gone\" }\n",
      "@Model class A { var x: Int = 0; var y: String? }\n")
    #expect(findings(found) == [])
    #expect(
      advice(found) == ["2 MIG024 warning 'A.y' existed in an earlier version and is now a different declaration"])
  }

  static let volatile = ["Date()", "UUID()", "Date.now", ".now", "Int.random(in: 0...1)", "[1].randomElement()"]

  @Test(arguments: volatile) func volatileFill(_ value: String) throws {
    let found = try stage("var x: Int = 0", "var x: Int = 0\nvar y: Int", "fill A.y = \(value)")
    #expect(findings(found) == [])
    #expect(advice(found).map { $0.prefix(16) } == ["7 MIG043 warning"])
  }

  @Test(arguments: ["Date(timeIntervalSince1970: 0)", "old.now", "old.random", "UUID(uuidString: old.id)"])
  func deterministicFill(_ value: String) throws {
    let found = try stage("var x: Int = 0", "var x: Int = 0\nvar y: Int", "fill A.y = \(value)")
    #expect(advice(found) == [])
  }

  static let narrower = [
    ("Int", "Int8"), ("Double", "Float"), ("Int64", "Int32"), ("String", "E"), ("Decimal", "Int"),
    ("String", "Character"),
    ("Int?", "Int8?"),
  ]

  @Test(arguments: narrower) func aNarrowerType(_ old: String, _ new: String) throws {
    let types = "enum E: String, Codable { case a }\n"
    let found = try history(
      types + "@Model class A { var x: \(old) }\n", types + "@Model class A { var x: \(new) }\n")
    #expect(found.0.check().map(\.id) == [.typeNarrowed])
    let other = try history("@Model class A { var x: String }\n", "@Model class A { var x: Int }\n")
    #expect(other.0.check().map(\.id) == [.typeChanged])
  }

  @Test func removedConstraints() throws {
    let unique = try stage("@Attribute(.unique) var x: Int = 0", "var x: Int = 0")
    #expect(findings(unique) == [])
    #expect(
      advice(unique)
        == [
          "2 MIG051 warning model 'A': [x] is no longer unique: a save that previously replaced a row now inserts a "
            + "duplicate"
        ].map { $0.replacing("2 MIG", with: "1 MIG") })
    let accepted = try stage("@Attribute(.unique) var x: Int = 0", "var x: Int = 0", "accept MIG051 A -- \"so\"")
    #expect(advice(accepted) == [])
    #expect(findings(accepted) == [])
  }

  @Test func changedDeleteRule() throws {
    let old = "@Relationship(deleteRule: .deny) var list: [A] = []"
    let cascade = try stage(old, "@Relationship(deleteRule: .cascade) var list: [A] = []")
    // The build reports the error, like `verify`.
    #expect(
      findings(cascade).map { $0.drop { $0 != " " } } == [
        " MIG060 relationship 'A.list': delete rule changed from '.deny' to '.cascade': existing rows are "
          + "now deleted with their owner"
      ])
    #expect(advice(cascade) == [])
    let nullify = try stage(old, "var list: [A] = []")
    #expect(advice(nullify).map { $0.prefix(16) } == ["3 MIG060 warning"])
    #expect(findings(nullify) == [])
    let accepted = try stage(old, "var list: [A] = []", "accept delete-rule-changed A.list -- \"so\"")
    #expect(advice(accepted) == [])
    #expect(findings(accepted) == [])
  }

  @Test func placeholdersInFills() throws {
    let found = try stage("var x: Int = 0", "var x: Int = 0\nvar y: Int", "fill A.y = <#value#>")
    #expect(findings(found) == ["2:7 MIG005 the value of 'A.y' is missing"])
  }
}

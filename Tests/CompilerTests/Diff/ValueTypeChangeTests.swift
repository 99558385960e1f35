import SchemaDiff
import SchemaModel
import SchemaReports
import Testing

@Suite struct ValueTypeChangeTests {
  @Test func enumCases() throws {
    try expectChanges(
      from: "enum Kind: Int { case a, b, c }\nenum Old: String { case x }",
      to: "enum Kind: Int { case a, n, c }\nenum New: String { case x }",
      [
        "automatic: case 'Kind.n' added", "needs a fill: case 'Kind.b' removed",
        "automatic: enum 'New' added", "automatic: enum 'Old' removed",
      ])
    try expectChanges(
      from: "enum Kind: Int { case a, b }", to: "enum Kind: Int { case b, a }",
      [
        "needs a fill: case 'Kind.b': raw value changed from '1' to '0'",
        "needs a fill: case 'Kind.a': raw value changed from '0' to '1'",
        "automatic: enum 'Kind': case order changed",
      ])
    try expectChanges(
      from: "enum Kind: String { case a }", to: "enum Kind: String { case a = \"A\" }",
      ["needs a fill: case 'Kind.a': raw value changed from '\"a\"' to '\"A\"'"])
  }

  @Test func enumPayloads() throws {
    try expectChanges(
      from: "enum Kind: Codable { case a(Int) }",
      to: "public enum Kind: Codable, Hashable { case a(size: Int, String?) }",
      [
        "automatic: enum 'Kind': conformances changed from [Codable] to [Codable, Hashable]",
        "automatic: enum 'Kind': access changed from none to 'public'",
        "needs a fill: case 'Kind.a': associated values changed from '(Int)' to '(size: Int, String?)'",
      ])
  }

  @Test func structFields() throws {
    try expectChanges(
      from: "struct Place: Codable { var a: Int; var b: Int; var c: Int = 1 }",
      to: "struct Place: Codable { let c: Int; var a: String; var d: Int?; var e: Int }",
      [
        "automatic: field 'Place.c': default changed from '1' to none",
        "automatic: field 'Place.c' is now declared with 'let'",
        "needs a fill: field 'Place.a': type changed from 'Int' to 'String'",
        "automatic: field 'Place.d' added with type 'Int?'",
        "needs a fill: field 'Place.e' added with type 'Int'",
        "loses data: field 'Place.b' removed, its type was 'Int'",
        "automatic: struct 'Place': field order changed",
      ])
  }
}

@Suite struct DiffReportTests {
  @Test func reportAsText() throws {
    let report = DiffReport(
      from: try schema("@Model class A { var a: Int; var b: Int }"),
      to: try schema("@Model class A { var a: Int; var c: Int }"))
    #expect(
      report.text == """
        S 1.0.0 → S 1.0.0
          needs a fill  attribute 'A.c' added with type 'Int' [MIG041: STORE, READBACK, CODEC, SYNC, SOURCE]
          loses data    attribute 'A.b' removed, its type was 'Int' [MIG011: STORE, READBACK, CODEC, SYNC, SOURCE]
        2 changes: 1 loses data, 1 needs a fill

        """)
    #expect(report.changes.map(\.kind) == ["attribute-added", "attribute-removed"])
    #expect(report.changes.map(\.subject) == ["A.c", "A.b"])
    #expect(report.changes.map(\.effect) == ["needs-fill", "loses-data"])
  }

  @Test func emptyReport() throws {
    let same = try schema("@Model class A { var a: Int }")
    #expect(DiffReport(from: same, to: same).text == "S 1.0.0 → S 1.0.0\n  no changes\n")
  }

  @Test func changesOfTheSchemaItself() throws {
    var old = try schema("@Model class A { var a: Int }")
    var new = old
    new.name = "T"
    old.imports = [.init(module: "Old", file: 0)]
    new.imports = [.init(module: "New", file: 0)]
    #expect(
      SchemaDiff.changes(from: old, to: new).map(\.text) == [
        "schema 'S' renamed to 'T'", "import of 'New' added", "import of 'Old' removed",
      ])
  }
}

import SchemaDiff
import SchemaModel
import Testing

/// Changes to the encoding of structs and enums.
@Suite struct CodingChangeTests {
  /// Compares the members of a struct that is stored as JSON.
  private func expect(
    _ old: String, _ new: String, _ expected: [String], attribute: String = "var v: V?",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let model = "@Model class A { \(attribute) }\n"
    try expectChanges(
      from: model + "struct V: Codable { \(old) }", to: model + "struct V: Codable { \(new) }", expected,
      sourceLocation: sourceLocation)
  }

  private func keys(_ cases: String) -> String { "; enum CodingKeys: String, CodingKey { \(cases) }" }

  @Test func codingKeysRenameFields() throws {
    let fields = "var p: Int; var q: String?"
    try expect(
      fields, fields + keys("case p = \"pp\", q"),
      ["needs a fill: field 'V.p': stored name changed from 'p' to 'pp'"])
    try expect(
      fields + keys("case p = \"pp\"; case q"), fields + keys("case p, q = \"pp\""),
      [
        "needs a fill: field 'V.p': stored name changed from 'pp' to 'p'",
        "needs a fill: field 'V.q': stored name changed from 'q' to 'pp'",
      ])
    try expect(
      fields, fields + keys("case p"),
      ["loses data: field 'V.q' is no longer stored: 'CodingKeys' omits it"])
    try expect(fields + keys("case p"), fields, ["automatic: field 'V.q' is now stored"])
  }

  /// Equal encodings in different notations.
  @Test(arguments: [
    "case p, q", "case `p`; case q", "case p\n case q = \"q\"", "case q = #\"q\"#, p = \"\\u{70}\"",
  ]) func equivalentCodingKeysAreNoChange(cases: String) throws {
    try expect("var p: Int; var q: String?", "var p: Int; var q: String?" + keys(cases), [])
    try expect(
      "var p: Int; var q: String?", "var p: Int; var q: String?; private enum CodingKeys: CodingKey { case p, q }", [])
  }

  @Test func fieldsCanBeRenamedIfTheStoredNameIsUnchanged() throws {
    try expect(
      "var p: Int", "var price: Int" + keys("case price = \"p\""),
      ["automatic: field 'V.p' renamed to 'V.price'"])
    try expect(
      "var p: Int" + keys("case p = \"x\""), "var x: String",
      [
        "automatic: field 'V.p' renamed to 'V.x'",
        "needs a fill: field 'V.x': type changed from 'Int' to 'String'",
      ])
  }

  @Test func fieldsWithoutACodingKeyAreNotStored() throws {
    let keys = keys("case p")
    try expect(
      "var p: Int" + keys, "var p: Int; var q: Int = 1" + keys, ["automatic: field 'V.q' added with type 'Int'"])
    try expect(
      "var p: Int; var q: Int = 1" + keys, "var p: Int" + keys, ["automatic: field 'V.q' removed, its type was 'Int'"])
    try expect(
      "var p: Int; var q: Int = 1" + keys, "var p: Int; var q: String = \"\"" + keys,
      [
        "automatic: field 'V.q': type changed from 'Int' to 'String'",
        "automatic: field 'V.q': default changed from '1' to '\"\"'",
      ])
  }

  static let code = "func encode(to encoder: any Encoder) throws { try write(p, to: encoder) }"

  @Test func customCodingIsAChange() throws {
    let own = "var p: Int; \(Self.code)"
    try expect("var p: Int", own, ["needs a fill: struct 'V' now uses custom coding"])
    try expect(own, "var p: Int", ["needs a fill: struct 'V' no longer uses custom coding"])
    try expect(
      own, own.replacing("write(p", with: "write(-p"),
      ["needs a fill: struct 'V': the custom coding changed"])
    // Changes to layout, access levels and unrelated code.
    try expect(own, "var p: Int; public  /* writes */ \(Self.code); var double: Int { p * 2 }", [])
    // Changes to related code.
    let more = "; func write(_ p: Int, to encoder: any Encoder) throws { sign() }; func sign() { print(1) }"
    try expect(
      own + more, own + more.replacing("print(1)", with: "print(2)"),
      ["needs a fill: struct 'V': the custom coding changed"])
    // Coding keys that cannot be parsed.
    try expect(
      "var p: Int", "var p: Int; enum CodingKeys: Int, CodingKey { case p = 1 }",
      ["needs a fill: struct 'V' now uses custom coding"])
    try expect(
      "var p: Int", "var p: Int; struct CodingKeys: CodingKey { }",
      ["needs a fill: struct 'V' now uses custom coding"])
  }

  /// Swift's synthesized decoding ignores default values, but generated decoding uses them.
  @Test func newFieldsNeedDefaults() throws {
    let named = keys("case p = \"x\", n")
    try expect(
      "var p: Int" + keys("case p = \"x\""), "var p: Int; var n: Int = 1" + named,
      ["automatic: field 'V.n' added with type 'Int'"])
    try expect(
      "var p: Int; \(Self.code)", "var p: Int; var n: Int = 1; \(Self.code)",
      ["needs a fill: field 'V.n' added with type 'Int'"])
  }

  @Test(arguments: [
    ("@Attribute(.flattened) var v: V?", false), ("@Transient var v: V?", false),
    ("@Attribute(.ephemeral) var v: V?", false), ("var o: Int = 0", false), ("var v: [String: [V]] = [:]", true),
    ("@Attribute(.codable) var v: V?", true), ("@Attribute(.transformable(by: T.self)) var v: V?", true),
  ]) func codingKeysAffectOnlyValuesStoredAsText(attribute: String, isChange: Bool) throws {
    let fields = "var p: Int"
    try expect(
      fields, fields + keys("case p = \"pp\""),
      isChange ? ["needs a fill: field 'V.p': stored name changed from 'p' to 'pp'"] : [],
      attribute: attribute)
  }

  @Test func changesInNestedTypesAreFound() throws {
    let outer = "struct O: Codable { var v: V? }\nenum P: Codable { case v(V) }\n"
    for attribute in ["var o: O?", "@Attribute(.flattened) var o: O?", "var o: P?"] {
      let model = outer + "@Model class A { \(attribute) }\nstruct V: Codable { var p: Int"
      try expectChanges(
        from: model + " }", to: model + keys("case p = \"pp\"") + " }",
        ["needs a fill: field 'V.p': stored name changed from 'p' to 'pp'"])
    }
  }

  @Test func enumCodingChanges() throws {
    let model = "@Model class A { var e: E?; var list: [R] = [] }\nenum R: String, Codable { case a }\n"
    let old = model + "enum E: Codable { case a(x: Int), b(Int) }"
    let changed = ["needs a fill: enum 'E' now uses custom coding"]
    for (keys, expected) in [
      ("enum CodingKeys: String, CodingKey { case a, b }", []),
      ("enum CodingKeys: String, CodingKey { case a = \"A\", b }", changed),
      ("enum ACodingKeys: String, CodingKey { case x }; enum BCodingKeys: CodingKey { case _0 }", []),
      ("enum ACodingKeys: String, CodingKey { case x = \"y\" }", changed),
      ("init(from decoder: any Decoder) throws { self = .b(1) }", changed),
    ] {
      try expectChanges(from: old, to: old.replacing("b(Int) ", with: "b(Int); \(keys) "), expected)
    }
    // The raw value is encoded regardless of coding keys, unless there is custom code.
    let text = old.replacing("case a }", with: "case a; enum CodingKeys: String, CodingKey { case a = \"z\" } }")
    try expectChanges(from: old, to: text, [])
    try expectChanges(
      from: old, to: old.replacing("case a }", with: "case a; \(Self.code) }"),
      ["needs a fill: enum 'R' now uses custom coding"])
    // A separate column contains only the raw value.
    let column = old.replacing("[R] = []", with: "R = .a")
    try expectChanges(from: column, to: column.replacing("case a }", with: "case a; \(Self.code) }"), [])
  }

  /// Conformances that change Swift's synthesized encoding.
  @Test func conformancesThatChangeCoding() throws {
    let raw = "@Model class A { var v: V? }\nstruct V: Codable { var rawValue: Int }"
    try expectChanges(
      from: raw, to: raw.replacing("V: Codable", with: "V: Codable, RawRepresentable"),
      ["needs a fill: struct 'V': conformances changed from [Codable] to [Codable, RawRepresentable]"])
    let keyed = "@Model class A { var d: [E: Int] = [:] }\nenum E: String, Codable { case a }"
    let other = keyed.replacing("Codable", with: "Codable, CodingKeyRepresentable")
    let text = "enum 'E': conformances changed from [Codable] to [Codable, CodingKeyRepresentable]"
    try expectChanges(from: keyed, to: other, ["needs a fill: \(text)"])
    let list = { (text: String) in text.replacing("[E: Int] = [:]", with: "[E] = []") }
    try expectChanges(from: list(keyed), to: list(other), ["automatic: \(text)"])
  }
}

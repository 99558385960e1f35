import SchemaDiagnostics
import SchemaModel
import Testing

/// Tests of the recorded coded forms of attributes that are stored as text.
@Suite struct CodedFormsTests {
  /// Returns the forms of `A`'s attributes by name.
  private func forms(_ types: String, _ properties: String) throws -> [String: String] {
    let text = "schema S 1.0.0\n\(types)\n@Model class A {\n  var name: String\n  \(properties)\n}\n"
    let compilation = SchemaCompiler.compile([SourceFile(path: "/S.schema", text: text)])
    try #require(!compilation.hasErrors, "\(compilation.diagnostics.map(\.message))")
    let schema = compilation.schemas[0]
    let all = CodedForms(schema)
    var found: [String: String] = [:]
    for entity in schema.entities {
      for case .attribute(let attribute) in entity.properties { found[attribute.name] = all.text(of: attribute) }
    }
    return found
  }

  @Test func swiftsDefaultCodingIsNotRecorded() throws {
    let types = """
      enum Kind: String, Codable { case one, two }
      enum Answer: Codable { case no, maybe(Kind?) }
      struct Plain: Codable { var a: Int; enum CodingKeys: String, CodingKey { case a } }
      """
    let properties = "var kind: Kind; var answer: Answer; var plain: [Plain]; var all: [Kind: Plain]"
    #expect(try forms(types, properties).isEmpty)
  }

  @Test func codingKeysAreRecordedForValuesStoredAsText() throws {
    let types = """
      struct Money: Codable { var amount: Int; var currency: String; var shown: Int = 0
        enum CodingKeys: String, CodingKey { case amount = "a", currency } }
      struct Item: Codable { var price: Money?; var count: Int }
      enum Offer: Codable { case none, of(Item) }
      """
    let properties = """
      var one: Money; var list: [Money]; var inside: Item?; var deep: Offer
      @Attribute(.flattened) var flat: Money
      @Attribute(.flattened) var half: Item
      @Transient var never: Money? = nil
      @Attribute(.ephemeral) var later: Money?
      """
    let form = "Money(amount=a currency)"
    #expect(
      try forms(types, properties)
        == [
          // `flat` is stored in columns.
          "one": form, "list": form, "inside": form, "deep": form, "half": form,
        ])
  }

  @Test func customCodingHasADigest() throws {
    func type(_ text: String) -> String {
      """
      struct Cents: Codable { var value: Int
        init(from decoder: any Decoder) throws { value = 1 }
        func encode(to encoder: any Encoder) throws { _ = \(text) } }
      """
    }
    let one = try forms(type("1"), "var c: Cents")["c"]
    #expect(one?.hasPrefix("Cents#") == true && one?.count == "Cents#".count + 16)
    #expect(try forms(type("/* the same */ 1"), "var c: Cents")["c"] == one)
    #expect(try forms(type("2"), "var c: Cents")["c"] != one)
  }

  /// The declaration would have two conditional forms in one schema, so it is rejected and neither form is recorded.
  @Test func keysCannotDependOnConditions() {
    let text = """
      schema S 1.0.0
      struct Size: Codable { var width: Int
      #if os(Linux)
        enum CodingKeys: String, CodingKey { case width = "w" }
      #endif
      }
      @Model class A { var size: Size }
      """
    let compilation = SchemaCompiler.compile([SourceFile(path: "/S.schema", text: text)])
    #expect(compilation.diagnostics.map(\.message) == ["'#if' is not allowed in a schema type"])
  }

  @Test func rawValuesAndNames() throws {
    let types = """
      struct Code: RawRepresentable, Codable, Hashable { var rawValue: String }
      struct Flags: OptionSet, Codable { let rawValue: Int }
      enum Side: String, Codable, CodingKeyRepresentable { case left, right }
      """
    let properties = "var code: Code; var codes: [Code]; var flags: Flags?; var by: [Side: Code]; var side: Side"
    #expect(
      try forms(types, properties)
        == ["code": "Code!", "codes": "Code!", "flags": "Flags!", "by": "Code!;Side*"])
  }

  @Test func rawValuesWithCustomCodingAreRecordedInText() throws {
    let types = """
      enum Kind: String, Codable { case one
        init(from decoder: any Decoder) throws { self = .one } }
      """
    let found = try forms(types, "var kind: Kind; var kinds: [Kind]")
    #expect(found["kinds"]?.hasPrefix("Kind#") == true)
    #expect(found["kind"] == nil)
  }

  @Test func nestedTypesAreRecordedByTheirUnqualifiedNames() throws {
    let inner = "struct In: Codable { var n: Int; enum CodingKeys: String, CodingKey { case n = \"y\" } }"
    #expect(try forms("", "\(inner)\n  var i: In") == ["i": "In(n=y)"])
  }

  /// Keys can contain any characters, and the parts of a form remain distinguishable.
  @Test func keysCanContainAnyText() throws {
    let type = #"struct T: Codable { var a: Int; enum CodingKeys: String, CodingKey { case a = "b c=(d);%\n" } }"#
    #expect(try forms(type, "var t: T") == ["t": "T(a=b%20.c%3d.%28.d%29.%3b.%25.%a.)"])
  }
}

import SchemaDiagnostics
import Testing

@testable import SchemaModel

@Suite struct FingerprintTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func knownAnswers(message: String, digest: String) {
    #expect(SHA256.hexDigest(of: Array(message.utf8)) == digest)
  }

  @Test func aLongInput() {
    // A tenth of the third example of the standard, because debug builds are slow.
    let digest = SHA256.hexDigest(of: [UInt8](repeating: 0x61, count: 100_000))
    #expect(digest.count == 64)
    #expect(digest != SHA256.hexDigest(of: [UInt8](repeating: 0x61, count: 99_999)))
  }

  @Test func codedFormsChangeTheFingerprint() throws {
    func print(_ members: String) throws -> String {
      let text = "schema S 1.0.0\nstruct P: Codable { var a: Int; \(members) }\n@Model class A { var p: P }"
      let file = SourceFile(path: "/S.schema", text: text)
      return try #require(SchemaCompiler.compile([file]).schemas.first).fingerprint()
    }
    #expect(try print("") == print("enum CodingKeys: String, CodingKey { case a }"))
    #expect(try print("") != print("enum CodingKeys: String, CodingKey { case a = \"x\" }"))
    #expect(try print("") != print("init(from decoder: any Decoder) throws { a = 1 }"))
  }

  private let base = """
    schema Shop 1.0.0
    @Model class Item { var name: String = "a"; @Attribute(.unique) var code: Int }
    enum Kind: String, Codable { case a, b }
    """

  @Test(arguments: [
    // Differences in layout, comments, documentation, version, order of types and copied bodies.
    """
    schema Shop 2.5.0
    enum Kind: String, Codable { case a /* first */, b
      var isA: Bool { self == .a } }

    /// An item.
    @Model class Item {
      // A name.
      var name: String  =  "a"
      @Attribute( .unique )
      var code: Int
      func hello() { print("hello") }
    }
    migration from 1.0.0 { fill Item.code = 1 }
    """
  ])
  func doesNotCountLayout(text: String) throws {
    #expect(try resolve(text).fingerprint() == resolve(base).fingerprint())
  }

  @Test(arguments: [
    ("name: String", "name: String?"), ("\"a\"", "\"b\""), (".unique", ".spotlight"),
    ("code: Int", "code: Int64"), ("case a, b", "case a, b, c"), ("Item", "Items"),
    ("var name", "public var name"), ("schema Shop", "schema Store"),
    ("(.unique)", "(.unique, onConflict: .fail)"),
    ("(.unique)", "(.unique, originalName: \"c\")"),
  ])
  func onlyMeaningChangesTheFingerprint(from: String, to: String) throws {
    let changed = base.replacing(from, with: to)
    #expect(changed != base)
    #expect(try resolve(changed).fingerprint() != resolve(base).fingerprint())
  }

  @Test(arguments: [
    (
      "@Model class B { var a: A? }", "var x: Int = 0; var b: B?", "@Model class B { var a: A? }",
      "var b: B?; var x: Int = 0", true
    ),
    ("enum E: String, Codable { case x, y }", "var e: E?", "enum E: String, Codable { case y, x }", "var e: E?", true),
    (
      "enum E: Int, Codable { case x = 1, y = 0 }", "var e: E?", "enum E: Int, Codable { case y, x }", "var e: E?", true
    ),
    ("enum E: Int, Codable { case x, y }", "var e: E?", "enum E: Int, Codable { case y, x }", "var e: E?", false),
    (
      "enum E: Codable { case x(Int), y(n: Int, m: Int) }", "var e: E?",
      "enum E: Codable { case y(n: Int, m: Int), x(Int) }", "var e: E?", true
    ),
    (
      "enum E: Codable { case x(Int), y(n: Int, m: Int) }", "var e: E?",
      "enum E: Codable { case x(Int), y(m: Int, n: Int) }", "var e: E?", false
    ),
    (
      "struct P: Codable { var x: Int; var y: Int }", "var p: P?", "struct P: Codable { var y: Int; var x: Int }",
      "var p: P?", true
    ),
    (
      "struct P: Codable { var x: Int; var y: Int }", "@Attribute(.flattened) var p: P?",
      "struct P: Codable { var y: Int; var x: Int }", "@Attribute(.flattened) var p: P?", false
    ),
    (
      "", "#Index<A>([\\.a, \\.b]); var a: Int = 0; var b: Int = 0", "",
      "#Index<A>([\\.b, \\.a]); var a: Int = 0; var b: Int = 0", false
    ),
  ])
  func countsOrderWhereRowsDependOnIt(
    _ oldTypes: String, _ old: String, _ newTypes: String, _ new: String, isSame: Bool
  ) throws {
    func schema(_ types: String, _ properties: String) throws -> ResolvedSchema {
      try resolve("schema S 1.0.0\n\(types)\n@Model class A { \(properties) }\n")
    }
    let (before, after) = (try schema(oldTypes, old), try schema(newTypes, new))
    #expect((before.fingerprint() == after.fingerprint()) == isSame)
    #expect((before.storageFingerprint() == after.storageFingerprint()) == isSame)
  }

  @Test func storageFingerprintIgnoresTheAPI() throws {
    let changed = base.replacing("var name", with: "public var name")
    #expect(try resolve(changed).storageFingerprint() == resolve(base).storageFingerprint())
  }
}

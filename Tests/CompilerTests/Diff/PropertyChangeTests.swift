import Testing

@Suite struct PropertyChangeTests {
  private func expect(
    _ old: String, _ new: String, _ expected: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expectChanges(
      from: "@Model class A { var keep: Int; \(old) }",
      to: "@Model class A { var keep: Int; \(new) }", expected, sourceLocation: sourceLocation)
  }

  @Test func addedAttributes() throws {
    try expect("", "var a: Int?", ["automatic: attribute 'A.a' added with type 'Int?'"])
    try expect("", "var a: Int = 1", ["automatic: attribute 'A.a' added with type 'Int'"])
    try expect(
      "", "var a: [String: Set<Int>]",
      [
        "needs a fill: attribute 'A.a' added with type '[String: Set<Int>]'"
      ])
    try expect(
      "", "@Transient var a: Int = 1", ["automatic: attribute 'A.a' added with type 'Int'"])
  }

  @Test func removedAttributes() throws {
    try expect("var a: Int", "", ["loses data: attribute 'A.a' removed, its type was 'Int'"])
    try expect(
      "@Transient var a: Int = 1", "",
      [
        "automatic: attribute 'A.a' removed, its type was 'Int'"
      ])
  }

  @Test(arguments: [
    ("Int32", "Int64", "automatic"), ("Int64", "Int32", "needs a fill"),
    ("UInt8", "Int16", "automatic"), ("UInt16", "Int16", "needs a fill"),
    ("Int8", "UInt16", "needs a fill"), ("Int", "Double", "needs a fill"),
    ("Int32", "Double", "automatic"), ("Int", "Duration", "needs a fill"), ("Duration", "Int", "needs a fill"),
    ("Float", "Double", "automatic"),
    ("Double", "Float", "needs a fill"), ("String", "String?", "automatic"),
    ("String?", "String", "needs a fill"), ("Character", "String", "automatic"),
    ("Double?", "Int?", "needs a fill"), ("Set<Int>", "[Int]", "automatic"),
    ("[Int]", "Set<Int>", "needs a fill"),
  ])
  func types(_ old: String, _ new: String, _ effect: String) throws {
    try expect(
      "var a: \(old)", "var a: \(new)",
      ["\(effect): attribute 'A.a': type changed from '\(old)' to '\(new)'"])
  }

  @Test func aDefaultFillsFormerNilValues() throws {
    try expect(
      "var a: Int?", "var a: Int = 2",
      [
        "automatic: attribute 'A.a': type changed from 'Int?' to 'Int'",
        "automatic: attribute 'A.a': default changed from none to '2'",
      ])
    try expect("var a: Int = 1", "var a: Int =   1", [])
  }

  @Test func options() throws {
    try expect(
      "@Attribute(.externalStorage) var a: Data",
      "@Attribute(.preserveValueOnDeletion, hashModifier: \"2\") public private(set) var a: Data",
      [
        "needs a fill: attribute 'A.a': option '.externalStorage' removed",
        "automatic: attribute 'A.a': option '.preserveValueOnDeletion' added",
        "automatic: attribute 'A.a': hash modifier changed from none to '2'",
        "automatic: attribute 'A.a': access changed from none to 'public'",
        "automatic: attribute 'A.a': setter access changed from none to 'private'",
      ])
    try expect(
      "var a: Int = 1", "@Transient var a: Int = 1",
      [
        "loses data: attribute 'A.a' is no longer stored"
      ])
    try expect(
      "@Transient var a: Int = 1", "var a: Int = 1",
      [
        "automatic: attribute 'A.a' was transient and is now stored"
      ])
    try expect(
      "var a: Int", "let a: Int",
      [
        "automatic: attribute 'A.a' is now declared with 'let'"
      ])
    try expect(
      "@Attribute(.codable) var a: Color = .red", "@Attribute(.codable, .json) var a: Color = .red",
      [
        "automatic: attribute 'A.a': storage changed from none to 'json'"
      ])
  }

  @Test func relationships() throws {
    func compare(
      _ old: String, _ new: String, _ expected: [String],
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let rest = "\n@Model class B { var x: Int }\n@Model class C { var x: Int }"
      try expectChanges(
        from: "@Model class A { var keep: Int; \(old) }\(rest)",
        to: "@Model class A { var keep: Int; \(new) }\(rest)", expected,
        sourceLocation: sourceLocation)
    }
    try compare(
      "", "@Relationship(inverse: nil) var b: B",
      [
        "needs code: relationship 'A.b' added with type 'B'"
      ])
    try compare(
      "@Relationship(inverse: nil) var b: [B]", "",
      [
        "loses data: relationship 'A.b' removed, its type was '[B]'"
      ])
    try compare(
      "@Relationship(inverse: nil) var b: [B]",
      "@Relationship(deleteRule: .cascade, inverse: nil) var b: B?",
      [
        "loses data: relationship 'A.b': type changed from '[B]' to 'B?'",
        "automatic: relationship 'A.b': delete rule changed from '.nullify' to '.cascade'",
      ])
    try compare(
      "@Relationship(inverse: nil) var b: B?", "@Relationship(inverse: nil) var b: C?",
      [
        "needs code: relationship 'A.b': destination changed from 'B' to 'C'"
      ])
    try compare(
      "@Relationship(.ordered, maximumModelCount: 3, inverse: nil) var b: [B]",
      "@Relationship(minimumModelCount: 1, maximumModelCount: 4, inverse: nil) var b: [B] = []",
      [
        "needs code: relationship 'A.b': minimum count changed from 'none' to '1'",
        "automatic: relationship 'A.b': maximum count changed from '3' to '4'",
        "loses data: relationship 'A.b' is no longer ordered",
        "automatic: relationship 'A.b': default changed from none to '[]'",
      ])
    try compare(
      "var b: String", "@Relationship(inverse: nil) var b: B?",
      [
        "loses data: attribute 'A.b' removed, its type was 'String'",
        "automatic: relationship 'A.b' added with type 'B?'",
      ])
  }

  @Test func inverses() throws {
    let other = "\n@Model class B { var one: A?; var two: A? }"
    try expectChanges(
      from: "@Model class A { @Relationship(inverse: \\B.one) var b: [B] }" + other,
      to: "@Model class A { @Relationship(inverse: \\B.two) var b: [B] }" + other,
      [
        "needs code: relationship 'A.b': inverse changed from 'one' to 'two'",
        "automatic: relationship 'B.one': inverse changed from 'b' to none",
        "automatic: relationship 'B.two': inverse changed from none to 'b'",
      ])
  }
}

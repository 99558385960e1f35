import SchemaDiagnostics
import SchemaModel
import Testing

/// Typical mistakes of beginners. Each causes a single message, which says what to write.
@Suite struct MistakeTests {
  /// Compares the messages of a build, and the schema after all fixes.
  private func expect(
    _ members: String, _ expected: String, line: String = "schema S 1.0.0\n", fixed: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let file = SourceFile(path: "S.schema", text: line + members)
    let diagnostics = SchemaCompiler.compile([file]).diagnostics
    let text = CompilerRenderer(files: [file], showsLines: true).render(diagnostics)
    #expect(text == expected + "\n", sourceLocation: sourceLocation)
    guard let fixed else { return }
    let result = file.applying(diagnostics.flatMap { $0.fixIts.first?.edits ?? [] }, file: 0)
    #expect(result.text(from: 0, to: result.bytes.count) == "schema S 1.0.0\n" + fixed, sourceLocation: sourceLocation)
    let left = SchemaCompiler.compile([result]).diagnostics
    #expect(left == [], sourceLocation: sourceLocation)
  }

  @Test func theInverseIsMissing() {
    expect(
      #"""
      @Model class Journey { @Relationship(inverse: \Wish.journey) var wishes: [Wish] = [] }
      @Model
      class Wish {
          var title: String  // short
      }
      """#,
      #"""
      S.schema:2:47: error: 'Wish' has no property 'journey' [SYN007 unresolved-reference]
       2 | @Model class Journey { @Relationship(inverse: \Wish.journey) var wishes: [Wish] = [] }
         |                                               ^^^^^^^^^^^^^
      S.schema:2:47: note: add 'var journey: Journey?' to 'Wish'
      """#,
      fixed: #"""
        @Model class Journey { @Relationship(inverse: \Wish.journey) var wishes: [Wish] = [] }
        @Model
        class Wish {
            var title: String  // short
            var journey: Journey?
        }
        """#)
  }

  /// The fix adds a property to a class and keeps the layout of the class.
  @Test(arguments: [
    ("class Wish { var title: String }", "class Wish { var title: String; var journey: Journey? }"),
    ("class Wish {}", "class Wish { var journey: Journey? }"),
    ("class Wish { }", "class Wish { var journey: Journey? }"),
    (
      "class Wish {\r\n\tvar title: String\r\n}\r\n",
      "class Wish {\r\n\tvar title: String\r\n\tvar journey: Journey?\r\n}\r\n"
    ),
    ("  class Wish {\n  }", "  class Wish {\n      var journey: Journey?\n  }"),
  ])
  func theInverseIsAdded(_ before: String, _ after: String) {
    let journey =
      "schema S 1.0.0\n@Model class Journey { @Relationship(inverse: \\Wish.journey) var wish: Wish? }\n@Model "
    let file = SourceFile(path: "S.schema", text: journey + before)
    let fixes = SchemaCompiler.compile([file]).diagnostics.flatMap(\.fixIts)
    #expect(fixes.count == 2)
    #expect(file.applying(fixes[0].edits, file: 0) == SourceFile(path: "S.schema", text: journey + after))
  }

  @Test func theInverseIsMisspelt() {
    expect(
      #"""
      @Model class Journey { @Relationship(inverse: \Wish.jurney) var wishes: [Wish] = [] }
      @Model class Wish { var title: String; var journey: Journey? }
      """#,
      #"""
      S.schema:2:47: error: 'Wish' has no property 'jurney' [SYN007 unresolved-reference]
       2 | @Model class Journey { @Relationship(inverse: \Wish.jurney) var wishes: [Wish] = [] }
         |                                               ^^^^^^^^^^^^
      S.schema:2:47: note: did you mean '\Wish.journey'?
      """#,
      fixed: #"""
        @Model class Journey { @Relationship(inverse: \Wish.journey) var wishes: [Wish] = [] }
        @Model class Wish { var title: String; var journey: Journey? }
        """#)
  }

  /// A mistake at one end of a relationship does not also cause a message about a missing inverse.
  @Test(arguments: [
    ("@Relationship(inverse: \\Wsh.journey) var wishes: [Wish]", "journey: Journey?", "SYN007 2:47"),
    ("@Relationship(inverse: Wish.journey) var wishes: [Wish]", "journey: Journey?", "SYN001 2:47"),
    ("@Relationship(inverse: \\Wish.title) var wishes: [Wish]", "journey: Journey?", "REL003 2:47"),
    ("@Relationship(inverse: \\Wish.trip.title) var wishes: [Wish]", "journey: Journey?", "SYN007 2:47"),
    ("var wishes: [Wish]", "journey: Jurney?", "TYP001 3:53"),
    ("@Relationship(inverse: \\Wish.journey) var wishes: [Wish]", "1 journey: Journey?", "SYN001 3:44"),
    ("@Relationship(inverse: \\Wish.journey) var w: [Wish]", "size: Int { 1\n var journey: Journey?", "SYN001 3:19"),
    ("@Relationship(inverse: \\Wish.journey) var wishes: [Wsih]", "journey: Journey?", "TYP001 2:75"),
    ("@Relationsip(inverse: \\Wish.journey) var wishes: [Wish]; var best: Wish?", "journey: Journey?", "SYN002 2:25"),
  ])
  func everyMistakeCausesASingleMessage(_ here: String, _ there: String, _ expected: String) {
    let text = """
      schema S 1.0.0
      @Model class Journey { \(here) }
      @Model class Wish { var title: String; var \(there) }
      """
    let file = SourceFile(path: "S.schema", text: text)
    let found = SchemaCompiler.compile([file]).diagnostics.filter { $0.severity == .error || $0.id == .missingInverse }
    let places = found.filter { !$0.message.contains("'Journey.best'") }.map { diagnostic in
      let place = LineTable(file).position(at: diagnostic.range.start)
      return "\(diagnostic.id.code) \(place.line):\(place.column)"
    }
    #expect(places == [expected])
  }

  @Test func theModelIsMissing() {
    expect(
      #"""
      @Model class Journey { @Relationship(deleteRule: .cascade, inverse: \Wish.journey) var wishes: [Wish] = [] }
      """#,
      #"""
      S.schema:2:97: error: there is no model 'Wish' [TYP001 unknown-type]
       2 | @Model class Journey { @Relationship(deleteRule: .cascade, inverse: \Wish.journey) var wishes: [Wish] = [] }
         |                                                                                                 ^^^^
      S.schema:2:97: note: declare '@Model class Wish' in this schema, or remove '@Relationship' if 'Wish' is a value type
      """#)
  }

  @Test func aCommaAfterTheLastCase() {
    expect(
      """
      enum Kind: String, Codable {
          case walk, ride,
          case swim,
      }
      @Model class Journey {
          var start: Date,
          var kind: Kind
      }
      """,
      """
      S.schema:3:20: error: expected a case after ',' [SYN001 unexpected-token]
       3 |     case walk, ride,
         |                    ^
      S.schema:3:20: note: remove the ','
      S.schema:4:14: error: expected a case after ',' [SYN001 unexpected-token]
       4 |     case swim,
         |              ^
      S.schema:4:14: note: remove the ','
      S.schema:7:20: error: expected a property after ',' [SYN001 unexpected-token]
       7 |     var start: Date,
         |                    ^
      S.schema:7:20: note: remove the ','
      """,
      fixed: """
        enum Kind: String, Codable {
            case walk, ride
            case swim
        }
        @Model class Journey {
            var start: Date
            var kind: Kind
        }
        """)
  }

  @Test func casesCanContinueOnTheNextLine() throws {
    let schema = try resolve("schema S 1.0.0\nenum Kind: String, Codable {\n  case walk,\n    ride, swim\n}\n")
    #expect(schema.enums.first?.cases.map(\.name) == ["walk", "ride", "swim"])
  }

  /// Options from other languages and libraries.
  @Test(arguments: [
    ("indexed", #"write '#Index<Journey>([\.code])' in the model"#),
    ("primaryKey", "every model has a 'persistentModelID'; write '.unique' if its values must be unique"),
    ("optional", "write '?' after the type"), ("notNull", "a property without '?' is required"),
    ("cascade", "'.cascade' is an option of '@Relationship'"), ("external", "did you mean '.externalStorage'?"),
  ])
  func unknownOptions(_ option: String, _ answer: String) {
    expect(
      "@Model class Journey { @Attribute(.\(option)) var code: String }",
      """
      S.schema:2:35: error: unknown option '.\(option)' of '@Attribute' [SYN002 unknown-keyword]
       2 | @Model class Journey { @Attribute(.\(option)) var code: String }
         |                                   ^\(String(repeating: "^", count: option.count))
      S.schema:2:35: note: \(answer)
      """)
  }

  @Test(arguments: [
    ("Relation", "Relationship", "(inverse: nil) var next: Journey?"), ("Attr", "Attribute", " var next: Int"),
    ("transient", "Transient", " var next: Int = 0"),
  ])
  func unknownAttributes(_ name: String, _ meant: String, _ rest: String) {
    expect(
      "@Model class Journey { @\(name)\(rest) }",
      """
      S.schema:2:25: error: unknown attribute '@\(name)' [SYN002 unknown-keyword]
       2 | @Model class Journey { @\(name)\(rest) }
         |                         \(String(repeating: "^", count: name.count))
      S.schema:2:25: note: did you mean '@\(meant)'?
      """,
      fixed: "@Model class Journey { @\(meant)\(rest) }")
  }

  @Test(arguments: [("String[]", "[String]"), ("Int?[]?", "[Int?]?"), ("[Int][]", "[[Int]]")])
  func arraysOfOtherLanguages(_ type: String, _ meant: String) {
    expect(
      "@Model class Journey { var tags: \(type) }",
      """
      S.schema:2:34: error: an array type is written '\(meant.last == "?" ? String(meant.dropLast()) : meant)' \
      [SYN001 unexpected-token]
       2 | @Model class Journey { var tags: \(type) }
         |                                  \(String(repeating: "^", count: meant.last == "?" ? type.count - 1 : type.count))
      S.schema:2:34: note: write '\(meant.last == "?" ? String(meant.dropLast()) : meant)'
      """,
      fixed: "@Model class Journey { var tags: \(meant) }")
  }

  @Test(arguments: [("integer", "Int"), ("Boolean", "Bool"), ("text", "String"), ("timestamp", "Date")])
  func typesOfOtherLanguages(_ type: String, _ meant: String) {
    expect(
      "@Model class Journey { var value: \(type) }",
      """
      S.schema:2:35: error: unknown type '\(type)' [TYP001 unknown-type]
       2 | @Model class Journey { var value: \(type) }
         |                                   \(String(repeating: "^", count: type.count))
      S.schema:2:35: note: did you mean '\(meant)'?
      """,
      fixed: "@Model class Journey { var value: \(meant) }")
  }

  @Test func aStructAsModel() {
    expect(
      #"""
      @Model struct Journey { #Index<Journey>([\.name]); var name: String; var wishes: [Wish] = [] }
      @Model class Wish { var journey: Journey? }
      """#,
      #"""
      S.schema:2:8: error: '@Model' applies only to classes [SYN005 option-not-applicable]
       2 | @Model struct Journey { #Index<Journey>([\.name]); var name: String; var wishes: [Wish] = [] }
         |        ^^^^^^
      S.schema:2:8: note: write 'class'
      """#,
      fixed: #"""
        @Model class Journey { #Index<Journey>([\.name]); var name: String; var wishes: [Wish] = [] }
        @Model class Wish { var journey: Journey? }
        """#)
  }

  /// Syntax from other languages, each with the message and the source after its fix.
  @Test(arguments: [
    ("@Model class A { name: String }", "expected 'var' before 'name'", "@Model class A { var name: String }"),
    ("struct P: Codable { x: Int }", "expected 'var' before 'x'", "struct P: Codable { var x: Int }"),
    (
      "@Model class A { String name }", "the type of a property follows the name",
      "@Model class A { var name: String }"
    ),
    ("enum E: String { a, b }", "expected 'case' before 'a'", "enum E: String { case a, b }"),
    ("model A { var x: Int }", "unknown word 'model'", "@Model class A { var x: Int }"),
    ("@Model A { var x: Int }", "expected 'class' before 'A'", "@Model class A { var x: Int }"),
    ("@model class A { var x: Int }", "unknown attribute '@model'", "@Model class A { var x: Int }"),
    ("@Model class A { var x: Int = null }", "'null' is written 'nil' in Swift", "@Model class A { var x: Int = nil }"),
    (
      "@Model class A { var x = 'a \"b\"' }", "a string must be enclosed in '\"'",
      #"@Model class A { var x = "a \"b\"" }"#
    ),
    (
      "@Model class A { @Unique var x: Int }", "unknown attribute '@Unique'",
      "@Model class A { @Attribute(.unique) var x: Int }"
    ),
    (
      "@Model class A { @Attribute(unique) var x: Int }", "expected an option of '@Attribute' like '.unique'",
      "@Model class A { @Attribute(.unique) var x: Int }"
    ),
    (
      "@Model class A { @Relationship(deleteRule: cascade, inverse: nil) var a: A? }",
      "'deleteRule' must be '.nullify', '.cascade', '.deny' or '.noAction'",
      "@Model class A { @Relationship(deleteRule: .cascade, inverse: nil) var a: A? }"
    ),
    (
      "@Model class A { @Relationship(inverse: A.bs) var a: A?; var bs: [A] }",
      #"'inverse' must be a key path such as '\Trip.items', or nil"#,
      #"@Model class A { @Relationship(inverse: \A.bs) var a: A?; var bs: [A] }"#
    ),
    (
      #"@Model class A { #Unique<A>(\.x); var x: Int }"#,
      #"'#Unique' takes lists of key paths like '[\.name, \.date]'"#,
      #"@Model class A { #Unique<A>([\.x]); var x: Int }"#
    ),
  ])
  func formsOfOtherLanguages(_ text: String, _ message: String, _ fixed: String) {
    let start = "schema S 1.0.0\n"
    let file = SourceFile(path: "S.schema", text: start + text)
    let found = SchemaCompiler.compile([file]).diagnostics
    #expect(found.map(\.message) == [message])
    #expect(
      file.applying(found.flatMap { $0.fixIts.flatMap(\.edits) }, file: 0)
        == .init(path: "S.schema", text: start + fixed))
  }

  @Test func aMisspeltSchemaLine() {
    expect(
      "",
      "S.schema:1:1: error: unknown word 'Schema' [SYN002 unknown-keyword]\n 1 | Schema S 1.0.0\n   | ^^^^^^\nS.schema:1:1: note: did you mean 'schema'?",
      line: "Schema S 1.0.0\n", fixed: "")
  }

  /// Values in a wrong form, each with the value that was meant.
  @Test(arguments: [
    ("Bool", #""no""#, "false"), ("Bool", "1", "true"), ("Bool?", #""Yes""#, "true"), ("Int", #""12""#, "12"),
    ("Double", #""1.5""#, "1.5"), ("Decimal", #""-3""#, "-3"), ("String", "7", #""7""#), ("Kind", #""ride""#, ".ride"),
    ("[Int]", "nil", "[]"), ("Set<Int>", "[:]", "[]"), ("[String: Int]", "[]", "[:]"),
  ])
  func valuesInAnotherNotation(_ type: String, _ value: String, _ meant: String) {
    let rest = "\nenum Kind: String, Codable { case walk, ride }"
    let line = "@Model class Journey { var value: \(type) = \(value) }"
    let column = 38 + type.count
    expect(
      line + rest,
      """
      S.schema:2:\(column): error: '\(value)' is not a value of type '\(type)' [TYP002 default-type-mismatch]
       2 | \(line)
         | \(String(repeating: " ", count: column - 1))\(String(repeating: "^", count: value.count))
      S.schema:2:\(column): note: write '\(meant)'
      """,
      fixed: "@Model class Journey { var value: \(type) = \(meant) }" + rest)
  }

  /// The note for a value that cannot be converted.
  @Test(arguments: [
    ("Bool", #""maybe""#, "write a value such as 'false'"), ("Date", #""2026-11-29""#, "write a value such as '.now'"),
    ("Int", "1.5", "write a value such as '0'"), ("Int", "nil", "write a value such as '0', or 'Int?' as the type"),
    ("UInt8", #""300""#, "write a value such as '0'"), ("Double", #""1.""#, "write a value such as '0'"),
    ("Kind", "0", "write a value such as '.walk'"), ("Place", #""x""#, "write a value such as 'Place(…)'"),
    ("[Int]", "0", "write a value such as '[]'"), ("Int8", "300", "write a number from -128 to 127"),
  ])
  func valuesOfAnotherType(_ type: String, _ value: String, _ note: String) {
    let text = """
      schema S 1.0.0
      @Model class Journey { var value: \(type) = \(value) }
      enum Kind: String, Codable { case walk, ride }
      struct Place: Codable { var x: Int }
      """
    let file = SourceFile(path: "S.schema", text: text)
    let found = SchemaCompiler.compile([file]).diagnostics
    #expect(found.map(\.help) == [note])
    #expect(found.allSatisfy { $0.fixIts.isEmpty })
  }

  /// The values that messages recommend.
  @Test(arguments: ScalarType.allCases) func recommendedExamplesAreValid(_ type: ScalarType) throws {
    let schema = try resolve("schema S 1.0.0\n@Model class A { var a: \(type.rawValue) = \(type.traits.example) }")
    let other = ScalarType.allCases.first { $0 != type && $0.traits.example != type.traits.example }
    #expect(other != nil && schema.entity("A")?.attribute("a")?.type == .scalar(type))
  }
}

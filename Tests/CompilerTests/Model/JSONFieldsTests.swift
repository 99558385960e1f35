import SchemaDiagnostics
import SchemaModel
import Testing

/// Tests of the recorded types of values inside JSON.
@Suite struct JSONFieldsTests {
  private func fields(_ compilation: SchemaCompilation) throws -> [String: String] {
    try #require(!compilation.hasErrors, "\(compilation.diagnostics.map(\.message))")
    let schema = try #require(compilation.schemas.first)
    let all = JSONFields(schema)
    var found: [String: String] = [:]
    for entity in schema.entities {
      for case .attribute(let attribute) in entity.properties { found[attribute.name] = all.text(of: attribute) }
    }
    return found
  }

  /// Returns the fields of a model in a Swift file that uses types from other files.
  private func fields(swift types: String..., properties: String) throws -> [String: String] {
    let texts = types + ["@Model class A {\n  \(properties)\n  init() {}\n}\n"]
    let files = texts.enumerated().map { SourceFile(path: "/\($0.offset).swift", text: $0.element) }
    let sources = SwiftSources(files, schemaName: "App")
    return try fields(SchemaCompiler.compile(sources.schemaFiles, types: sources.types))
  }

  @Test func typesOfSchemaFiles() throws {
    let text = """
      schema S 1.0.0
      struct Leg: Codable { var at: Date; var stop: Stop?; let kind = 1; var mode: Mode? }
      struct Stop: Codable { var name: String; enum CodingKeys: String, CodingKey { case name = "n =" } }
      enum Mode: String, Codable { case rail }
      enum Due: Codable { case never, at(Date), on(day: [Int], Leg) }
      struct Own: Codable { var x: Int; init(from decoder: any Decoder) throws { x = 1 } }
      @Model class A {
        var legs: [Leg]
        var due: Due
        var byName: [String: Stop]
        var own: Own
        var plain: [Date]
        var mode: Mode
        @Attribute(.flattened) var stop: Stop
        @Transient var never: Leg? = nil
      }
      """
    let leg = "Leg(at=Date stop=Optional<Stop> mode=Optional<String>);Stop(n%20.%3d.=String)"
    #expect(
      try fields(SchemaCompiler.compile([SourceFile(path: "/S.schema", text: text)])) == [
        "legs": "Array<Leg>;" + leg, "due": "Due;Due(at._0=Date on.day=Array<Int> on._1=Leg);" + leg,
        "byName": "Dictionary<String,Stop>;Stop(n%20.%3d.=String)",
      ])
  }

  @Test func typesOfSwiftFiles() throws {
    let types = """
      import Foundation
      typealias Moment = Foundation.Date
      public struct Leg: Codable, Hashable {
        var at: Moment, until: Date? = nil
        var place = Place.Name(text: "x")
        var count = 3
        static let shared = Leg()
        var length: Double { Double(count) }
        @Clamped var level: Int = 0
        lazy var cached: Int = 3
        var kind: Kind
        var subject: Unknown
        func f() -> Int { 1 }
        subscript(index: Int) -> Int { index }
        init() { at = .now }
        private struct Hidden { var x: Int }
      }
      enum Kind: Int, Codable { case a }
      struct Place { struct Name: Codable { var text: String { didSet {} } } }
      indirect enum Tree: Codable { case leaf(Data), node(left: Tree, Tree) }
      """
    #expect(
      try fields(
        swift: types,
        properties: "var legs: [Leg] = []; var tree: Tree?; var name: [String: Place.Name] = [:]; var kind = Kind.a"
      ) == [
        "legs":
          "Array<Leg>;Leg(at=Date until=Optional<Date> place=Place.Name count=Int level=_ kind=Int subject=_);"
          + "Place.Name(text=String)",
        "tree": "Optional<Tree>;Tree(leaf._0=Data node.left=Tree node._1=Tree)",
        "name": "Dictionary<String,Place.Name>;Place.Name(text=String)",
      ])
  }

  /// Handwritten coding may read a value differently.
  @Test(arguments: [
    "struct T: Codable { var x: Date; init(from decoder: any Decoder) throws { x = .now } }",
    "struct T: Codable { var x: Date }; extension T { init(from decoder: Decoder) throws { x = .now } }",
    "struct T { var x: Date }; extension T: Codable { enum CodingKeys: String, CodingKey { case x } }",
    "struct T: Codable { var x: Date; enum CodingKeys: Int, CodingKey { case x } }",
    "struct T: RawRepresentable, Codable { var rawValue: Date }", "struct T: OptionSet, Codable { let rawValue: Int }",
    "struct T: Coded { var x: Date }", "struct T: Codable, Library.Coded { var x: Date }",
    "protocol P: Codable {}; extension P { init(from decoder: Decoder) throws { f() } }; struct T: P { var x: Date }",
    "protocol P: Q {}; protocol Q: Other {}; struct T: Codable, P { var x: Date }",
    "@Coded struct T: Codable { var x: Date }", "struct T<Value: Codable>: Codable { var x: Date }",
    "#if DEBUG\nstruct T: Codable { var x: Date }\n#endif", "struct T: Codable {\n#if DEBUG\nvar x: Date\n#endif\n}",
    "final class T: Codable { var x: Date = .now }", "enum T: String, Codable { case x }",
    "enum T: Codable { case x(Date); enum CodingKeys: String, CodingKey { case x = \"y\" } }",
    "struct T: Codable { var x: Unknown }", "struct T: Codable { var (x, y): (Date, Date) }",
  ])
  func otherTypesAreNotRecorded(_ types: String) throws {
    let found = try fields(swift: "import Foundation\n" + types, properties: "var t: T? = nil")
    #expect(found["t"]?.replacing("x=_", with: "").contains("x=") != true, "\(found)")
  }

  @Test(arguments: [
    "struct T: Codable, Sendable { var x: Date }", "struct T { var x: Date }; extension T: Codable {}",
    "protocol P: Codable { func f() }; extension P { func f() {} }; struct T: P { var x: Date }",
    "struct T: Codable { var x: Date; init(text: String) { x = .now } }",
    "@frozen public struct T: Codable { var x: Date }",
  ])
  func synthesizedTypesAreRecorded(_ types: String) throws {
    #expect(try fields(swift: types, properties: "var t: T? = nil") == ["t": "Optional<T>;T(x=Date)"])
  }

  /// A schema file uses a struct from a Swift file of the same target.
  @Test func schemaFilesWithTypesOfSwiftFiles() throws {
    let swift = SwiftSources(
      [SourceFile(path: "/a.swift", text: "struct T: Codable { var x: Date }\n@Model class B { init() {} }")],
      schemaName: "App")
    let text = "schema S 1.0.0\n@Model class A { @Attribute(.codable) var t: [T] = [] }\n"
    let compilation = SchemaCompiler.compile([SourceFile(path: "/S.schema", text: text)], types: swift.types)
    #expect(try fields(compilation) == ["t": "Array<T>;T(x=Date)"])
  }
}

import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import Testing

/// Tests of properties without a stated type whose default value is a static property of a type in a Swift file.
struct StaticPropertyTests {
  private static let declarations = """
    import Foundation
    enum Defaults {
      static let name = "x"
      static var count: Int { 3 }
      static let ratio: Double = 1, level = 2
      static let limit = Limit(value: 1)
      static let same: Limit = .init(value: 2), `default` = Limit(value: 3)
      static let moment: Date? = nil
      static let list: [Int] = [1]
      static let loop = Defaults.loop
      static let far = Other.far
      static let long =
        "two lines"
      let number = 1
      static public let shared = 4
      static nonisolated(unsafe) let text = "d"
      private(set) static var words = [""]
      static let first = "x", second = 1.5
      static let daily = 50; static var weekly: Int { daily * 7 }
      static func label() -> String; func other()
      static func make(_ x: Int) -> String { "" }
      static func makeLimit() -> Limit { Limit(value: 1) }
      static func nothing() {}
      func make2() -> String { "" }
      enum Inner { static let hidden = "" }
    }
    struct Limit: Codable { var value: Int; static let none = Limit(value: 0); static let text = "t" }
    extension Limit {
      static let labels: [String] = [
        "a"
      ]
      static let long = [
        "a"
      ]
    }
    extension Limit { static func own() throws -> Limit { none }; static func other() -> Limit { none } }
    extension Limit: Titled {}
    protocol Titled {}
    extension Titled { static var title: String { "" } }
    typealias Bound = Limit
    enum Shape: Codable { case dot, circle(Int); indirect case box(Shape); static let names = 1 }
    enum Kind: String, Codable { case a, b; static let first = Kind.a; static let label = "l" }
    extension Kind { static let last: Self = .b; static var top: Self { .a } }
    """

  private func type(_ value: String) throws -> (type: ValueType?, codes: [String]) {
    let model = "@Model class A {\n  var value = \(value)\n  init() {}\n}\n"
    let files = [Self.declarations, model].enumerated().map {
      SourceFile(path: "/\($0.offset).swift", text: $0.element)
    }
    let sources = SwiftSources(files, schemaName: "App")
    let compilation = SchemaCompiler.compile(sources.schemaFiles, types: sources.types)
    let properties = compilation.schemas.flatMap(\.entities).flatMap(\.properties)
    let types = properties.compactMap { property -> ValueType? in
      if case .attribute(let attribute) = property { attribute.type } else { nil }
    }
    return (types.first, compilation.diagnostics.map(\.id.code))
  }

  @Test(
    arguments: [
      ("Defaults.name", .scalar(.string)), ("Defaults.count", .scalar(.int)), ("Defaults.ratio", .scalar(.double)),
      ("Defaults.moment", .optional(.scalar(.date))), ("Defaults.list", .array(.scalar(.int))),
      ("Limit.none", .opaque("Limit")), ("Limit.text", .scalar(.string)), ("Limit.labels", .array(.scalar(.string))),
      ("Kind.label", .scalar(.string)),
      ("Kind.first", .opaque("Kind")), ("Kind.b", .opaque("Kind")), ("Kind.last", .opaque("Kind")),
      ("Kind.top", .opaque("Kind")), ("Defaults.shared", .scalar(.int)), ("Defaults.text", .scalar(.string)),
      ("Defaults.words", .array(.scalar(.string))), ("Defaults.second", .scalar(.double)),
      ("Defaults.level", .scalar(.int)), ("Defaults.daily", .scalar(.int)), ("Defaults.label()", .scalar(.string)),
      ("Defaults.make(1)", .scalar(.string)), ("Limit.other()", .opaque("Limit")),
      ("Bound.text", .scalar(.string)), ("Bound.none", .opaque("Limit")), ("Shape.dot", .opaque("Shape")),
      ("Shape.circle(1)", .opaque("Shape")), ("Shape.box(.dot)", .opaque("Shape")), ("Shape.names", .scalar(.int)),
    ] as [(String, ValueType)])
  func typesOfStaticProperties(value: String, type: ValueType) throws {
    let found = try self.type(value)
    #expect(found.type?.declared == type && !found.codes.contains("TYP001"), "\(found)")
  }

  @Test(arguments: [
    "Defaults.loop", "Defaults.limit", "Defaults.same", "Defaults.far", "Defaults.long", "Defaults.number",
    "Defaults.hidden", "Limit.long", "Kind.allCases", "Defaults.makeLimit()", "Defaults.nothing()", "Defaults.make2()",
    "Limit.title", "Bound.title", "Limit.own()", "Kind(rawValue: \"a\")", "Int(\"3\")", "URL(string: \"x\")",
    "UUID(uuidString: Defaults.name)",
  ])
  func otherTypesMustBeExplicit(value: String) throws {
    let found = try type(value)
    #expect(found.type == nil && !found.codes.isEmpty, "\(found)")
  }
}

extension ValueType {
  /// The type as it is written, without details from its declaration.
  fileprivate var declared: ValueType {
    switch self {
    case .enumeration(let name), .structure(let name): .opaque(name)
    default: self
    }
  }
}

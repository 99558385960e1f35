import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import Testing

/// Properties without a type whose value is a static property of a type in a Swift file.
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
    enum Kind: String, Codable { case a, b; static let first = Kind.a; static let label = "l" }
    extension Kind { static let last: Self = .b }
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
      ("Kind.first", .opaque("Kind")), ("Kind.b", .opaque("Kind")),
    ] as [(String, ValueType)])
  func types(value: String, type: ValueType) throws {
    let found = try self.type(value)
    #expect(found.type?.declared == type && !found.codes.contains("TYP001"), "\(found)")
  }

  @Test(arguments: [
    "Defaults.loop", "Defaults.limit", "Defaults.same", "Defaults.far", "Defaults.long", "Defaults.number",
    "Defaults.hidden", "Limit.long", "Kind.last", "Kind.allCases",
  ])
  func otherTypesHaveToBeWritten(value: String) throws {
    let found = try type(value)
    #expect(found.type == nil && !found.codes.isEmpty, "\(found)")
  }
}

extension ValueType {
  /// The type without what is known of it.
  fileprivate var declared: ValueType {
    switch self {
    case .enumeration(let name), .structure(let name): .opaque(name)
    default: self
    }
  }
}

import Testing

@testable import SchemaEmitter

/// Default values in Swift files.
extension SwiftFileTests {
  /// `.none` would mean nil for an optional property, so the enum case is not abbreviated.
  @Test func casesNamedLikeOptionalMembers() throws {
    let (messages, files) = try run(
      """
      enum Filter: String, Codable { case none, all }
      @Model class Trip { var a: Filter? = Filter.none; var b = Filter.none; var c: Filter? = Filter.all; init() {} }
      """)
    #expect(messages.isEmpty, "\(messages)")
    let models = try #require(files["A+Models.swift"])
    for value in ["a: Trip._$default_a()", "b: .none", "c: .all"] { #expect(models.contains(value), "\(models)") }
  }

  @Test func nilForANonOptionalType() throws {
    let (messages, files) = try run(
      """
      enum JSON: Codable, ExpressibleByNilLiteral { case null; init(nilLiteral: ()) { self = .null } }
      @Model class Trip { var a: JSON = nil; var b: JSON? = nil; init() {} }
      """)
    #expect(messages.isEmpty, "\(messages)")
    #expect(files["A+Models.swift"]?.contains("a: Trip._$default_a()") == true)
    #expect(files["A+Codecs.swift"]?.contains("b: JSON? = nil") == true)
  }

  /// A static member in an extension may be private, so generated code does not name it.
  @Test func membersOfExtensions() throws {
    let (messages, files) = try run(
      """
      private extension String { static let untitled = "Untitled" }
      private extension Kind { static let first = Kind.a }
      enum Kind: String, Codable { case a }
      @Model class Trip {
        var a: String = .untitled; var b: Kind = .first; var c: Kind = .a; var d: Date = .now; var e: Int = .max
        init() {}
      }
      """)
    #expect(messages.isEmpty, "\(messages)")
    let codecs = try #require(files["A+Codecs.swift"])
    let values = ["a: String = Trip._$default_a()", "b: Kind = Trip._$default_b()", "c: Kind = .a", "d: Date = .now"]
    for value in values + ["e: Int = .max"] { #expect(codecs.contains(value), "\(codecs)") }
  }

  /// A postfix operator ends a value, so the next line begins another member.
  @Test func postfixOperators() throws {
    let (messages, files) = try run(
      """
      @Model class Trip {
        static let ages = 18...
        #Unique<Trip>([\\.name])
        var range: PartialRangeFrom<Int> = 0...
        var name: String = "n"
        var sum: Int = 1 +
          2
        var far: Bool = 1 >=
          2
        init() {}
      }
      """)
    #expect(!messages.contains("error"), "\(messages)")
    let models = try #require(files["A+Models.swift"])
    for part in ["range", "name", "sum", "far"] { #expect(models.contains("_$property_\(part)"), "\(part) \(models)") }
    #expect(models.contains("Schema.Unique<"), "\(models)")
  }
}

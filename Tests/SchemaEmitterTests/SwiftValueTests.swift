import Testing

@testable import SchemaEmitter

/// Default values in Swift files.
extension SwiftFileTests {
  /// `.none` of an optional type is nil.
  @Test func casesWithNamesOfMembersOfOptionals() throws {
    let (messages, files) = try run(
      """
      enum Filter: String, Codable { case none, all }
      @Model class Trip { var a: Filter? = Filter.none; var b: Filter = Filter.none; var c: Filter? = Filter.all }
      """)
    #expect(messages.isEmpty, "\(messages)")
    let models = try #require(files["A+Models.swift"])
    for value in ["a: Trip._$default_a()", "b: .none", "c: .all"] { #expect(models.contains(value), "\(models)") }
  }

  @Test func nilOfATypeThatIsNotOptional() throws {
    let (messages, files) = try run(
      """
      enum JSON: Codable, ExpressibleByNilLiteral { case null; init(nilLiteral: ()) { self = .null } }
      @Model class Trip { var a: JSON = nil; var b: JSON? = nil }
      """)
    #expect(messages.isEmpty, "\(messages)")
    #expect(files["A+Models.swift"]?.contains("a: Trip._$default_a()") == true)
    #expect(files["A+Codecs.swift"]?.contains("b: JSON? = nil") == true)
  }
}

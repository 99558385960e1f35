import Testing

/// Public types, and the functions that beginners call, have an example in their documentation. `ExampleTests` compiles
/// the examples.
@Suite struct ExampleCoverageTests {
  /// Types whose functions beginners call.
  private static let owners: Set<String> = [
    "ModelContext", "ModelContainer", "FetchDescriptor", "ModelConfiguration", "MigrationStage", "MigrationSteps",
    "MigrationRows", "ResultsObserver", "HistoryObserver", "RelationshipQuery", "ModelHistory", "SQLQuery", "Schema",
    "ModelActor", "PersistentModel", "PostgresConfiguration", "PostgresMigration",
  ]
  /// Members that the example of their property or overload covers, and requirements of standard protocols.
  private static let members: Set<String> = ["getValue", "setValue", "hash", "encode", "deinit"]
  /// Nested helper types that the examples of their parents cover.
  private static let helpers: Set<String> = ["CodingKeys", "Token", "GeneratedCode1"]

  private struct Declaration {
    var owner: String?
    var name: String
    var isType: Bool
    var place: String
    var hasExample: Bool
  }

  @Test func everyPublicTypeHasAnExample() throws {
    let exempt = try Self.typesForGeneratedCode().union(Self.helpers)
    let types = try Self.declarations().filter(\.isType)
    #expect(types.count > 150)
    for type in types where !type.hasExample && !exempt.contains(type.name) && !exempt.contains(type.owner ?? "") {
      Issue.record("\(type.place): the documentation of '\(type.name)' has no example")
    }
  }

  @Test func everyBeginnerFunctionHasAnExample() throws {
    let functions = try Self.declarations().filter { !$0.isType && Self.owners.contains($0.owner ?? "") }
    #expect(functions.count > 90)
    for function in functions where !function.hasExample && !Self.members.contains(function.name) {
      Issue.record("\(function.place): the documentation of '\(function.name)' has no example")
    }
  }

  /// Returns the types in the last table of the article on public types.
  private static func typesForGeneratedCode() throws -> Set<String> {
    let article = try #require(try Articles.named("PublicTypes"))
    let lines = article.lines.drop { $0 != "### Types that generated code and macros use" }
    #expect(lines.count > 20)
    let rows = lines.filter { $0.hasPrefix("| ``") }
    return Set(rows.map { row in String(row.drop { "| `".contains($0) }.prefix { $0 != "`" }) })
  }

  private static func declarations() throws -> [Declaration] {
    try (SourceTree.files(below: "Sources/Runtime") + SourceTree.files(below: "Sources/Testing"))
      .filter { !$0.path.contains("/SwiftData/") }.flatMap(declarations)
  }

  private static func declarations(in file: SourceTree.File) -> [Declaration] {
    var enclosing: [(indent: Int, name: String)] = []
    var result: [Declaration] = []
    for (index, line) in file.lines.enumerated() {
      let words = line.split { " (:<{".contains($0) }
      let indent = line.prefix { $0 == " " }.count
      guard let keyword = words.first(where: { Self.kinds.contains($0) }), !words[0].hasPrefix("//"),
        let name = words.drop(while: { $0 != keyword }).dropFirst().first, name != "func", name != "var"
      else { continue }
      let isType = keyword != "func" && keyword != "init" && keyword != "extension"
      enclosing.removeAll { $0.indent >= indent }
      let isPublic = words.prefix { $0 != keyword }.contains { $0 == "public" || $0 == "open" }
      let title = keyword == "init" ? "init" : String(name)
      if isPublic, keyword != "extension", !title.hasPrefix("_"), words.first != "class" || isType {
        result.append(
          Declaration(
            owner: enclosing.last?.name, name: title, isType: isType, place: "\(file.path):\(index + 1)",
            hasExample: hasExample(above: index, file.lines)))
      }
      if isType || keyword == "extension" {
        enclosing.append((indent, String(name.split(separator: ".").last ?? name)))
      }
    }
    return result
  }

  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "macro", "extension", "func", "init",
  ]

  /// True if the documentation comment above a declaration, and above its attributes, has a code block.
  private static func hasExample(above index: Int, _ lines: [Substring]) -> Bool {
    var above = index - 1
    while above >= 0 {
      let text = lines[above].drop { $0 == " " }
      if text.hasPrefix("/// ```swift") { return true }
      guard text.hasPrefix("///") || text.hasPrefix("@") || text.hasPrefix("#") || isAttribute(above, lines) else {
        return false
      }
      above -= 1
    }
    return false
  }

  /// True for a line of an attribute with several lines.
  private static func isAttribute(_ index: Int, _ lines: [Substring]) -> Bool {
    let before = lines[..<index].suffix(6).reversed()
    guard let first = before.first(where: { $0.drop { $0 == " " }.hasPrefix("@") }) else { return false }
    return !first.contains(")") && lines[index].contains { ",:)".contains($0) }
  }
}

import Testing

@testable import MacroExpansion

/// Tests of the expansion of `@ModelActor`.
@Suite struct ModelActorTests {
  private static func expansion(
    _ declaration: String, role: String = "member", type: String? = nil, conformances: String? = nil
  ) throws(MacroError) -> String {
    func syntax(_ text: String) -> SourceSyntax {
      SourceSyntax(source: text, location: .init(fileName: "a", offset: 0))
    }
    return try ModelActorMacro.expansion(
      AttachedRequest(
        macro: MacroReference(moduleName: "TrellisMacros", typeName: "ModelActorMacro", name: "ModelActor"),
        macroRole: role, attributeSyntax: syntax("@ModelActor"), declSyntax: syntax(declaration),
        extendedTypeSyntax: type.map(syntax), conformanceListSyntax: conformances.map(syntax)))
  }

  @Test func members() throws {
    #expect(
      try Self.expansion("@ModelActor actor Importer { func run() {} }") == """
        nonisolated let modelExecutor: any Trellis::ModelExecutor
        nonisolated let modelContainer: Trellis::ModelContainer
        init(modelContainer: Trellis::ModelContainer) {
          self.modelExecutor = Trellis::DefaultSerialModelExecutor(modelContext: Trellis::ModelContext(modelContainer))
          self.modelContainer = modelContainer
        }
        """)
  }

  /// The members have the same access level as the actor.
  @Test(arguments: [
    ("public final actor A {}", "public "), ("@available(macOS 14, *)\n@Other(a: [1]) package actor A {}", "package "),
    ("internal actor A {}", ""), ("private actor A {}", ""), ("/* public */ actor A {}", ""),
  ]) func access(_ declaration: String, _ access: String) throws {
    let lines = try Self.expansion(declaration).split(separator: "\n").filter { !$0.hasPrefix(" ") && $0 != "}" }
    #expect(lines.count == 3)
    for line in lines { #expect(line.hasPrefix(access + "nonisolated") || line.hasPrefix(access + "init")) }
  }

  @Test(arguments: [
    ("init(modelContainer: ModelContainer) {}", false),
    ("init(modelContainer container: ModelContainer, b: Int = 1) {}", true),
    ("init(container: ModelContainer) {}", true), ("func run() { self.init(modelContainer: x) }", true), ("", true),
    ("struct Inner { init(modelContainer: Int) {} }", true),
  ]) func ownInitializer(_ member: String, _ isAdded: Bool) throws {
    #expect(try Self.expansion("actor A { \(member) }").contains("init(modelContainer: ") == isAdded)
  }

  @Test func conformance() throws {
    #expect(
      try Self.expansion("actor A {}", role: "extension", type: "Outer.A", conformances: "ModelActor")
        == "extension Outer.A: Trellis::ModelActor {}")
    #expect(try Self.expansion("actor A: ModelActor {}", role: "extension", type: "A").isEmpty)
  }

  @Test(arguments: ["class", "struct", "enum"]) func otherTypes(_ keyword: String) throws {
    let source = "@ModelActor public \(keyword) A {}"
    let error = try #require(throws: MacroError.self) { try Self.expansion(source) }
    #expect(error.message == "'@ModelActor' needs an actor; write 'actor' instead of '\(keyword)'")
    #expect(String(decoding: Array(source.utf8)[error.range], as: UTF8.self) == keyword)
    #expect(try Self.expansion(source, role: "extension", type: "A", conformances: "ModelActor").isEmpty)
  }
}

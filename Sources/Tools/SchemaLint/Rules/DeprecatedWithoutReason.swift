import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// DOC003
struct DeprecatedWithoutReason: LintRule {
  static let id = DiagnosticID("DOC003", "deprecated-without-reason")
  static let severity = Severity.warning
  static let summary = "A deprecation names the replacement."
  static let why = "Every use produces a compiler warning that suggests no replacement."
  static let remedy = "Add 'message:' or 'renamed:' to '@available'."
  static let fix = FixKind.add
  static let presence = RulePresence.comments
  static let example: RuleExample? = RuleExample(
    bad: "schema Trips 1.0.0\n@available(*, deprecated)\n@Model class Trip { var name: String }\n",
    good:
      "schema Trips 1.0.0\n@available(*, deprecated, renamed: \"Journey\")\n@Model class Trip { var name: String }\n")

  func run(in context: inout LintContext) {
    for entity in context.schema.entities {
      check(context.sources.declaration(entity.range), entity.name, &context)
      for property in entity.properties {
        check(context.sources.property(property.range)?.declaration, "\(entity.name).\(property.name)", &context)
      }
    }
    for type in context.schema.enums { check(context.sources.declaration(type.range), type.name, &context) }
    for type in context.schema.structs { check(context.sources.declaration(type.range), type.name, &context) }
  }

  private func check(_ declaration: DeclarationSyntax?, _ name: String, _ context: inout LintContext) {
    guard let range = declaration?.attributes.lazy.compactMap(Self.deprecation).first else { return }
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: range, "'\(name)' is deprecated, but no replacement is given",
        help: "add 'message:' or 'renamed:'"))
  }

  /// Returns the range of a deprecation that has no message.
  private static func deprecation(_ attribute: AttributeSyntax) -> SourceRange? {
    guard attribute.name == "available" else { return nil }
    let tree = attribute.node.tree
    let tokens = attribute.node.firstToken..<attribute.node.tokenEnd
    guard !tokens.contains(where: { ["message", "renamed"].contains(tree.text(ofToken: $0)) }) else { return nil }
    return tokens.first { tree.text(ofToken: $0) == "deprecated" }.map { tree.range(ofToken: $0) }
  }
}

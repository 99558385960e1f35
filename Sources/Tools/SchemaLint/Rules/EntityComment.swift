import SchemaDiagnostics
import SchemaModel

/// DOC001
struct EntityComment: LintRule {
  static let id = DiagnosticID("DOC001", "entity-comment")
  static let severity = Severity.info
  static let summary = "Every model, enum and struct has a comment."
  static let why = "The comment becomes the generated class's only documentation."
  static let remedy = "Add a '///' comment before the declaration."
  static let presence = RulePresence.comments
  static let example: RuleExample? = RuleExample(
    bad: "schema Trips 1.0.0\n@Model class Trip { var name: String }\n",
    good: "schema Trips 1.0.0\n/// A journey someone plans.\n@Model class Trip { var name: String }\n")

  func run(in context: inout LintContext) {
    let schema = context.schema
    for entity in schema.entities { check(entity.name, entity.documentation, entity.range, &context) }
    for type in schema.enums { check(type.name, type.documentation, type.range, &context) }
    for type in schema.structs { check(type.name, type.documentation, type.range, &context) }
  }

  private func check(
    _ name: String, _ documentation: [String], _ range: SourceRange, _ context: inout LintContext
  ) {
    guard documentation.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) else { return }
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: range, "'\(name)' has no documentation comment",
        help: "add a '///' comment before it"))
  }
}

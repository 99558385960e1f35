import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// HIS005
struct PreserveSensitive: AttributeRule {
  static let id = DiagnosticID("HIS005", "preserve-sensitive")
  static let severity = Severity.warning
  static let summary = "What is worth encrypting does not outlive its object."
  static let why = """
    Whoever deletes a person means what is known of the person as well. A preserved value stays in the \
    history, which is not encrypted, until somebody prunes it.
    """
  static let remedy = "Preserve a number that says nothing by itself, and not the value."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .history
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Person {
        @Attribute(.unique, .preserveValueOnDeletion) var number: Int
        @Attribute(.allowsCloudEncryption, .preserveValueOnDeletion) var birthday: Date  // schema:ignore TYP024 -- shared with SwiftData
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Person {
        @Attribute(.unique, .preserveValueOnDeletion) var number: Int
        @Attribute(.allowsCloudEncryption) var birthday: Date  // schema:ignore TYP024 -- shared with SwiftData
      }
      """#)

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard let preservation = context.preservation(of: attribute), attribute.options.contains(.allowsCloudEncryption)
    else { return }
    context.report(.preserveSensitive(attribute, preservation.range, preservation.removal))
  }
}

extension Diagnostic {
  fileprivate static func preserveSensitive(
    _ attribute: ResolvedAttribute, _ range: SourceRange, _ edit: TextEdit?
  ) -> Self {
    Self(
      PreserveSensitive.id, PreserveSensitive.severity, at: range,
      "'\(attribute.name)' is worth encrypting, and stays readable in the history after its object is deleted",
      help: "preserve a number that says nothing by itself",
      fixIts: edit.map { [FixIt("do not preserve '\(attribute.name)'", [$0])] } ?? [])
  }
}

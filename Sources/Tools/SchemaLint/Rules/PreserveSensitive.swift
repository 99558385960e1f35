import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// HIS005
struct PreserveSensitive: AttributeRule {
  static let id = DiagnosticID("HIS005", "preserve-sensitive")
  static let severity = Severity.warning
  static let summary = "A sensitive value is deleted together with the object."
  static let why = """
    Deleting a person should also delete personal data. A preserved value remains in the history, which is \
    not encrypted, until the history is pruned.
    """
  static let remedy = "Preserve an opaque identifier instead."
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
      "'\(attribute.name)' is sensitive, but remains readable in the history after the object is deleted",
      help: "preserve an opaque identifier instead",
      fixIts: edit.map { [FixIt("do not preserve '\(attribute.name)'", [$0])] } ?? [])
  }
}

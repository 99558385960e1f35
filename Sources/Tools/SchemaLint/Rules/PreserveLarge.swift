import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// HIS004
struct PreserveLarge: AttributeRule {
  static let id = DiagnosticID("HIS004", "preserve-large")
  static let severity = Severity.warning
  static let summary = "A value preserved on deletion is small."
  static let why = """
    The history keeps a copy for every deleted object until the history is pruned, so deleting photos \
    would not shrink the store.
    """
  static let remedy = "Preserve a key or checksum instead."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .history
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Photo {
        @Attribute(.unique, .preserveValueOnDeletion) var number: Int
        @Attribute(.preserveValueOnDeletion) var image: Data
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Photo {
        @Attribute(.unique, .preserveValueOnDeletion) var number: Int
        var image: Data
      }
      """#)

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard let preservation = context.preservation(of: attribute),
      attribute.options.contains(.externalStorage) || attribute.type.unwrapped == .scalar(.data)
    else { return }
    context.report(.preserveLarge(attribute, preservation.range, preservation.removal))
  }
}

extension Diagnostic {
  fileprivate static func preserveLarge(
    _ attribute: ResolvedAttribute, _ range: SourceRange, _ edit: TextEdit?
  ) -> Self {
    Self(
      PreserveLarge.id, PreserveLarge.severity, at: range,
      "the history keeps the complete '\(attribute.name)' for every deleted object",
      help: "preserve a key or checksum instead",
      fixIts: edit.map { [FixIt("do not preserve '\(attribute.name)'", [$0])] } ?? [])
  }
}

import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// HIS008
struct PreserveVolatile: AttributeRule {
  static let id = DiagnosticID("HIS008", "preserve-volatile")
  static let severity = Severity.info
  static let summary = "What is preserved on deletion does not change with every save."
  static let why = """
    It is what the object had at the end, which nobody outside has seen: it finds no object of a server.
    """
  static let remedy = "Preserve what the object is known by, and leave the time of its last change out."
  static let profile: LintProfile? = .history
  static let options = [
    RuleOption(
      "names",
      .words([
        "updatedAt", "modifiedAt", "changedAt", "lastUpdated", "lastModified", "lastChanged",
        "updateDate", "modificationDate", "dateUpdated", "dateModified", "lastSeen", "lastOpened",
      ]), "attributes that change with every save")
  ]
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.unique, .preserveValueOnDeletion) var code: String
        @Attribute(.preserveValueOnDeletion) var updatedAt: Date
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.unique, .preserveValueOnDeletion) var code: String
        var updatedAt: Date
      }
      """#)

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard let preservation = context.preservation(of: attribute),
      context.words("names", of: Self.self).contains(attribute.name)
    else { return }
    context.report(.preserveVolatile(attribute, preservation.range))
  }
}

extension Diagnostic {
  fileprivate static func preserveVolatile(_ attribute: ResolvedAttribute, _ range: SourceRange) -> Self {
    Self(
      PreserveVolatile.id, PreserveVolatile.severity, at: range,
      "'\(attribute.name)' of a deleted object finds it nowhere: it changed with its last save")
  }
}

import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// HIS008
struct PreserveVolatile: AttributeRule {
  static let id = DiagnosticID("HIS008", "preserve-volatile")
  static let severity = Severity.info
  static let summary = "A value preserved on deletion does not change with every save."
  static let why =
    "The preserved value is the final value, which was never sent to a server and therefore matches no object there."
  static let remedy = "Preserve a value that identifies the object, and do not preserve the modification date."
  static let profile: LintProfile? = .history
  static let options = [
    RuleOption(
      "names",
      .words([
        "updatedAt", "modifiedAt", "changedAt", "lastUpdated", "lastModified", "lastChanged",
        "updateDate", "modificationDate", "dateUpdated", "dateModified", "lastSeen", "lastOpened",
      ]), "Attributes that change with every save.")
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
      "'\(attribute.name)' cannot identify a deleted object: it changed with the last save")
  }
}

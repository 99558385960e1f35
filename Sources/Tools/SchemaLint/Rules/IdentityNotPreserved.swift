import SchemaDiagnostics
import SchemaModel

/// HIS001
struct IdentityNotPreserved: EntityRule {
  static let id = DiagnosticID("HIS001", "identity-not-preserved")
  static let severity = Severity.warning
  static let summary = "A deleted object's identity is preserved in the history."
  static let why = """
    The history describes a deletion by its preserved values. If the identity is missing, the matching \
    object on a server cannot be found.
    """
  static let remedy = "Mark every attribute in the unique key with '.preserveValueOnDeletion'."
  static let fix = FixKind.auto
  static let profile: LintProfile? = .history
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Attribute(.unique) var code: String }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Attribute(.unique, .preserveValueOnDeletion) var code: String }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    guard !entity.uniques.isEmpty else { return }
    // A completely preserved key identifies the object.
    guard !context.isKnownWhenDeleted(entity) else { return }
    for unique in entity.uniques {
      let key = context.key(unique, of: entity)
      // Partially preserved keys are checked by a separate rule.
      guard !key.isEmpty, !key.contains(where: \.isPreserved) else { continue }
      let edits = key.map {
        context.sources.property($0.range)?.adding(.preserveValueOnDeletion)
      }
      context.report(.identityNotPreserved(key, context.place(of: unique), edits))
    }
  }
}

extension Diagnostic {
  fileprivate static func identityNotPreserved(
    _ key: [ResolvedAttribute], _ range: SourceRange, _ edits: [TextEdit?]
  ) -> Self {
    let names = key.map { "'\($0.name)'" }.joined(separator: ", ")
    let isWhole = edits.allSatisfy { $0 != nil }
    return Self(
      IdentityNotPreserved.id, IdentityNotPreserved.severity, at: range,
      "unique \(names) \(key.count == 1 ? "is" : "are") not preserved on deletion",
      help: "mark \(names) with '.preserveValueOnDeletion'",
      fixIts: isWhole ? [FixIt("preserve \(names) on deletion", edits.compactMap { $0 })] : [])
  }
}

import SchemaDiagnostics
import SchemaModel

/// HIS001
struct IdentityNotPreserved: EntityRule {
  static let id = DiagnosticID("HIS001", "identity-not-preserved")
  static let severity = Severity.warning
  static let summary = "What identifies an object is preserved when it is deleted."
  static let why = """
    History tells of a deletion by what was preserved. Without the identity of the object nobody \
    can say which one of a server's objects it was.
    """
  static let remedy = "Mark every attribute of the unique key with '.preserveValueOnDeletion'."
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
    // One completely preserved key identifies the object.
    guard !context.isKnownWhenDeleted(entity) else { return }
    for unique in entity.uniques {
      let key = context.key(unique, of: entity)
      // Another rule checks partially preserved keys.
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

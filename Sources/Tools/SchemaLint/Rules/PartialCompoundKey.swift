import SchemaDiagnostics
import SchemaModel

/// HIS007
struct PartialCompoundKey: EntityRule {
  static let id = DiagnosticID("HIS007", "partial-compound-key")
  static let severity = Severity.warning
  static let summary = "A compound key is preserved completely."
  static let why = """
    A partial key matches many objects. A deletion that preserves only part of the key cannot be forwarded \
    to a server.
    """
  static let remedy = "Mark the key's remaining attributes with '.preserveValueOnDeletion'."
  static let fix = FixKind.auto
  static let profile: LintProfile? = .history
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.part])
        @Attribute(.preserveValueOnDeletion) var name: String
        var part: Int
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.part])
        @Attribute(.preserveValueOnDeletion) var name: String
        @Attribute(.preserveValueOnDeletion) var part: Int
      }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    guard !entity.uniques.isEmpty else { return }
    // A completely preserved key identifies the object.
    guard !context.isKnownWhenDeleted(entity) else { return }
    for unique in entity.uniques {
      let key = context.key(unique, of: entity)
      let missing = key.filter { !$0.isPreserved }
      guard !missing.isEmpty, missing.count < key.count else { continue }
      let edits = missing.map { context.sources.property($0.range)?.adding(.preserveValueOnDeletion) }
      context.report(.partialCompoundKey(missing, context.place(of: unique), edits))
    }
  }
}

extension Diagnostic {
  fileprivate static func partialCompoundKey(
    _ missing: [ResolvedAttribute], _ range: SourceRange, _ edits: [TextEdit?]
  ) -> Self {
    let names = missing.map { "'\($0.name)'" }.joined(separator: ", ")
    let isWhole = edits.allSatisfy { $0 != nil }
    return Self(
      PartialCompoundKey.id, PartialCompoundKey.severity, at: range,
      "the key is preserved on deletion except for \(names)",
      help: "mark \(names) with '.preserveValueOnDeletion'",
      fixIts: isWhole ? [FixIt("preserve \(names) on deletion", edits.compactMap { $0 })] : [])
  }
}

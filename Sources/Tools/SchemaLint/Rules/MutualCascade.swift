import SchemaDiagnostics
import SchemaModel

/// REL006
struct MutualCascade: GraphRule {
  static let id = DiagnosticID("REL006", "mutual-cascade")
  static let severity = Severity.error
  static let summary = "At most one side of a pair cascades."
  static let why =
    "Deleting either object deletes both; if a side is to-many, everything connected with them is deleted."
  static let remedy = "Use '.cascade' on the owning side and '.nullify' on the inverse."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { @Relationship(deleteRule: .cascade) var trip: Trip? }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { @Relationship(deleteRule: .nullify) var trip: Trip? }
      """#)

  func check(_ graph: RelationshipGraph, in context: inout LintContext) {
    // Pairs within a hierarchy are checked by a separate rule.
    for (first, second) in graph.pairs
    where first.has(.cascade) && second.has(.cascade) && !graph.isReflexive(first) {
      let sources = context.sources
      context.report(
        .mutualCascade(
          first, second, sources.deleteRule(of: first.relationship),
          sources.deleteRule(of: second.relationship),
          context.choice(.nullify, at: second) + context.choice(.nullify, at: first)))
    }
  }
}

extension Diagnostic {
  fileprivate static func mutualCascade(
    _ first: RelationshipEdge, _ second: RelationshipEdge, _ range: SourceRange,
    _ other: SourceRange, _ choices: [FixIt]
  ) -> Self {
    let isWide = first.isToMany || second.isToMany
    return Self(
      MutualCascade.id, MutualCascade.severity, at: range,
      "'\(first.title)' and its inverse '\(second.title)' both cascade: deleting either object deletes "
        + (isWide ? "everything connected with it" : "both"),
      related: [.init(other, "the second cascade is here")],
      help: "keep the cascade on the owning side", fixIts: choices)
  }
}

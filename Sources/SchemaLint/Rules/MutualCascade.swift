import SchemaDiagnostics
import SchemaModel

/// REL006
struct MutualCascade: GraphRule {
  static let id = DiagnosticID("REL006", "mutual-cascade")
  static let severity = Severity.error
  static let summary = "At most one side of a pair cascades."
  static let why = """
    Deleting either object deletes the other one, and where a side is to-many everything that is \
    connected with them.
    """
  static let remedy = "Let the side that owns the other one cascade, and the other one nullify."
  static let fix = FixKind.ask

  func check(_ graph: RelationshipGraph, in context: inout LintContext) {
    for (first, second) in graph.pairs where first.has(.cascade) && second.has(.cascade) {
      let sources = context.sources
      context.report(
        .mutualCascade(
          first, second, sources.deleteRule(of: first.relationship),
          sources.deleteRule(of: second.relationship)))
    }
  }
}

extension Diagnostic {
  fileprivate static func mutualCascade(
    _ first: RelationshipEdge, _ second: RelationshipEdge, _ range: SourceRange,
    _ other: SourceRange
  ) -> Self {
    let isWide = first.isToMany || second.isToMany
    return Self(
      MutualCascade.id, MutualCascade.severity, at: range,
      "'\(first.title)' and its inverse '\(second.title)' both cascade: deleting one object deletes "
        + (isWide ? "everything connected with it" : "the other one"),
      related: first.index == second.index ? [] : [.init(other, "the other cascade is here")],
      help: "keep the cascade of the side that owns the other one")
  }
}

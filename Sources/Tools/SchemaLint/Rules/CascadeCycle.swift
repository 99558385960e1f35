import SchemaDiagnostics
import SchemaModel

/// REL008
struct CascadeCycle: GraphRule {
  static let id = DiagnosticID("REL008", "cascade-cycle")
  static let severity = Severity.warning
  static let summary = "Cascades do not form a cycle."
  static let why = """
    A deletion follows the cycle and deletes objects that the first cascade's author did not expect, in the \
    worst case every object.
    """
  static let remedy = "Break the cycle at a model that does not own the next model."
  static let fix = FixKind.ask
  static let raises = [RuleRaise(.strict, .error)]
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Tag { @Relationship(deleteRule: .cascade, inverse: nil) var notes: [Note] = [] }
      @Model class Note { @Relationship(deleteRule: .cascade, inverse: nil) var folder: Folder? }
      @Model class Folder { @Relationship(deleteRule: .cascade, inverse: nil) var tags: [Tag] = [] }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Tag { @Relationship(deleteRule: .nullify, inverse: nil) var notes: [Note] = [] }
      @Model class Note { @Relationship(deleteRule: .cascade, inverse: nil) var folder: Folder? }
      @Model class Folder { @Relationship(deleteRule: .cascade, inverse: nil) var tags: [Tag] = [] }
      """#)

  func check(_ graph: RelationshipGraph, in context: inout LintContext) {
    // Other rules check pairs and relationships within a hierarchy.
    let cycles = graph.cycles { edge in
      edge.has(.cascade) && !graph.isMutual(.cascade, edge)
        && graph.root(of: edge.owner) != graph.root(of: edge.relationship.destination)
    }
    for cycle in cycles {
      guard let first = cycle.first else { continue }
      let ranges = cycle.map { context.sources.deleteRule(of: $0.relationship) }
      let choices = cycle.prefix(4).flatMap { context.choice(.nullify, at: $0) }
      context.report(.cascadeCycle(cycle, from: first, ranges, choices))
    }
  }
}

extension Diagnostic {
  fileprivate static func cascadeCycle(
    _ cycle: [RelationshipEdge], from first: RelationshipEdge, _ ranges: [SourceRange],
    _ choices: [FixIt]
  ) -> Self {
    Self(
      CascadeCycle.id, CascadeCycle.severity, at: ranges[0],
      "cascades from '\(first.owner)' return to '\(first.owner)': \(cycle.titles)",
      related: zip(cycle, ranges).dropFirst().prefix(8).map { .init($1, "then '\($0.title)'") },
      help: "break the cycle at a model that does not own the next model", fixIts: choices)
  }
}

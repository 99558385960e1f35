import SchemaDiagnostics
import SchemaModel

/// REL009
struct SelfCascade: RelationshipRule {
  static let id = DiagnosticID("REL009", "self-cascade")
  static let severity = Severity.error
  static let summary = "Cascades within a model run from parent to child in a tree."
  static let why = """
    If both directions cascade, deleting an object deletes every connected object. If there is no inverse, \
    an object can have two parents, and is deleted with the first of them.
    """
  static let remedy = "Cascade in a single direction, and give every object a single parent with a to-one inverse."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Outline 1.0.0
      @Model class Node {
          @Relationship(deleteRule: .cascade, inverse: \Node.children) var parent: Node?
          @Relationship(deleteRule: .cascade) var children: [Node] = []
      }
      """#,
    good: #"""
      schema Outline 1.0.0
      @Model class Node {
          var parent: Node?
          @Relationship(deleteRule: .cascade, inverse: \Node.parent) var children: [Node] = []
      }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard edge.has(.cascade), context.graph.isReflexive(edge) else { return }
    let range = context.sources.deleteRule(of: edge.relationship)
    guard let inverse = context.graph.inverse(of: edge) else {
      return context.report(.openSelfCascade(edge, range))
    }
    // Report the pair once, at the first side.
    guard inverse.has(.cascade), edge.index <= inverse.index else { return }
    let choices =
      edge.index == inverse.index
      ? context.choice(.nullify, at: edge)
      : context.choice(.nullify, at: edge) + context.choice(.nullify, at: inverse)
    context.report(
      .selfCascade(edge, inverse, range, context.sources.deleteRule(of: inverse.relationship), choices))
  }
}

extension Diagnostic {
  fileprivate static func selfCascade(
    _ edge: RelationshipEdge, _ inverse: RelationshipEdge, _ range: SourceRange, _ other: SourceRange,
    _ choices: [FixIt]
  ) -> Self {
    let isOne = edge.index == inverse.index
    return Self(
      SelfCascade.id, SelfCascade.severity, at: range,
      isOne
        ? "'\(edge.title)' cascades in both directions: deleting an object deletes every connected object"
        : "'\(edge.title)' and '\(inverse.title)' both cascade: deleting an object deletes every connected object",
      related: isOne ? [] : [.init(other, "the opposite direction is declared here")],
      help: isOne ? "use '.nullify'" : "keep the cascade from parent to child", fixIts: choices)
  }

  fileprivate static func openSelfCascade(_ edge: RelationshipEdge, _ range: SourceRange) -> Self {
    Self(
      SelfCascade.id, .info, at: range,
      "an object in '\(edge.title)' can have two parents and is deleted with the first",
      help: "add a to-one relationship to '\(edge.relationship.destination)', and name it as the inverse")
  }
}

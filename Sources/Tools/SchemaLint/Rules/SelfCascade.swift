import SchemaDiagnostics
import SchemaModel

/// REL009
struct SelfCascade: RelationshipRule {
  static let id = DiagnosticID("REL009", "self-cascade")
  static let severity = Severity.error
  static let summary = "Models of one kind cascade from parent to child, in a tree."
  static let why = """
    Where both directions cascade, deleting one object deletes all it is connected with. Where nothing \
    leads back, an object can be below two others, and goes with the first of them.
    """
  static let remedy = "Cascade in one direction, and give every object one parent: a to-one inverse."
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
    // Report the pair once, at its first side.
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
        ? "'\(edge.title)' cascades in both directions: deleting one object deletes all it is connected with"
        : "'\(edge.title)' and '\(inverse.title)' both cascade: deleting one object deletes all it is connected with",
      related: isOne ? [] : [.init(other, "the other direction is here")],
      help: isOne ? "use '.nullify'" : "keep the cascade from parent to child", fixIts: choices)
  }

  fileprivate static func openSelfCascade(_ edge: RelationshipEdge, _ range: SourceRange) -> Self {
    Self(
      SelfCascade.id, .info, at: range,
      "nothing keeps an object from being in '\(edge.title)' of two others, and it goes with the first of them",
      help: "give '\(edge.relationship.destination)' a to-one relationship back, and name it as the inverse")
  }
}

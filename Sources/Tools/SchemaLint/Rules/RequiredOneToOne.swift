import SchemaDiagnostics
import SchemaModel

/// REL016
struct RequiredOneToOne: GraphRule {
  static let id = DiagnosticID("REL016", "required-one-to-one")
  static let severity = Severity.warning
  static let summary = "One side of a one-to-one pair can be without the other."
  static let why = """
    The initialiser of either model takes an object of the other, so that no first one can be made, \
    unless one of them has an initialiser of its own that makes both.
    """
  static let remedy = "Make the side optional that is made first."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Cars 1.0.0
      @Model class Car { @Relationship(deleteRule: .cascade, inverse: \Engine.car) var engine: Engine }
      @Model class Engine { @Relationship(deleteRule: .deny) var car: Car }
      """#,
    good: #"""
      schema Cars 1.0.0
      @Model class Car { @Relationship(deleteRule: .cascade, inverse: \Engine.car) var engine: Engine? }
      @Model class Engine { @Relationship(deleteRule: .deny) var car: Car }
      """#)

  func check(_ graph: RelationshipGraph, in context: inout LintContext) {
    let makers = context.schema.makers
    for (first, second) in graph.pairs where first.isRequired && second.isRequired {
      // One initialiser can create both objects.
      guard !makers.contains(first.owner), !makers.contains(second.owner) else { continue }
      let choices =
        first.index == second.index
        ? context.choiceOfOptional(first) : context.choiceOfOptional(first) + context.choiceOfOptional(second)
      context.report(.requiredPair(first, second, choices))
    }
  }
}

extension Diagnostic {
  fileprivate static func requiredPair(
    _ first: RelationshipEdge, _ second: RelationshipEdge, _ choices: [FixIt]
  ) -> Self {
    let isOne = first.index == second.index
    return Self(
      RequiredOneToOne.id, RequiredOneToOne.severity, at: first.relationship.range,
      isOne
        ? "the first '\(first.owner)' needs another one for '\(first.title)'"
        : "neither '\(first.owner)' nor '\(second.owner)' can be made first: each needs the other",
      related: isOne ? [] : [.init(second.relationship.range, "the other side is here")],
      help: "make \(isOne ? "it" : "one of them") optional", fixIts: choices)
  }
}

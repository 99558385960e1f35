import SchemaDiagnostics
import SchemaModel

/// REL016
struct RequiredOneToOne: GraphRule {
  static let id = DiagnosticID("REL016", "required-one-to-one")
  static let severity = Severity.warning
  static let summary = "At least one side of a one-to-one relationship is optional."
  static let why = """
    Each model's initializer requires an object of the second model, so no first object can be created \
    unless a custom initializer creates both.
    """
  static let remedy = "Make the relationship optional in the model that is created first."
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
      // A single initializer can create both objects.
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
        ? "the first '\(first.owner)' requires an existing '\(first.owner)' for '\(first.title)'"
        : "neither '\(first.owner)' nor '\(second.owner)' can be created first: each requires the other",
      related: isOne ? [] : [.init(second.relationship.range, "the inverse is declared here")],
      help: "make \(isOne ? "it" : "either of them") optional", fixIts: choices)
  }
}

import SchemaDiagnostics
import SchemaModel

/// REL019
struct OrphanableChild: LintRule {
  static let id = DiagnosticID("REL019", "orphanable-child")
  static let severity = Severity.info
  static let summary = "What only one owner leads to goes with it."
  static let why = """
    After the owner is deleted the objects are still there, and nothing leads to them: no relationship, \
    and no key they could be found by. They stay for good.
    """
  static let remedy = "Let the owner cascade, or give the model a unique key if it is meant to outlive it."
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { @Relationship(deleteRule: .nullify) var trip: Trip? }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { @Relationship(deleteRule: .nullify) var trip: Trip? }
      """#)

  func run(in context: inout LintContext) {
    let graph = context.graph
    // Count the relationship ends of the whole hierarchy.
    var ends: [String: Int] = [:]
    for edge in graph.edges {
      ends[graph.root(of: edge.relationship.destination), default: 0] += 1
      if edge.inverse == nil { ends[graph.root(of: edge.owner), default: 0] += 1 }
    }
    var keyed: Set<String> = []
    for entity in context.schema.entities where !entity.uniques.isEmpty { keyed.insert(graph.root(of: entity.name)) }
    for edge in graph.edges where edge.has(.nullify) && edge.isToMany && !graph.isReflexive(edge) {
      let child = graph.root(of: edge.relationship.destination)
      guard ends[child] == 1, !keyed.contains(child), let inverse = graph.inverse(of: edge), !inverse.isToMany,
        !inverse.isRequired
      else { continue }
      let range = context.sources.deleteRule(of: edge.relationship)
      context.report(.orphans(edge, range, context.choice(.cascade, at: edge)))
    }
  }
}

extension Diagnostic {
  fileprivate static func orphans(_ edge: RelationshipEdge, _ range: SourceRange, _ choices: [FixIt]) -> Self {
    let child = edge.relationship.destination
    return Self(
      OrphanableChild.id, OrphanableChild.severity, at: range,
      "nothing leads to a '\(child)' any more once its '\(edge.owner)' is deleted",
      help: "use '.cascade', or give '\(child)' a unique key", fixIts: choices)
  }
}

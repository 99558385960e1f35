import SchemaDiagnostics
import SchemaModel

/// REL019
struct OrphanableChild: LintRule {
  static let id = DiagnosticID("REL019", "orphanable-child")
  static let severity = Severity.info
  static let summary = "An object that only its owner refers to is deleted with the owner."
  static let why =
    "After the owner is deleted, the objects remain, but no relationship or key can find them. They are never removed."
  static let remedy = "Use '.cascade' in the owner, or add a unique key if the objects should remain."
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
      "nothing refers to a '\(child)' after its '\(edge.owner)' is deleted",
      help: "use '.cascade', or add a unique key to '\(child)'", fixIts: choices)
  }
}

import SchemaDiagnostics
import SchemaModel

/// REL026
struct CascadeFanOut: GraphRule {
  static let id = DiagnosticID("REL026", "cascade-fan-out")
  static let severity = Severity.info
  static let summary = "A deletion cascades to only a few models."
  static let why = """
    It is hard to predict everything that a deletion at the top removes, and the save time grows with the \
    number of deleted rows.
    """
  static let remedy =
    "Break the chain at objects worth keeping, or delete in steps; 'depth' and 'models' set the limits."
  static let presence = RulePresence.strict
  static let options = [
    RuleOption("depth", .integer(4), "The maximum number of consecutive cascades."),
    RuleOption("models", .integer(12), "The maximum number of models that a deletion reaches."),
  ]

  func check(_ graph: RelationshipGraph, in context: inout LintContext) {
    let (depth, models) = (context.number("depth", of: Self.self), context.number("models", of: Self.self))
    var map = CascadeMap(graph)
    let chains = CascadeChains(map)
    for entity in context.schema.entities {
      // Report only the start of a chain.
      guard let index = graph.indices[entity.name], !chains.isReached(index) else { continue }
      let length = chains.length(from: index)
      if length > depth {
        let way = chains.way(from: index)
        context.report(.deep(entity, length, way, way.first.map { context.sources.deleteRule(of: $0.relationship) }))
      } else if map.models(reachedFrom: index, atMost: models + 1) > models {
        context.report(.wide(entity, models))
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func deep(
    _ entity: ResolvedEntity, _ length: Int, _ way: [RelationshipEdge], _ first: SourceRange?
  ) -> Self {
    let titles = way.count < length ? "\(way.prefix(4).titles) → …" : way.titles
    return Self(
      CascadeFanOut.id, CascadeFanOut.severity, at: entity.range,
      "deleting '\(entity.name)' cascades \(length) times: \(titles)",
      related: first.map { [.init($0, "the chain begins here")] } ?? [],
      help: "break the chain at objects worth keeping")
  }

  fileprivate static func wide(_ entity: ResolvedEntity, _ limit: Int) -> Self {
    Self(
      CascadeFanOut.id, CascadeFanOut.severity, at: entity.range,
      "deleting '\(entity.name)' deletes objects of more than \(limit) other models",
      help: "use '.nullify' for relationships to objects worth keeping")
  }
}

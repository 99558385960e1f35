import SchemaDiagnostics
import SchemaModel

/// UNQ008
struct UniqueIncludesRelationship: LintRule {
  static let id = DiagnosticID("UNQ008", "unique-includes-relationship")
  static let severity = Severity.warning
  static let summary = "A relationship in a unique key is not nullified by a deletion."
  static let why = """
    Deleting the destination sets the reference to nil, and keys that contain nil never conflict: \
    afterwards, any number of objects can share the rest of the key.
    """
  static let remedy = "Use '.cascade' or '.deny' in the inverse, or remove the relationship from the key."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { #Unique<Stop>([\.trip, \.number]); var trip: Trip?; var number: Int }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { #Unique<Stop>([\.trip, \.number]); var trip: Trip?; var number: Int }
      """#)

  func run(in context: inout LintContext) {
    let (schema, graph) = (context.schema, context.graph)
    let concerned = schema.entities.indices.filter { index in
      schema.entities[index].uniques.contains { $0.properties.count > 1 }
    }
    guard !concerned.isEmpty else { return }
    var references: [String: RelationshipEdge] = [:]
    for edge in graph.edges where !edge.isToMany { references[edge.title] = edge }
    for index in concerned {
      let entity = schema.entities[index]
      let lineage = context.lineage(of: entity)
      for unique in entity.uniques where unique.properties.count > 1 {
        for name in unique.properties.prefix(LintContext.compared) {
          let edge = lineage.lazy.compactMap { references["\($0.name).\(name)"] }.first
          guard let edge, !edge.isRequired, let inverse = graph.inverse(of: edge), inverse.has(.nullify)
          else { continue }
          let choices = context.choice(.cascade, at: inverse) + context.choice(.deny, at: inverse)
          context.report(
            .nullifiedKey(
              edge, inverse, context.place(of: name, in: unique), context.sources.deleteRule(of: inverse.relationship),
              choices))
        }
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func nullifiedKey(
    _ edge: RelationshipEdge, _ inverse: RelationshipEdge, _ range: SourceRange, _ other: SourceRange,
    _ choices: [FixIt]
  ) -> Self {
    Self(
      UniqueIncludesRelationship.id, UniqueIncludesRelationship.severity, at: range,
      "deleting a '\(inverse.owner)' sets '\(edge.title)' to nil, and keys that contain nil never conflict",
      related: [.init(other, "'\(inverse.title)' nullifies")],
      help: "use '.cascade' or '.deny' for '\(inverse.title)', or remove '\(edge.relationship.name)' from the key",
      fixIts: choices)
  }
}

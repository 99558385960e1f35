import SchemaDiagnostics
import SchemaModel

/// REL012
struct CascadeIntoDeny: GraphRule {
  static let id = DiagnosticID("REL012", "cascade-into-deny")
  static let severity = Severity.warning
  static let summary = "A cascade does not delete objects that deny their deletion."
  static let why =
    "Saving the deletion fails because of a nested object, which the code that deletes the owner does not see."
  static let remedy = """
    Let the inner relationship nullify, or use '.deny' at the owner as well; or handle the error where \
    owners are deleted, and explain this in a suppression.
    """
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Shop 1.0.0
      @Model class Customer { @Relationship(deleteRule: .cascade, inverse: \Order.customer) var orders: [Order] = [] }
      @Model class Order {
          var customer: Customer?
          @Relationship(deleteRule: .deny, inverse: \Invoice.order) var invoices: [Invoice] = []
      }
      @Model class Invoice { var order: Order? }
      """#,
    good: #"""
      schema Shop 1.0.0
      @Model class Customer { @Relationship(deleteRule: .deny, inverse: \Order.customer) var orders: [Order] = [] }
      @Model class Order {
          var customer: Customer?
          @Relationship(deleteRule: .deny, inverse: \Invoice.order) var invoices: [Invoice] = []
      }
      @Model class Invoice { var order: Order? }
      """#)

  /// The maximum number of relationships to check per model.
  private static let limit = 8

  func check(_ graph: RelationshipGraph, in context: inout LintContext) {
    let denials = Self.denials(graph)
    guard denials.contains(where: { !$0.isEmpty }) else { return }
    var map = CascadeMap(graph)
    for edge in graph.edges where edge.has(.cascade) && !graph.isMutual(.cascade, edge) {
      guard let owner = graph.indices[edge.owner], let member = graph.indices[edge.relationship.destination],
        !denials[member].isEmpty, map.reach(from: owner)
      else { continue }
      // An object that is deleted in the same save does not block the deletion.
      let denial = denials[member].lazy.map { graph.edges[$0] }.first { denial in
        guard let other = graph.indices[denial.relationship.destination] else { return false }
        return !map.isReached(other) && graph.roots[other] != graph.roots[member]
      }
      guard let denial else { continue }
      context.report(
        .cascadeIntoDeny(
          edge, denial, context.sources.deleteRule(of: edge.relationship),
          context.sources.deleteRule(of: denial.relationship)))
    }
  }

  /// Returns the deny relationships by the models whose objects can have them: the declaring model, submodels and
  /// supermodels.
  private static func denials(_ graph: RelationshipGraph) -> [[Int]] {
    let own = graph.edges.filter { $0.has(.deny) }
    guard !own.isEmpty else { return [] }
    var declared = [[Int]](repeating: [], count: graph.names.count)
    for edge in own {
      guard let owner = graph.indices[edge.owner], declared[owner].count < limit else { continue }
      declared[owner].append(edge.index)
    }
    var below = declared
    var above = declared
    for entity in graph.names.indices {
      var ancestor = graph.superentities[entity]
      var steps = 0
      while let current = ancestor, steps < 64 {
        if below[current].count < limit { below[current] += declared[entity].prefix(limit - below[current].count) }
        if above[entity].count < limit { above[entity] += declared[current].prefix(limit - above[entity].count) }
        ancestor = graph.superentities[current]
        steps += 1
      }
    }
    return graph.names.indices.map { above[$0] + below[$0].dropFirst(declared[$0].count) }
  }
}

extension Diagnostic {
  fileprivate static func cascadeIntoDeny(
    _ edge: RelationshipEdge, _ denial: RelationshipEdge, _ range: SourceRange, _ other: SourceRange
  ) -> Self {
    Self(
      CascadeIntoDeny.id, CascadeIntoDeny.severity, at: range,
      "deleting '\(edge.owner)' also deletes '\(edge.relationship.destination)', which '\(denial.title)' denies",
      related: [.init(other, "the deletion is denied here")],
      help: "deny here too, or let '\(denial.title)' nullify")
  }
}

import SchemaDiagnostics
import SchemaModel

/// REL011
struct DenyDeadlock: GraphRule {
  static let id = DiagnosticID("REL011", "deny-deadlock")
  static let severity = Severity.error
  static let summary = "Objects that deny each other's deletion do not form a cycle."
  static let why = """
    Each object denies its deletion while the next exists, and the last depends on the first. No object in \
    the cycle can ever be deleted.
    """
  static let remedy = "Use '.nullify' or '.cascade' for at least one relationship in the cycle."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Order { @Relationship(deleteRule: .deny, inverse: \Invoice.order) var invoice: Invoice? }
      @Model class Invoice { @Relationship(deleteRule: .deny) var order: Order? }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Order { @Relationship(deleteRule: .deny, inverse: \Invoice.order) var invoice: Invoice? }
      @Model class Invoice { @Relationship(deleteRule: .nullify) var order: Order? }
      """#)

  func check(_ graph: RelationshipGraph, in context: inout LintContext) {
    let pairs = graph.pairs.filter { $0.first.has(.deny) && $0.second.has(.deny) }
    for (first, second) in pairs {
      report(first.index == second.index ? [first] : [first, second], &context)
    }
    // Outside of pairs, only a required destination always exists.
    let cycles = graph.cycles { edge in
      edge.has(.deny) && edge.isRequired && !graph.isMutual(.deny, edge)
    }
    for cycle in cycles { report(cycle, &context) }
  }

  private func report(_ cycle: [RelationshipEdge], _ context: inout LintContext) {
    context.report(
      .denyDeadlock(
        cycle, cycle.map { context.sources.deleteRule(of: $0.relationship) },
        cycle.prefix(4).flatMap { context.choice(.nullify, at: $0) }))
  }
}

extension Diagnostic {
  fileprivate static func denyDeadlock(
    _ cycle: [RelationshipEdge], _ ranges: [SourceRange], _ choices: [FixIt]
  ) -> Self {
    Self(
      DenyDeadlock.id, DenyDeadlock.severity, at: ranges[0],
      "each of these denies its deletion while the next exists: \(cycle.titles)",
      related: zip(cycle, ranges).dropFirst().prefix(8).map { .init($1, "then '\($0.title)'") },
      help: "use '.nullify' or '.cascade' for any of them", fixIts: choices)
  }
}

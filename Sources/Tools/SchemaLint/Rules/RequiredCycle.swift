import SchemaDiagnostics
import SchemaModel

/// REL017
struct RequiredCycle: GraphRule {
  static let id = DiagnosticID("REL017", "required-cycle")
  static let severity = Severity.error
  static let summary = "A first object of every model can be created."
  static let why = """
    Each model in the cycle requires an existing object of the next model. No first object can be created \
    unless a custom initializer creates several objects at once.
    """
  static let remedy = "Make a relationship in the cycle optional, and set it once the object exists."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Outline 1.0.0
      @Model class Node {
          @Relationship(inverse: nil) var parent: Node
          var title: String
      }
      """#,
    good: #"""
      schema Outline 1.0.0
      @Model class Node {
          @Relationship(inverse: nil) var parent: Node?
          var title: String
      }
      """#)

  func check(_ graph: RelationshipGraph, in context: inout LintContext) {
    let makeable = Self.makeable(
      graph, makers: context.schema.makers)
    let cycles = graph.cycles { edge in
      guard edge.isRequired, let owner = graph.indices[edge.owner],
        let destination = graph.indices[edge.relationship.destination]
      else { return false }
      // Pairs are checked by a separate rule.
      return !makeable.models[owner] && !makeable.kinds[destination]
        && !(graph.inverse(of: edge)?.isRequired ?? false)
    }
    for cycle in cycles {
      context.report(.requiredCycle(cycle, cycle.prefix(4).flatMap { context.choiceOfOptional($0) }))
    }
  }

  /// Returns the models that can be instantiated, and the models for which an object or submodel object can exist.
  ///
  /// - Parameter makers: The models with initializers that create the required objects.
  private static func makeable(
    _ graph: RelationshipGraph, makers: Set<String>
  ) -> (models: [Bool], kinds: [Bool]) {
    let count = graph.names.count
    var waiting = [Int](repeating: 0, count: count)
    var waiters = [[Int]](repeating: [], count: count)
    for edge in graph.edges where edge.isRequired && !makers.contains(edge.owner) {
      guard let owner = graph.indices[edge.owner], let destination = graph.indices[edge.relationship.destination]
      else { continue }
      waiting[owner] += 1
      waiters[destination].append(owner)
    }
    var children = [[Int]](repeating: [], count: count)
    for (entity, ancestor) in graph.superentities.enumerated() {
      guard let ancestor else { continue }
      // A submodel has the supermodel's requirements.
      waiting[entity] += 1
      children[ancestor].append(entity)
    }
    var models = [Bool](repeating: false, count: count)
    var kinds = models
    var open = graph.names.indices.filter { waiting[$0] == 0 }
    while let entity = open.popLast() {
      models[entity] = true
      for child in children[entity] {
        waiting[child] -= 1
        if waiting[child] == 0 { open.append(child) }
      }
      var kind: Int? = entity
      while let current = kind, !kinds[current] {
        kinds[current] = true
        for waiter in waiters[current] {
          waiting[waiter] -= 1
          if waiting[waiter] == 0 { open.append(waiter) }
        }
        kind = graph.superentities[current]
      }
    }
    return (models, kinds)
  }
}

extension Diagnostic {
  fileprivate static func requiredCycle(_ cycle: [RelationshipEdge], _ choices: [FixIt]) -> Self {
    let first = cycle[0]
    return Self(
      RequiredCycle.id, RequiredCycle.severity, at: first.relationship.range,
      "no first '\(first.owner)' can be created: \(cycle.titles) \(cycle.count == 1 ? "is" : "are") required",
      related: cycle.dropFirst().prefix(8).map { .init($0.relationship.range, "then '\($0.title)'") },
      help: "make any of them optional", fixIts: choices)
  }
}

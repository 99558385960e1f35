import SchemaDiagnostics
import SchemaModel

/// REL013
struct DiamondCascade: GraphRule {
  static let id = DiagnosticID("REL013", "diamond-cascade")
  static let severity = Severity.warning
  static let summary = "A deletion reaches a model over a single cascade path."
  static let why = """
    An object with two owners is deleted with the first owner, while the second owner still refers to it. \
    Because both owners belong to a common object higher up, it looks as if they were always deleted \
    together.
    """
  static let remedy = """
    Cascade along the path that owns the objects, and nullify along the second path; deleting the object at \
    the top still deletes everything.
    """
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Firm 1.0.0
      @Model class Firm {
          @Relationship(deleteRule: .cascade, inverse: \Team.firm) var teams: [Team] = []
          @Relationship(deleteRule: .cascade, inverse: \Person.firm) var people: [Person] = []
      }
      @Model class Team {
          var firm: Firm?
          @Relationship(deleteRule: .cascade, inverse: \Person.team) var members: [Person] = []
      }
      @Model class Person { var firm: Firm; var team: Team? }
      """#,
    good: #"""
      schema Firm 1.0.0
      @Model class Firm {
          @Relationship(deleteRule: .cascade, inverse: \Team.firm) var teams: [Team] = []
          @Relationship(deleteRule: .cascade, inverse: \Person.firm) var people: [Person] = []
      }
      @Model class Team {
          var firm: Firm?
          @Relationship(deleteRule: .nullify, inverse: \Person.team) var members: [Person] = []
      }
      @Model class Person { var firm: Firm; var team: Team? }
      """#)

  func check(_ graph: RelationshipGraph, in context: inout LintContext) {
    var incoming: [Int: [RelationshipEdge]] = [:]
    var order: [Int] = []
    for edge in graph.edges where CascadeMap.follows(edge, in: graph) {
      guard let destination = graph.indices[edge.relationship.destination] else { continue }
      if incoming[destination] == nil { order.append(destination) }
      incoming[destination, default: []].append(edge)
    }
    var map = CascadeMap(graph)
    var marks = [Mark](repeating: Mark(), count: graph.names.count)
    for destination in order {
      var edges = incoming[destination] ?? []
      var ancestor = graph.superentities[destination]
      var steps = 0
      // A relationship to a supermodel can refer to this model.
      while let current = ancestor, edges.count < 8, steps < ResolvedSchema.maximumDepth {
        steps += 1
        edges += incoming[current] ?? []
        ancestor = graph.superentities[current]
      }
      guard Set(edges.prefix(8).map(\.owner)).count > 1 else { continue }
      if let diamond = Self.diamond(edges.prefix(8), of: destination, &map, &marks) { report(diamond, &context) }
    }
  }

  private struct Diamond {
    var origin: String
    var first: [RelationshipEdge]
    var second: [RelationshipEdge]
  }

  /// The destination, search and step of the last visit to a model.
  private struct Mark {
    var destination = -1
    var search = 0
    var step = 0
  }

  /// Returns two paths from the same model that share only the ends.
  private static func diamond(
    _ edges: ArraySlice<RelationshipEdge>, of destination: Int, _ map: inout CascadeMap, _ marks: inout [Mark]
  ) -> Diamond? {
    var searches: [(edge: RelationshipEdge, steps: [CascadeMap.Step])] = []
    for edge in edges {
      guard let owner = map.graph.indices[edge.owner] else { continue }
      let steps = map.origins(of: owner, around: map.graph.roots[destination])
      for (index, step) in steps.enumerated() {
        let mark = marks[step.entity]
        guard mark.destination == destination, searches[mark.search].edge.owner != edge.owner else { continue }
        let other = searches[mark.search]
        return Diamond(
          origin: map.graph.names[step.entity],
          first: map.way(from: mark.step, in: other.steps) + [other.edge],
          second: map.way(from: index, in: steps) + [edge])
      }
      for (index, step) in steps.enumerated() where marks[step.entity].destination != destination {
        marks[step.entity] = Mark(destination: destination, search: searches.count, step: index)
      }
      searches.append((edge, steps))
    }
    return nil
  }

  private func report(_ diamond: Diamond, _ context: inout LintContext) {
    guard let first = diamond.first.last, let second = diamond.second.last else { return }
    // An object with optional owners may have only a single owner.
    let isCertain = [first, second].contains { edge in
      context.graph.inverse(of: edge).map { $0.isToMany || $0.isRequired } ?? false
    }
    context.report(
      .diamond(
        diamond.origin, diamond.first, diamond.second, isCertain ? DiamondCascade.severity : .info,
        context.sources.deleteRule(of: second.relationship), context.sources.deleteRule(of: first.relationship)))
  }
}

extension Diagnostic {
  fileprivate static func diamond(
    _ origin: String, _ first: [RelationshipEdge], _ second: [RelationshipEdge], _ severity: Severity,
    _ range: SourceRange, _ other: SourceRange
  ) -> Self {
    let member = second.last?.relationship.destination ?? ""
    return Self(
      DiamondCascade.id, severity, at: range,
      "cascades from '\(origin)' reach '\(member)' on two paths, and an owner can be deleted separately: "
        + "\(first.titles) and \(second.titles)",
      related: [.init(other, "the second path ends here")],
      help: "use '.nullify' on the side that does not own the objects")
  }
}

import SchemaModel

/// The models that deletions reach through cascades. Searches stop after a fixed number of steps, so the time is
/// linear in the schema size.
struct CascadeMap {
  /// A search step.
  struct Step {
    var entity: Int
    /// The relationship and the previous step; `nil` within a hierarchy.
    var edge: Int?
    var previous: Int?
  }

  static let limit = 128
  let graph: RelationshipGraph
  let search: CycleSearch
  private let count: Int
  private let backward: [[(from: Int, edge: Int?)]]
  /// The number of the last search that visited each node; `hierarchies` contains the same for hierarchies. With
  /// numbers, the arrays need not be cleared before each short search.
  private var seen: [Int]
  private var hierarchies: [Int]
  private var generation = 0

  /// Creates a map of the relevant cascades, which lead to a different hierarchy.
  init(_ graph: RelationshipGraph) {
    self.graph = graph
    count = graph.names.count
    search = graph.search { Self.follows($0, in: graph) }
    seen = [Int](repeating: 0, count: search.arcs.count)
    hierarchies = [Int](repeating: 0, count: count)
    var backward: [[(from: Int, edge: Int?)]] = Array(repeating: [], count: search.arcs.count)
    for (node, arcs) in search.arcs.enumerated() {
      for arc in arcs { backward[arc.to].append((node, arc.edge)) }
    }
    self.backward = backward
  }

  /// Returns true for relevant cascades. Mutual cascades and cascades within a hierarchy are checked by separate
  /// rules.
  static func follows(_ edge: RelationshipEdge, in graph: RelationshipGraph) -> Bool {
    guard edge.has(.cascade), !graph.isMutual(.cascade, edge), !graph.isReflexive(edge) else { return false }
    guard let inverse = graph.inverse(of: edge) else { return true }
    return edge.isToMany || !inverse.isToMany
  }

  /// Marks the hierarchies that a model's deletion reaches. Returns false if the search was stopped.
  mutating func reach(from entity: Int) -> Bool {
    begin()
    var queue = [entity + count]
    var next = 0
    while next < queue.count {
      guard queue.count < Self.limit else { return false }
      hierarchies[graph.roots[queue[next] % count]] = generation
      for arc in search.arcs[queue[next]] where visit(arc.to) { queue.append(arc.to) }
      next += 1
    }
    return true
  }

  /// Returns true if the last ``reach(from:)`` visited the model's hierarchy.
  func isReached(_ entity: Int) -> Bool { hierarchies[graph.roots[entity]] == generation }

  private mutating func begin() { generation += 1 }

  /// Returns true on a node's first visit in a search.
  private mutating func visit(_ node: Int) -> Bool {
    guard seen[node] != generation else { return false }
    seen[node] = generation
    return true
  }

  /// Returns the number of additional models that a deletion reaches, up to a limit.
  mutating func models(reachedFrom entity: Int, atMost limit: Int) -> Int {
    begin()
    var queue = [entity + count]
    var models = 0
    var next = 0
    while next < queue.count, models < limit {
      for arc in search.arcs[queue[next]] where visit(arc.to) {
        queue.append(arc.to)
        // Count each model once, at the node that represents objects and submodels.
        if arc.to < count, arc.to != entity { models += 1 }
      }
      next += 1
    }
    return models
  }

  /// Returns the models whose deletion reaches a model's objects on a path that avoids a hierarchy, nearest first.
  mutating func origins(of entity: Int, around hierarchy: Int) -> [Step] {
    begin()
    var steps = [Step(entity: entity)]
    var nodes = [entity + count]
    var next = 0
    while next < nodes.count, nodes.count < Self.limit {
      for (from, edge) in backward[nodes[next]] where graph.roots[from % count] != hierarchy && visit(from) {
        nodes.append(from)
        steps.append(Step(entity: from % count, edge: edge, previous: next))
      }
      next += 1
    }
    return steps
  }

  /// Returns the relationships from a step to the start of the search.
  func way(from step: Int, in steps: [Step]) -> [RelationshipEdge] {
    var way: [RelationshipEdge] = []
    var current: Int? = step
    while let index = current {
      if let edge = steps[index].edge { way.append(graph.edges[edge]) }
      current = steps[index].previous
    }
    return way
  }
}

extension Sequence<RelationshipEdge> {
  /// For example `Trip.days → Day.stops`. A long path is shortened in the middle.
  var titles: String {
    let titles = map { $0.title }
    guard titles.count > 7 else { return titles.joined(separator: " → ") }
    return (titles.prefix(4) + ["…"] + titles.suffix(2)).joined(separator: " → ")
  }
}

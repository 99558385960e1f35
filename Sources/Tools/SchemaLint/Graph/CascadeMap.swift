import SchemaModel

/// What deletions reach by way of cascades. Searches stop after a fixed number of steps, so that
/// judging a schema takes time in proportion to its size.
struct CascadeMap {
  /// A place a search came by.
  struct Step {
    var entity: Int
    /// The relationship it came over, and the step before; nil within a hierarchy.
    var edge: Int?
    var previous: Int?
  }

  static let limit = 128
  let graph: RelationshipGraph
  let search: CycleSearch
  private let count: Int
  private let backward: [[(from: Int, edge: Int?)]]
  /// The last search that came by a node, or by a hierarchy. Searches are many and short.
  private var seen: [Int]
  private var hierarchies: [Int]
  private var generation = 0

  /// Of the edges that are followed: cascades that lead on, to models of another kind.
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

  /// Both sides of one pair, cascades to a parent and cascades within a hierarchy have rules of their own.
  static func follows(_ edge: RelationshipEdge, in graph: RelationshipGraph) -> Bool {
    guard edge.has(.cascade), !graph.isMutual(.cascade, edge), !graph.isReflexive(edge) else { return false }
    guard let inverse = graph.inverse(of: edge) else { return true }
    return edge.isToMany || !inverse.isToMany
  }

  /// Marks the hierarchies a deletion of a model reaches; false when there are too many to say.
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

  /// Whether the last ``reach(from:)`` came by the hierarchy of a model.
  func isReached(_ entity: Int) -> Bool { hierarchies[graph.roots[entity]] == generation }

  private mutating func begin() { generation += 1 }

  /// Whether a search comes by a node for the first time.
  private mutating func visit(_ node: Int) -> Bool {
    guard seen[node] != generation else { return false }
    seen[node] = generation
    return true
  }

  /// How many other models a deletion reaches, counted up to a limit.
  mutating func models(reachedFrom entity: Int, atMost limit: Int) -> Int {
    begin()
    var queue = [entity + count]
    var models = 0
    var next = 0
    while next < queue.count, models < limit {
      for arc in search.arcs[queue[next]] where visit(arc.to) {
        queue.append(arc.to)
        // Once for each: where objects of it, or of what inherits from it, are arrived at.
        if arc.to < count, arc.to != entity { models += 1 }
      }
      next += 1
    }
    return models
  }

  /// The models whose deletion reaches objects of a model, nearest first, not by way of a hierarchy.
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

  /// The relationships from a step of a search to where it began.
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
  /// `Trip.days → Day.stops`, of a long way the beginning and the end.
  var titles: String {
    let titles = map { $0.title }
    guard titles.count > 7 else { return titles.joined(separator: " → ") }
    return (titles.prefix(4) + ["…"] + titles.suffix(2)).joined(separator: " → ")
  }
}

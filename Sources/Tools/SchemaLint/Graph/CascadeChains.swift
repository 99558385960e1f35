import SchemaModel

/// Finds the longest cascade chains. Models that reach each other count as a single model.
struct CascadeChains {
  private let graph: RelationshipGraph
  private let arcs: [[CycleSearch.Arc]]
  private let count: Int
  private let components: [Int]
  /// By component, the length of the longest chain; `next` contains the chain's first step.
  private var lengths: [Int]
  private var next: [CycleSearch.Arc?]
  private var reached: Set<Int> = []

  init(_ map: CascadeMap) {
    graph = map.graph
    arcs = map.search.arcs
    count = map.search.count
    components = map.search.components()
    lengths = [Int](repeating: -1, count: arcs.count)
    next = [CycleSearch.Arc?](repeating: nil, count: arcs.count)
    var members = [[Int]](repeating: [], count: arcs.count)
    for node in arcs.indices { members[components[node]].append(node) }
    for node in arcs.indices where lengths[components[node]] < 0 { measure(components[node], members) }
    for edge in graph.edges where CascadeMap.follows(edge, in: graph) {
      if let destination = graph.indices[edge.relationship.destination] { reached.insert(graph.roots[destination]) }
    }
  }

  /// Measures chains by depth-first search with an explicit stack.
  private mutating func measure(_ start: Int, _ members: [[Int]]) {
    var open = [start]
    while let component = open.last {
      guard lengths[component] < 0 else {
        open.removeLast()
        continue
      }
      let outgoing = members[component].flatMap { arcs[$0] }.filter { components[$0.to] != component }
      let unknown = outgoing.map { components[$0.to] }.filter { lengths[$0] < 0 }
      guard unknown.isEmpty else {
        open += unknown
        continue
      }
      open.removeLast()
      lengths[component] = 0
      for arc in outgoing {
        let length = lengths[components[arc.to]] + (arc.edge == nil ? 0 : 1)
        if length > lengths[component] {
          lengths[component] = length
          next[component] = arc
        }
      }
    }
  }

  /// Returns true if deleting a different model's object reaches this model's hierarchy.
  func isReached(_ entity: Int) -> Bool { reached.contains(graph.roots[entity]) }

  func length(from entity: Int) -> Int { lengths[components[entity + count]] }

  /// Returns the first steps of the longest chain. Long chains are truncated, because many can share the same end.
  func way(from entity: Int) -> [RelationshipEdge] {
    var way: [RelationshipEdge] = []
    var component = components[entity + count]
    while let arc = next[component], way.count < 32 {
      if let edge = arc.edge { way.append(graph.edges[edge]) }
      component = components[arc.to]
    }
    return way
  }
}

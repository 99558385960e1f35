/// Finds cycles in a model graph. The time is linear in the graph and output size.
///
/// Each model has two nodes: an incoming relationship can refer to any submodel, and an outgoing relationship can be
/// declared by any supermodel.
struct CycleSearch {
  struct Edge {
    var from: Int
    var to: Int
    var index: Int
  }

  struct Arc {
    var to: Int
    /// The relationship; `nil` for a step between a model and a submodel or supermodel.
    var edge: Int?
  }

  private let edges: [Edge]
  private(set) var arcs: [[Arc]]
  let count: Int

  init(edges: [Edge], superentities: [Int?]) {
    self.edges = edges
    count = superentities.count
    arcs = Array(repeating: [], count: count * 2)
    for (entity, ancestor) in superentities.enumerated() {
      arcs[entity].append(Arc(to: entity + count))
      guard let ancestor else { continue }
      arcs[ancestor].append(Arc(to: entity))
      arcs[entity + count].append(Arc(to: ancestor + count))
    }
    for edge in edges { arcs[edge.from + count].append(Arc(to: edge.to, edge: edge.index)) }
  }

  func cycles() -> [[Int]] {
    let components = components()
    var done: Set<Int> = []
    var result: [[Int]] = []
    for edge in edges {
      let component = components[edge.from + count]
      guard component == components[edge.to], done.insert(component).inserted else { continue }
      result.append(
        [edge.index] + way(from: edge.to, to: edge.from + count) { components[$0] == component })
    }
    return result
  }

  /// Returns the edges on a shortest path, found by breadth-first search.
  private func way(from start: Int, to goal: Int, within: (Int) -> Bool) -> [Int] {
    var origins: [Int: (node: Int, edge: Int?)] = [start: (start, nil)]
    var queue = [start]
    var next = 0
    while next < queue.count, origins[goal] == nil {
      let node = queue[next]
      next += 1
      for arc in arcs[node] where within(arc.to) && origins[arc.to] == nil {
        origins[arc.to] = (node, arc.edge)
        queue.append(arc.to)
      }
    }
    var edges: [Int] = []
    var node = goal
    while node != start, let origin = origins[node] {
      if let edge = origin.edge { edges.append(edge) }
      node = origin.node
    }
    return edges.reversed()
  }

  /// Returns each node's strongly connected component, using Tarjan's algorithm with an explicit stack.
  func components() -> [Int] {
    var component = [Int](repeating: -1, count: arcs.count)
    var order = [Int](repeating: -1, count: arcs.count)
    var low = order
    var open: [Int] = []
    var visits: [(node: Int, next: Int)] = []
    var counter = 0
    for root in arcs.indices where order[root] < 0 {
      visits.append((root, 0))
      while let visit = visits.last {
        let node = visit.node
        if visit.next == 0, order[node] < 0 {
          order[node] = counter
          low[node] = counter
          counter += 1
          open.append(node)
        }
        if visit.next < arcs[node].count {
          visits[visits.count - 1].next += 1
          let to = arcs[node][visit.next].to
          if order[to] < 0 {
            visits.append((to, 0))
          } else if component[to] < 0 {
            low[node] = min(low[node], order[to])
          }
          continue
        }
        visits.removeLast()
        if let parent = visits.last?.node { low[parent] = min(low[parent], low[node]) }
        guard low[node] == order[node] else { continue }
        while let member = open.popLast() {
          component[member] = node
          if member == node { break }
        }
      }
    }
    return component
  }
}

/// Groups of mutually reachable nodes in a graph.
package struct CyclicGroups: Sendable {
  /// The group numbers for nodes that can reach themselves. Nodes in the same cycle have the same number.
  private(set) var groups: [String: Int] = [:]

  /// Finds strongly connected components with Kosaraju's algorithm, iteratively, because schemas may be deep.
  ///
  /// - Parameter edges: Each node's target nodes.
  package init(_ edges: [String: Set<String>]) {
    // Sorted by name, so that the numbers are the same in every process.
    var finished: [String] = []
    var seen: Set<String> = []
    var path = edges.keys.sorted(by: >).map { (node: $0, isDone: false) }
    while let (node, isDone) = path.popLast() {
      if isDone { finished.append(node) }
      guard !isDone, seen.insert(node).inserted else { continue }
      path.append((node, true))
      path += (edges[node] ?? []).sorted().map { ($0, false) }
    }
    var reversed: [String: [String]] = [:]
    for (node, targets) in edges {
      for target in targets { reversed[target, default: []].append(node) }
    }
    var count = 0
    while let last = finished.popLast() {
      var members: [String] = []
      var waiting = [last]
      while let node = waiting.popLast() {
        guard seen.remove(node) != nil else { continue }
        members.append(node)
        waiting += reversed[node] ?? []
      }
      guard members.count > 1 || members.contains(where: { edges[$0]?.contains($0) == true }) else { continue }
      for member in members { groups[member] = count }
      count += 1
    }
  }

  /// Returns true if both nodes are in the same cycle.
  package func share(_ one: String, _ other: String) -> Bool {
    guard let group = groups[one] else { return false }
    return groups[other] == group
  }
}

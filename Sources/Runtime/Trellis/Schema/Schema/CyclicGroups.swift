/// The groups of nodes of a graph that lead to each other, found in one pass over its edges.
struct CyclicGroups: Sendable {
  /// Nodes that lead back to themselves; those of one cycle share a number.
  private(set) var groups: [String: Int] = [:]

  /// - Parameter edges: where each node leads.
  init(_ edges: [String: Set<String>]) {
    var search = Search(edges)
    // In the order of the names: the numbers are the same in every process.
    for node in edges.keys.sorted() where search.order[node] == nil { search.visit(node) }
    groups = search.groups
  }

  /// Whether the nodes lie on one cycle.
  func share(_ one: String, _ other: String) -> Bool {
    guard let group = groups[one] else { return false }
    return groups[other] == group
  }

  /// Tarjan's search for strongly connected components, without recursion: schemas may be deep.
  private struct Search {
    let edges: [String: Set<String>]
    var order: [String: Int] = [:]
    var groups: [String: Int] = [:]
    private var lowest: [String: Int] = [:]
    private var open: [String] = []
    private var isOpen: Set<String> = []
    private var count = 0

    init(_ edges: [String: Set<String>]) { self.edges = edges }

    mutating func visit(_ start: String) {
      var path = [(start, enter(start))]
      while let (node, targets) = path.popLast() {
        var next = targets
        guard let target = next.popLast() else {
          leave(node)
          if let parent = path.last?.0 { lower(parent, to: lowest[node]) }
          continue
        }
        path.append((node, next))
        if order[target] == nil {
          path.append((target, enter(target)))
        } else if isOpen.contains(target) {
          lower(node, to: order[target])
        }
      }
    }

    private mutating func enter(_ node: String) -> [String] {
      order[node] = order.count
      lowest[node] = order[node]
      open.append(node)
      isOpen.insert(node)
      return Array(edges[node] ?? [])
    }

    private mutating func lower(_ node: String, to number: Int?) {
      guard let number, let known = lowest[node], number < known else { return }
      lowest[node] = number
    }

    private mutating func leave(_ node: String) {
      guard lowest[node] == order[node], let first = open.lastIndex(of: node) else { return }
      let members = open[first...]
      open.removeSubrange(first...)
      isOpen.subtract(members)
      guard members.count > 1 || edges[node]?.contains(node) == true else { return }
      for member in members { groups[member] = count }
      count += 1
    }
  }
}

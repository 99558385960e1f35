/// Builds the nodes in the order in which they are opened. Every opened node must be closed.
struct TreeBuilder {
  private(set) var nodes: [SyntaxTree.Node] = []

  /// A position from which nodes can be wrapped or removed.
  struct Mark {
    fileprivate let node: Int
  }

  var mark: Mark { Mark(node: nodes.count) }

  init(tokenCount: Int) { nodes.reserveCapacity(tokenCount / 3 + 8) }

  @inline(never) mutating func open(_ kind: SyntaxKind, at token: Int) -> Mark {
    let mark = mark
    nodes.append(.init(kind: kind, first: Int32(token), end: Int32(token), nodeEnd: 0))
    return mark
  }

  @inline(never) mutating func close(_ mark: Mark, _ kind: SyntaxKind? = nil, at token: Int) {
    if let kind { nodes[mark.node].kind = kind }
    nodes[mark.node].end = Int32(token)
    nodes[mark.node].nodeEnd = Int32(nodes.count)
  }

  /// Inserts a node around everything since a mark. The nodes inside move by one index.
  mutating func wrap(_ mark: Mark, in kind: SyntaxKind, from first: Int, to end: Int) {
    for index in mark.node..<nodes.count { nodes[index].nodeEnd += 1 }
    nodes.insert(
      .init(kind: kind, first: Int32(first), end: Int32(end), nodeEnd: Int32(nodes.count + 1)),
      at: mark.node)
  }

  mutating func rewind(to mark: Mark) { nodes.removeSubrange(mark.node...) }

  func kind(of mark: Mark) -> SyntaxKind { nodes[mark.node].kind }
}

extension Diagram {
  /// The part of the diagram within a distance of some cards. Edges to enums and structs do not count.
  ///
  /// Enums and structs stay if a remaining card uses them.
  package func focused(on names: Set<String>, depth: Int) -> Diagram {
    focused(depth: depth) { names.contains($0.name) }
  }

  /// The changed cards and their neighbours.
  package func focusedOnChanges(depth: Int) -> Diagram {
    var ends: Set<Int> = []
    for edge in edges where edge.change != nil && edge.kind != .use { ends.formUnion([edge.from, edge.to]) }
    let changed = Set(nodes.indices.filter { nodes[$0].isChanged || ends.contains($0) })
    return keeping(depth: depth, from: changed)
  }

  private func focused(depth: Int, _ isChosen: (DiagramNode) -> Bool) -> Diagram {
    keeping(depth: depth, from: Set(nodes.indices.filter { isChosen(nodes[$0]) }))
  }

  private func keeping(depth: Int, from start: Set<Int>) -> Diagram {
    var neighbours: [[Int]] = Array(repeating: [], count: nodes.count)
    for edge in edges where edge.kind != .use || !nodes[edge.from].isModel || start.contains(edge.to) {
      neighbours[edge.from].append(edge.to)
      neighbours[edge.to].append(edge.from)
    }
    var kept = start
    var front = start
    for _ in 0..<min(max(depth, 0), nodes.count) where !front.isEmpty {
      front = Set(front.flatMap { neighbours[$0] }).subtracting(kept)
      kept.formUnion(front)
    }
    // Keep the enums and structs that remaining cards use.
    var isGrowing = true
    while isGrowing {
      let types = edges.filter { $0.kind == .use && kept.contains($0.from) && !kept.contains($0.to) }.map(\.to)
      kept.formUnion(types)
      isGrowing = !types.isEmpty
    }
    return keeping(kept)
  }

  /// The diagram without enums and structs.
  package var withoutValues: Diagram { keeping(Set(nodes.indices.filter { nodes[$0].isModel })) }

  private func keeping(_ kept: Set<Int>) -> Diagram {
    var result = self
    var places: [Int: Int] = [:]
    for index in nodes.indices where kept.contains(index) { places[index] = places.count }
    result.nodes = nodes.indices.filter(kept.contains).map { index in
      var node = nodes[index]
      for row in node.rows.indices { node.rows[row].target = node.rows[row].target.flatMap { places[$0] } }
      return node
    }
    result.edges = edges.compactMap { edge in
      guard let from = places[edge.from], let to = places[edge.to] else { return nil }
      var edge = edge
      (edge.from, edge.to) = (from, to)
      return edge
    }
    result.hiddenModels += nodes.count { $0.isModel } - result.nodes.count { $0.isModel }
    return result
  }
}

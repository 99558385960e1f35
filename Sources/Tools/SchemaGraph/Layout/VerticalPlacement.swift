/// Determines the y coordinates for cards in ordered columns. Cards are aligned with connected cards as far as the
/// remaining cards in the column permit.
struct VerticalPlacement {
  static let gap = 26.0
  /// The distance between passing lines, and between passing lines and cards.
  static let lineGap = 4.0

  private let graph: LayeredGraph
  private var tops: [Double]

  /// Returns the top of each vertex.
  static func tops(of graph: LayeredGraph) -> [Double] {
    var placement = Self(graph: graph)
    placement.run()
    placement.straighten()
    let first = placement.tops.min() ?? 0
    return placement.tops.map { ($0 - first).rounded() }
  }

  private init(graph: LayeredGraph) {
    self.graph = graph
    tops = Array(repeating: 0, count: graph.vertices.count)
    for column in graph.columns {
      // Center all columns on the same axis.
      let total = zip(column, column.dropFirst()).reduce(column.last.map { graph.vertices[$0].height } ?? 0) {
        $0 + distance($1.0, $1.1)
      }
      var y = -total / 2
      for (index, vertex) in column.enumerated() {
        tops[vertex] = y
        if index + 1 < column.count { y += distance(vertex, column[index + 1]) }
      }
    }
  }

  /// Returns the minimum distance between the tops of two adjacent vertices.
  private func distance(_ upper: Int, _ lower: Int) -> Double {
    let (a, b) = (graph.vertices[upper], graph.vertices[lower])
    let gap =
      a.card != nil && b.card != nil ? Self.gap : a.card == nil && b.card == nil ? Self.lineGap : Self.gap / 2
    return a.height + gap
  }

  private mutating func run() {
    for round in 0..<10 {
      for column in graph.columns.indices.dropFirst() { settle(column, before: true, after: false) }
      for column in graph.columns.indices.dropLast().reversed() { settle(column, before: false, after: true) }
      if round > 6 {
        for column in graph.columns.indices { settle(column, before: true, after: true) }
      }
    }
  }

  /// Finds positions that keep the order and the distances, as near as possible to the desired positions. Neighbors
  /// that compete for a position move as a group.
  private mutating func settle(_ column: Int, before: Bool, after: Bool) {
    struct Block {
      var sum: Double
      var weight: Double
      var count: Int
      var mean: Double { sum / weight }
    }
    var blocks: [Block] = []
    var shift = 0.0
    var shifts: [Double] = []
    let vertices = graph.columns[column]
    for (index, vertex) in vertices.enumerated() {
      if index > 0 { shift += distance(vertices[index - 1], vertex) }
      shifts.append(shift)
      let (wanted, weight) = wish(vertex, before: before, after: after)
      var block = Block(sum: (wanted - shift) * weight, weight: weight, count: 1)
      while let last = blocks.last, last.mean >= block.mean {
        blocks.removeLast()
        block.sum += last.sum
        block.weight += last.weight
        block.count += last.count
      }
      blocks.append(block)
    }
    var index = 0
    for block in blocks {
      for _ in 0..<block.count {
        tops[vertices[index]] = block.mean + shifts[index]
        index += 1
      }
    }
  }

  /// Aligns passing lines with their start or end if there is space, because a small step in a line looks like a
  /// mistake.
  private mutating func straighten() {
    for isForward in [true, false, true] {
      for column in isForward ? Array(graph.columns.indices) : graph.columns.indices.reversed() {
        let vertices = graph.columns[column]
        for (place, vertex) in vertices.enumerated() where graph.vertices[vertex].card == nil {
          let low = place > 0 ? tops[vertices[place - 1]] + distance(vertices[place - 1], vertex) : -Double.infinity
          let high =
            place + 1 < vertices.count ? tops[vertices[place + 1]] - distance(vertex, vertices[place + 1]) : .infinity
          let wanted = (isForward ? graph.before : graph.after)[vertex].first.map { index in
            let segment = graph.segments[index]
            return isForward
              ? tops[segment.from] + segment.fromOffset - segment.toOffset
              : tops[segment.to] + segment.toOffset - segment.fromOffset
          }
          guard let wanted, wanted >= low, wanted <= high, abs(wanted - tops[vertex]) < 60 else { continue }
          tops[vertex] = wanted
        }
      }
    }
  }

  private func wish(_ vertex: Int, before: Bool, after: Bool) -> (Double, Double) {
    var sum = 0.0
    var weight = 0.0
    func add(_ other: Int, _ there: Double, _ here: Double) {
      let isLine = graph.vertices[vertex].card == nil
      let isOtherLine = graph.vertices[other].card == nil
      // Straight long lines have the highest priority.
      let own = isLine && isOtherLine ? 8.0 : isLine || isOtherLine ? 2.0 : 1.0
      sum += (tops[other] + there - here) * own
      weight += own
    }
    if before {
      for index in graph.before[vertex] {
        let segment = graph.segments[index]
        add(segment.from, segment.fromOffset, segment.toOffset)
      }
    }
    if after {
      for index in graph.after[vertex] {
        let segment = graph.segments[index]
        add(segment.to, segment.toOffset, segment.fromOffset)
      }
    }
    return weight == 0 ? (tops[vertex], 0.05) : (sum / weight, weight)
  }
}

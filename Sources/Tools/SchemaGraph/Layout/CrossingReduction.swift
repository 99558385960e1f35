/// Orders the cards in each column to reduce crossings: by the barycenter of connected cards in alternating sweeps,
/// then by swapping neighbors.
struct CrossingReduction {
  private var graph: LayeredGraph
  private var places: [Double]

  /// Returns the columns in the best order found.
  static func columns(of graph: LayeredGraph) -> [[Int]] {
    var search = Self(graph: graph)
    return search.run()
  }

  private init(graph: LayeredGraph) {
    self.graph = graph
    places = Array(repeating: 0, count: graph.vertices.count)
    for column in graph.columns.indices { number(column) }
  }

  private mutating func run() -> [[Int]] {
    guard graph.columns.count > 1 else { return graph.columns }
    var best = graph.columns
    var fewest = crossings
    var idle = 0
    for round in 0..<24 where fewest > 0 && idle < 6 {
      if round % 2 == 0 {
        for column in graph.columns.indices.dropFirst() { sort(column, graph.before, isBefore: true) }
      } else {
        for column in graph.columns.indices.dropLast().reversed() { sort(column, graph.after, isBefore: false) }
      }
      if graph.vertices.count < 600 { swapNeighbours() }
      let count = crossings
      idle += 1
      if count < fewest {
        (fewest, best) = (count, graph.columns)
        idle = 0
      }
    }
    return best
  }

  private mutating func number(_ column: Int) {
    for (index, vertex) in graph.columns[column].enumerated() { places[vertex] = Double(index) }
  }

  /// Returns the position of a segment's end in its column.
  private func place(_ vertex: Int, _ offset: Double) -> Double {
    places[vertex] + offset / max(graph.vertices[vertex].height, 1) * 0.9
  }

  private mutating func sort(_ column: Int, _ segments: [[Int]], isBefore: Bool) {
    let wanted = graph.columns[column].map { vertex -> Double in
      let others = segments[vertex].map { index -> Double in
        let segment = graph.segments[index]
        // Align rows with the destinations.
        return isBefore
          ? place(segment.from, segment.fromOffset) - segment.toOffset / max(graph.vertices[vertex].height, 1) * 0.5
          : place(segment.to, segment.toOffset) - segment.fromOffset / max(graph.vertices[vertex].height, 1) * 0.5
      }
      guard !others.isEmpty else { return places[vertex] }
      return others.reduce(0, +) / Double(others.count)
    }
    let order = graph.columns[column].indices.sorted { a, b in
      wanted[a] == wanted[b] ? a < b : wanted[a] < wanted[b]
    }
    graph.columns[column] = order.map { graph.columns[column][$0] }
    number(column)
  }

  private mutating func swapNeighbours() {
    for column in graph.columns.indices {
      var isMoving = true
      for _ in 0..<4 where isMoving {
        isMoving = false
        for index in graph.columns[column].indices.dropLast() {
          let (upper, lower) = (graph.columns[column][index], graph.columns[column][index + 1])
          guard crossings(lower, upper) < crossings(upper, lower) else { continue }
          graph.columns[column].swapAt(index, index + 1)
          number(column)
          isMoving = true
        }
      }
    }
  }

  /// Returns the number of crossings between the lines of two neighbors in the given order.
  private func crossings(_ upper: Int, _ lower: Int) -> Int {
    var count = 0
    for a in graph.before[upper] {
      for b in graph.before[lower] where end(a, true) > end(b, true) { count += 1 }
    }
    for a in graph.after[upper] {
      for b in graph.after[lower] where end(a, false) > end(b, false) { count += 1 }
    }
    return count
  }

  private func end(_ index: Int, _ isLeft: Bool) -> Double {
    let segment = graph.segments[index]
    return isLeft ? place(segment.from, segment.fromOffset) : place(segment.to, segment.toOffset)
  }

  private var crossings: Int {
    var byColumn: [[Int]] = Array(repeating: [], count: graph.columns.count)
    for (index, segment) in graph.segments.enumerated() { byColumn[graph.vertices[segment.from].layer].append(index) }
    var count = 0
    for segments in byColumn {
      let ends = segments.map { (end($0, true), end($0, false)) }.sorted { $0 < $1 }.map(\.1)
      count += Self.inversions(ends)
    }
    return count
  }

  /// Returns the number of pairs in the wrong order.
  static func inversions(_ values: [Double]) -> Int {
    guard values.count > 1 else { return 0 }
    var values = values
    var buffer = values
    var count = 0
    var width = 1
    while width < values.count {
      var start = 0
      while start < values.count {
        let middle = min(start + width, values.count)
        let end = min(start + 2 * width, values.count)
        var (left, right) = (start, middle)
        for place in start..<end {
          if left < middle, right >= end || values[left] <= values[right] {
            buffer[place] = values[left]
            left += 1
          } else {
            if left < middle { count += middle - left }
            buffer[place] = values[right]
            right += 1
          }
        }
        start += 2 * width
      }
      swap(&values, &buffer)
      width *= 2
    }
    return count
  }
}

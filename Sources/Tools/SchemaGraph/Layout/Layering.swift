/// Assigns connected cards to columns so that lines run from left to right.
struct Layering {
  /// Each card's column.
  private(set) var layers: [Int]
  private let count: Int
  private let heights: [Double]
  private let limit: Double
  private var out: [[Int]]
  private var back: [[Int]]

  /// - Parameters:
  ///   - heights: The card heights including gaps.
  ///   - links: Pairs of different cards, each pair once.
  ///   - limit: The maximum height of a column that has more than one card.
  init(heights: [Double], links: [(from: Int, to: Int)], limit: Double) {
    count = heights.count
    self.heights = heights
    self.limit = limit
    layers = Array(repeating: 0, count: count)
    out = Array(repeating: [], count: count)
    back = out
    for link in Self.balanced(Self.acyclic(links, count), heights, limit) {
      out[link.from].append(link.to)
      back[link.to].append(link.from)
    }
    place()
    for _ in 0..<4 { tighten() }
    let first = layers.min() ?? 0
    for node in layers.indices { layers[node] -= first }
    compact()
    fold()
  }

  /// Reverses links to remove cycles. Cards are ordered with sources first and sinks last; between them, the card with
  /// the largest excess of outgoing links comes first. Links against this order are reversed.
  private static func acyclic(_ links: [(from: Int, to: Int)], _ count: Int) -> [(from: Int, to: Int)] {
    var out: [[Int]] = Array(repeating: [], count: count)
    var back = out
    for link in links {
      out[link.from].append(link.to)
      back[link.to].append(link.from)
    }
    var outgoing = out.map(\.count)
    var incoming = back.map(\.count)
    var isLeft = Array(repeating: true, count: count)
    var front: [Int] = []
    var end: [Int] = []
    var ready = Array((0..<count).filter { incoming[$0] == 0 || outgoing[$0] == 0 }.reversed())
    for _ in 0..<count {
      var chosen: Int?
      while chosen == nil, let next = ready.popLast() { if isLeft[next] { chosen = next } }
      let node =
        chosen
        ?? (0..<count).filter { isLeft[$0] }.max {
          let (a, b) = (outgoing[$0] - incoming[$0], outgoing[$1] - incoming[$1])
          return a == b ? $0 > $1 : a < b
        }
      guard let node else { break }
      isLeft[node] = false
      if incoming[node] > 0, outgoing[node] == 0 { end.append(node) } else { front.append(node) }
      for next in out[node] where isLeft[next] {
        incoming[next] -= 1
        if incoming[next] == 0 { ready.append(next) }
      }
      for next in back[node] where isLeft[next] {
        outgoing[next] -= 1
        if outgoing[next] == 0 { ready.append(next) }
      }
    }
    var rank = Array(repeating: 0, count: count)
    for (index, node) in (front + end.reversed()).enumerated() { rank[node] = index }
    return links.map { rank[$0.from] < rank[$0.to] ? $0 : (from: $0.to, to: $0.from) }
  }

  /// Moves some of a card's leaves to the opposite side if they do not fit on a single side.
  private static func balanced(
    _ links: [(from: Int, to: Int)], _ heights: [Double], _ limit: Double
  ) -> [(from: Int, to: Int)] {
    var degree = Array(repeating: 0, count: heights.count)
    for link in links {
      degree[link.from] += 1
      degree[link.to] += 1
    }
    var sums = Array(repeating: 0.0, count: heights.count)
    return links.map { link in
      guard degree[link.to] == 1, degree[link.from] > 2 else { return link }
      sums[link.from] += heights[link.to]
      let isOver = Int(sums[link.from] / max(limit, 1)) % 2 == 1
      return isOver ? (from: link.to, to: link.from) : link
    }
  }

  /// Assigns each card to the first column with space after the card's predecessors.
  private mutating func place() {
    var waiting = back.map(\.count)
    var ready = (0..<count).filter { waiting[$0] == 0 }
    var used: [Double] = []
    var next = 0
    while next < ready.count {
      let node = ready[next]
      next += 1
      var layer = (back[node].map { layers[$0] + 1 }).max() ?? 0
      while layer < used.count, used[layer] > 0, used[layer] + heights[node] > limit { layer += 1 }
      while used.count <= layer { used.append(0) }
      used[layer] += heights[node]
      layers[node] = layer
      for follower in out[node] {
        waiting[follower] -= 1
        if waiting[follower] == 0 { ready.append(follower) }
      }
    }
  }

  /// Moves cards to columns that shorten the lines.
  private mutating func tighten() {
    var used: [Int: Double] = [:]
    for node in 0..<count { used[layers[node], default: 0] += heights[node] }
    let order = (0..<count).sorted { (-layers[$0], $0) < (-layers[$1], $1) }
    for node in order {
      let low = back[node].map { layers[$0] + 1 }.max() ?? Int.min
      let high = out[node].map { layers[$0] - 1 }.min() ?? Int.max
      guard low <= high else { continue }
      let around = (back[node].map { layers[$0] + 1 } + out[node].map { layers[$0] - 1 }).sorted()
      guard !around.isEmpty else { continue }
      let wanted = min(max(around[around.count / 2], low), high)
      let current = layers[node]
      let step = wanted < current ? -1 : 1
      var layer = wanted
      // Stop at the nearest column with space.
      while layer != current, used[layer, default: 0] > 0, used[layer, default: 0] + heights[node] > limit {
        layer -= step
      }
      guard layer != current else { continue }
      used[current, default: 0] -= heights[node]
      used[layer, default: 0] += heights[node]
      layers[node] = layer
    }
  }

  /// Merges adjacent short columns if there is space. Lines within a column pass on the right side.
  private mutating func fold() {
    var columns: [Double] = []
    for node in 0..<count {
      while columns.count <= layers[node] { columns.append(0) }
      columns[layers[node]] += heights[node]
    }
    while columns.count > 3 {
      let pairs = columns.indices.dropLast().map { ($0, columns[$0] + columns[$0 + 1]) }
      guard let (first, sum) = pairs.min(by: { $0.1 < $1.1 }), sum <= limit else { return }
      columns[first] = sum
      columns.remove(at: first + 1)
      for node in 0..<count where layers[node] > first { layers[node] -= 1 }
    }
  }

  /// Removes empty columns.
  private mutating func compact() {
    let kept = Set(layers).sorted()
    let numbers = Dictionary(kept.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for node in layers.indices { layers[node] = numbers[layers[node]] ?? 0 }
  }
}

/// The positions of all diagram parts on the page.
struct DiagramLayout: Sendable {
  struct Caption: Equatable, Sendable {
    var text: String
    var place: Point
  }

  static let margin = 36.0
  static let blockGap = 64.0
  static let gridGap = 22.0

  private(set) var cards: [Card]
  private(set) var frames: [Rectangle]
  /// The corners of each edge; empty for edges that are not drawn.
  private(set) var paths: [[Point]]
  private(set) var captions: [Caption] = []
  private(set) var width = 0.0
  private(set) var height = 0.0

  init(_ diagram: Diagram) {
    cards = diagram.nodes.map { Card($0) }
    frames = cards.map { Rectangle(x: 0, y: 0, width: $0.width, height: $0.height) }
    paths = Array(repeating: [], count: diagram.edges.count)
    let drawn = diagram.edges.indices.filter { diagram.edges[$0].kind != .use }
    let groups = Self.components(diagram.nodes.count, drawn.map { (diagram.edges[$0].from, diagram.edges[$0].to) })
    var blocks: [BlockLayout] = []
    var alone: [Int] = []
    for nodes in groups {
      let members = Set(nodes)
      let edges = drawn.filter { members.contains(diagram.edges[$0].from) }
      if edges.isEmpty {
        alone += nodes
      } else {
        blocks.append(BlockLayout(diagram, nodes: nodes, edges: edges, cards: cards))
      }
    }
    blocks.sort { $0.width * $0.height > $1.width * $1.height }
    let area =
      blocks.reduce(0) { $0 + ($1.width + Self.blockGap) * ($1.height + Self.blockGap) }
      + alone.reduce(0) { $0 + (cards[$1].width + Self.gridGap) * (cards[$1].height + Self.gridGap) }
    let limit = max(blocks.map(\.width).max() ?? 0, (area * 1.7).squareRoot(), 420)
    place(blocks, limit)
    let models = alone.filter { diagram.nodes[$0].isModel }
    grid(models, limit, blocks.isEmpty ? nil : "Models without relationships")
    grid(alone.filter { !diagram.nodes[$0].isModel }, limit, "Enums and structs")
    width = (frames.map(\.right) + paths.joined().map(\.x)).max() ?? 0
    height = (frames.map(\.bottom) + paths.joined().map(\.y)).max() ?? 0
    move(Self.margin, Self.margin)
    width += Self.margin * 2
    height += Self.margin * 2
  }

  /// Arranges blocks in rows, largest first.
  private mutating func place(_ blocks: [BlockLayout], _ limit: Double) {
    var x = 0.0
    var y = 0.0
    var row = 0.0
    for block in blocks {
      if x > 0, x + block.width > limit {
        y += row + Self.blockGap
        (x, row) = (0, 0)
      }
      for (node, frame) in block.frames {
        frames[node].x = frame.x + x
        frames[node].y = frame.y + y
      }
      for (edge, points) in block.paths { paths[edge] = points.map { Point($0.x + x, $0.y + y) } }
      x += block.width + Self.blockGap
      row = max(row, block.height)
    }
    height = blocks.isEmpty ? 0 : y + row
  }

  /// Arranges cards in columns with equal width, each card in the shortest column.
  private mutating func grid(_ nodes: [Int], _ limit: Double, _ caption: String?) {
    guard !nodes.isEmpty else { return }
    var top = height == 0 ? 0 : height + Self.blockGap * 0.75
    if let caption {
      captions.append(Caption(text: caption, place: Point(0, top + 12)))
      top += 28
    }
    let wide = nodes.map { cards[$0].width }.max() ?? 0
    let count = min(max(1, Int((limit + Self.gridGap) / (wide + Self.gridGap))), nodes.count)
    var bottoms = Array(repeating: top, count: count)
    for node in nodes {
      let column = bottoms.indices.min { bottoms[$0] == bottoms[$1] ? $0 < $1 : bottoms[$0] < bottoms[$1] } ?? 0
      frames[node] = Rectangle(
        x: Double(column) * (wide + Self.gridGap), y: bottoms[column], width: wide, height: cards[node].height)
      bottoms[column] += cards[node].height + Self.gridGap
    }
    height = (bottoms.max() ?? top) - Self.gridGap
  }

  private mutating func move(_ x: Double, _ y: Double) {
    for index in frames.indices {
      frames[index].x += x
      frames[index].y += y
    }
    for index in paths.indices { paths[index] = paths[index].map { Point($0.x + x, $0.y + y) } }
    for index in captions.indices {
      captions[index].place = Point(captions[index].place.x + x, captions[index].place.y + y)
    }
  }

  /// Returns the connected components, sorted by first node, with the nodes in each in ascending order.
  static func components(_ count: Int, _ links: [(Int, Int)]) -> [[Int]] {
    var parents = Array(0..<count)
    func root(_ node: Int) -> Int {
      var node = node
      while parents[node] != node {
        parents[node] = parents[parents[node]]
        node = parents[node]
      }
      return node
    }
    for (a, b) in links {
      let (x, y) = (root(a), root(b))
      parents[max(x, y)] = min(x, y)
    }
    var groups: [Int: [Int]] = [:]
    for node in 0..<count { groups[root(node), default: []].append(node) }
    return groups.values.sorted { $0[0] < $1[0] }
  }
}

/// The positions of connected cards and the paths between them.
struct BlockLayout {
  /// The frames by node index in the diagram.
  private(set) var frames: [Int: Rectangle] = [:]
  /// The corners by edge index in the diagram, from the start card to the end card.
  private(set) var paths: [Int: [Point]] = [:]
  private(set) var width = 0.0
  private(set) var height = 0.0

  init(_ diagram: Diagram, nodes: [Int], edges: [Int], cards: [Card]) {
    let own = nodes.map { cards[$0] }
    let layers = Layering(
      heights: own.map { $0.height + VerticalPlacement.gap }, links: Self.links(diagram, nodes, edges),
      limit: Self.limit(own)
    ).layers
    let lines = BlockLines(diagram, nodes: nodes, edges: edges, cards: cards, layers: layers)
    var graph = LayeredGraph(
      heights: own.map(\.height), layers: layers,
      lines: lines.forward.map {
        .init(left: $0.left, right: $0.right, leftOffset: $0.leftOffset, rightOffset: $0.rightOffset)
      })
    graph.columns = CrossingReduction.columns(of: graph)
    let tops = VerticalPlacement.tops(of: graph)
    let channels = BlockChannels(diagram, graph, lines, layers: layers, tops: tops)

    var x = 0.0
    var origins: [Double] = []
    for column in graph.columns.indices {
      let members = graph.columns[column].compactMap { vertex in graph.vertices[vertex].card.map { (vertex, $0) } }
      let wide = members.map { own[$0.1].width }.max() ?? 0
      for (vertex, card) in members {
        frames[nodes[card]] = Rectangle(
          x: x + ((wide - own[card].width) / 2).rounded(), y: tops[vertex], width: own[card].width,
          height: own[card].height)
      }
      origins.append(x + wide)
      x += wide + channels.width(column)
    }
    width = x
    draw(lines, graph, tops, nodes, channels.places(origins))
    moveIntoSight()
  }

  /// Returns each pair of connected cards once.
  private static func links(_ diagram: Diagram, _ nodes: [Int], _ edges: [Int]) -> [(from: Int, to: Int)] {
    let places = Dictionary(nodes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var links: [(from: Int, to: Int)] = []
    var linked: Set<[Int]> = []
    for index in edges {
      let edge = diagram.edges[index]
      guard let from = places[edge.from], let to = places[edge.to], from != to else { continue }
      if linked.insert([min(from, to), max(from, to)]).inserted { links.append((from, to)) }
    }
    return links
  }

  /// Returns a column height limit that makes the block wider than it is high, like a screen.
  private static func limit(_ cards: [Card]) -> Double {
    let area = cards.reduce(0) { $0 + ($1.width + 130) * ($1.height + VerticalPlacement.gap) }
    let highest = cards.map { $0.height + VerticalPlacement.gap }.max() ?? 0
    return max((area / 1.6).squareRoot(), highest, 300)
  }

  /// - Parameter tracks: The x coordinates for vertical line segments.
  private mutating func draw(
    _ lines: BlockLines, _ graph: LayeredGraph, _ tops: [Double], _ nodes: [Int],
    _ tracks: [BlockChannels.Owner: Double]
  ) {
    for (index, line) in lines.forward.enumerated() {
      guard let left = frames[nodes[line.left]], let right = frames[nodes[line.right]] else { continue }
      var points = [Point(left.right, left.y + line.leftOffset)]
      for step in graph.ways[index] {
        guard let track = tracks[.segment(step)] else { continue }
        let segment = graph.segments[step]
        points.append(Point(track, tops[segment.from] + segment.fromOffset))
        points.append(Point(track, tops[segment.to] + segment.toOffset))
      }
      points.append(Point(right.x, right.y + line.rightOffset))
      paths[line.edge] = line.isTurned ? points.reversed() : points
    }
    for (index, loop) in lines.loops.enumerated() {
      guard let from = frames[nodes[loop.from]], let to = frames[nodes[loop.to]], let track = tracks[.loop(index)]
      else { continue }
      let (start, end) = (from.y + loop.start, to.y + loop.end)
      paths[loop.edge] = [Point(from.right, start), Point(track, start), Point(track, end), Point(to.right, end)]
    }
  }

  /// Shifts the block down if lines pass above the highest card.
  private mutating func moveIntoSight() {
    let ys = paths.values.flatMap { $0.map(\.y) }
    let top = min(ys.min() ?? 0, 0)
    height = max(frames.values.map(\.bottom).max() ?? 0, ys.max() ?? 0) - top
    guard top < 0 else { return }
    for key in frames.keys { frames[key]?.y -= top }
    for key in paths.keys { paths[key] = paths[key]?.map { Point($0.x, $0.y - top) } }
  }
}

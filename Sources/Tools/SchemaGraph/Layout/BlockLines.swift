/// A block's lines, classified once the card columns are known.
struct BlockLines {
  /// A line to a column on the right. Cards are indices in the block.
  struct Forward {
    var edge: Int
    var left: Int
    var right: Int
    var leftOffset: Double
    var rightOffset: Double
    /// True if the edge starts at the card on the right.
    var isTurned: Bool
  }

  /// A line around the right side of a column to a card in that column.
  struct Loop {
    var edge: Int
    var from: Int
    var to: Int
    var start: Double
    var end: Double
  }

  private(set) var forward: [Forward] = []
  private(set) var loops: [Loop] = []

  init(_ diagram: Diagram, nodes: [Int], edges: [Int], cards: [Card], layers: [Int]) {
    let places = Dictionary(nodes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var ports = Ports(diagram, cards: cards)
    for index in edges {
      let edge = diagram.edges[index]
      guard let from = places[edge.from], let to = places[edge.to] else { continue }
      let start = ports.offset(of: edge.source, of: edge, at: edge.from)
      let end = ports.offset(of: edge.target, of: edge, at: edge.to)
      if from == to, abs(start - end) < 10 {
        loops.append(Loop(edge: index, from: from, to: to, start: start - 5, end: start + 5))
      } else if layers[from] == layers[to] {
        loops.append(Loop(edge: index, from: from, to: to, start: start, end: end))
      } else if layers[from] < layers[to] {
        forward.append(
          Forward(edge: index, left: from, right: to, leftOffset: start, rightOffset: end, isTurned: false))
      } else {
        forward.append(
          Forward(edge: index, left: to, right: from, leftOffset: end, rightOffset: start, isTurned: true))
      }
    }
  }
}

/// The channels after a block's columns, with space for labels at the cards.
struct BlockChannels {
  enum Owner: Hashable {
    case segment(Int)
    case loop(Int)
  }

  private var owners: [[Owner]]
  private let channels: [Channel]
  private var leftRoom: [Double]
  private var rightRoom: [Double]

  init(_ diagram: Diagram, _ graph: LayeredGraph, _ lines: BlockLines, layers: [Int], tops: [Double]) {
    let count = graph.columns.count
    owners = Array(repeating: [], count: count)
    leftRoom = Array(repeating: 0, count: count)
    rightRoom = leftRoom
    var passages: [[Channel.Passage]] = Array(repeating: [], count: count)
    for (index, segment) in graph.segments.enumerated() {
      let column = graph.vertices[segment.from].layer
      owners[column].append(.segment(index))
      passages[column].append(
        .init(
          start: tops[segment.from] + segment.fromOffset, end: tops[segment.to] + segment.toOffset,
          group: Self.group(diagram.edges[lines.forward[segment.line].edge])))
    }
    for (index, loop) in lines.loops.enumerated() {
      let column = layers[loop.from]
      owners[column].append(.loop(index))
      passages[column].append(
        .init(
          start: tops[loop.from] + loop.start, end: tops[loop.to] + loop.end, returns: true,
          group: Self.group(diagram.edges[loop.edge])))
      let labels = diagram.edges[loop.edge].labels
      leftRoom[column] = max(leftRoom[column], labels.from.extent, labels.to.extent)
    }
    for line in lines.forward {
      let labels = diagram.edges[line.edge].labels
      let (left, right) = line.isTurned ? (labels.to, labels.from) : (labels.from, labels.to)
      leftRoom[layers[line.left]] = max(leftRoom[layers[line.left]], left.extent)
      rightRoom[layers[line.right] - 1] = max(rightRoom[layers[line.right] - 1], right.extent)
    }
    channels = passages.map { Channel($0) }
  }

  /// Edges to submodels share a line.
  private static func group(_ edge: DiagramEdge) -> Int? { edge.kind == .inheritance ? edge.from : nil }

  private func start(_ column: Int) -> Double { max(leftRoom[column], 14) + 6 }

  /// Returns the distance from a column to the next column.
  func width(_ column: Int) -> Double {
    let isLast = column == channels.count - 1
    let used = owners[column].isEmpty ? 0 : start(column) + Double(channels[column].trackCount) * Channel.trackWidth
    return used + (isLast ? 0 : max(rightRoom[column], 14) + 6)
  }

  /// Returns the x coordinates for vertical line segments.
  ///
  /// - Parameter origins: The columns' right edges.
  func places(_ origins: [Double]) -> [Owner: Double] {
    var places: [Owner: Double] = [:]
    for column in channels.indices {
      for (owner, track) in zip(owners[column], channels[column].tracks) {
        guard let track else { continue }
        places[owner] = origins[column] + start(column) + (Double(track) + 0.5) * Channel.trackWidth
      }
    }
    return places
  }
}

/// Cards in columns, with the lines that lead past a column as thin cards of that column.
struct LayeredGraph {
  struct Vertex {
    var layer: Int
    var height: Double
    /// The place of the card; nil where a line leads past.
    var card: Int?
  }

  /// A line from a column to the next one.
  struct Segment {
    var from: Int
    var to: Int
    /// Where it begins and ends, from the top of the vertices.
    var fromOffset: Double
    var toOffset: Double
    var line: Int
  }

  /// A line between two cards: `left` is in a column before that of `right`.
  struct Line {
    var left: Int
    var right: Int
    var leftOffset: Double
    var rightOffset: Double
  }

  /// How much of a column a line takes that leads past.
  static let lineHeight = 10.0

  private(set) var vertices: [Vertex] = []
  private(set) var segments: [Segment] = []
  /// The segments of each line, from left to right.
  private(set) var ways: [[Int]] = []
  /// Vertices in the order from top to bottom.
  var columns: [[Int]]
  /// Segments by the vertices they lead to, and those they come from.
  private(set) var before: [[Int]] = []
  private(set) var after: [[Int]] = []

  init(heights: [Double], layers: [Int], lines: [Line]) {
    columns = Array(repeating: [], count: (layers.max() ?? -1) + 1)
    for (card, height) in heights.enumerated() {
      columns[layers[card]].append(vertices.count)
      vertices.append(Vertex(layer: layers[card], height: height, card: card))
    }
    for (index, line) in lines.enumerated() {
      var way: [Int] = []
      var current = line.left
      var offset = line.leftOffset
      for layer in (layers[line.left] + 1)..<max(layers[line.right] + 1, layers[line.left] + 2) {
        var next = line.right
        var end = line.rightOffset
        if layer < layers[line.right] {
          next = vertices.count
          end = Self.lineHeight / 2
          columns[layer].append(next)
          vertices.append(Vertex(layer: layer, height: Self.lineHeight, card: nil))
        }
        way.append(segments.count)
        segments.append(Segment(from: current, to: next, fromOffset: offset, toOffset: end, line: index))
        (current, offset) = (next, end)
      }
      ways.append(way)
    }
    before = Array(repeating: [], count: vertices.count)
    after = before
    for (index, segment) in segments.enumerated() {
      before[segment.to].append(index)
      after[segment.from].append(index)
    }
  }
}

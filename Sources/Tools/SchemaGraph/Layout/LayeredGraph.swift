/// Cards in columns. A line that passes through a column is a thin vertex in that column.
struct LayeredGraph {
  struct Vertex {
    var layer: Int
    var height: Double
    /// The card index; `nil` for a passing line.
    var card: Int?
  }

  /// A part of a line between adjacent columns.
  struct Segment {
    var from: Int
    var to: Int
    /// The offsets of both ends from the vertex tops.
    var fromOffset: Double
    var toOffset: Double
    var line: Int
  }

  /// A line between two cards. The column for `left` precedes the column for `right`.
  struct Line {
    var left: Int
    var right: Int
    var leftOffset: Double
    var rightOffset: Double
  }

  /// The height of a passing line in a column.
  static let lineHeight = 10.0

  private(set) var vertices: [Vertex] = []
  private(set) var segments: [Segment] = []
  /// Each line's segments, from left to right.
  private(set) var ways: [[Int]] = []
  /// The vertices in each column from top to bottom.
  var columns: [[Int]]
  /// The segments by end vertex; `after` contains the segments by start vertex.
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

import SchemaSyntax

extension Carried {
  /// Determines the left edge and the indentation width of copied text.
  init(_ range: Range<Int>, from first: Int, _ layout: Layout) {
    let columns = Self.columns(range, layout)
    let smallest = columns.min() ?? 0
    // Include the first line if it contains nothing else.
    let start = range.lowerBound
    let isOwn = layout.tokens[first...start].contains { $0.startsLine }
    let line = isOwn ? layout.bytes.leadingColumn(ofLineAt: Int(layout.tokens[start].start)) : smallest
    edge = min(line, smallest)
    step = 4
    var divisor = 0
    var least = Int.max
    for column in columns where column > edge {
      let depth = column - edge
      least = min(least, depth)
      divisor = Self.commonDivisor(divisor, depth)
    }
    // All indentations are multiples of a width other than four.
    if divisor == least, [2, 3, 8].contains(divisor) { step = divisor }
  }

  private static func commonDivisor(_ left: Int, _ right: Int) -> Int {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
  }

  /// Returns the columns of the lines that begin outside literals and comments.
  private static func columns(_ range: Range<Int>, _ layout: Layout) -> [Int] {
    var result: [Int] = []
    for token in range.dropFirst() where layout.gaps[token] == .carried {
      let end = Int(layout.tokens[token].start)
      var cursor = TriviaCursor(layout.bytes, Int(layout.tokens[token - 1].end)..<end)
      var lineStart: Int?
      while let piece = cursor.next() {
        switch piece {
        case .lineBreak: lineStart = cursor.offset
        case .comment:
          if let lineStart { result.append(layout.bytes.leadingColumn(from: lineStart, to: end).column) }
          lineStart = nil
        }
      }
      if let lineStart { result.append(layout.bytes.leadingColumn(from: lineStart, to: end).column) }
    }
    return result
  }
}

import SchemaSyntax

extension Writer {
  /// Writes a comment without trailing spaces.
  ///
  /// - Parameter column: The column of the first line; the other lines move with it. Nil after a token.
  mutating func comment(_ range: Range<Int>, column: Int?) {
    let shift = column.map { $0 - bytes.leadingColumn(ofLineAt: range.lowerBound) } ?? 0
    var lineStart = range.lowerBound
    var isFirst = true
    while true {
      let lineEnd = lineEnd(from: lineStart, in: range)
      let end = trimmed(lineStart, lineEnd)
      if isFirst {
        text.append(contentsOf: bytes[lineStart..<end])
      } else if end > lineStart {
        let (old, content) = bytes.leadingColumn(from: lineStart, to: end)
        if shift == 0 {
          text.append(contentsOf: bytes[lineStart..<content])
        } else {
          spaces(old + shift)
        }
        text.append(contentsOf: bytes[content..<end])
      }
      guard lineEnd < range.upperBound else { return }
      text.append(0x0A)
      isFirst = false
      lineStart = behindBreak(lineEnd, range.upperBound)
    }
  }

  /// Writes the trivia before a token of copied text with shifted lines, without trailing spaces, and with one blank
  /// line instead of several.
  mutating func lines(_ trivia: Range<Int>, _ carried: Carried, _ start: Int) {
    var cursor = TriviaCursor(bytes, trivia)
    var breaks = 0
    var written = trivia.lowerBound
    var lineStart = trivia.lowerBound
    while let piece = cursor.next() {
      switch piece {
      case .lineBreak:
        breaks += 1
        lineStart = cursor.offset
        written = cursor.offset
      case .comment(let range, _):
        if breaks > 0 {
          let old = bytes.leadingColumn(from: lineStart, to: range.lowerBound).column
          line(breaks > 1, carried.column(old, line: start))
          comment(range, column: carried.column(old, line: start))
        } else {
          text.append(contentsOf: bytes[written..<range.lowerBound])
          comment(range, column: nil)
        }
        breaks = 0
        written = range.upperBound
      }
    }
    if breaks > 0 {
      let old = bytes.leadingColumn(from: lineStart, to: trivia.upperBound).column
      line(breaks > 1, carried.column(old, line: start))
    } else {
      text.append(contentsOf: bytes[written..<trivia.upperBound])
    }
  }

  private func lineEnd(from start: Int, in range: Range<Int>) -> Int {
    var end = start
    while end < range.upperBound, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    return end
  }

  private func trimmed(_ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, bytes[end - 1] == 0x20 || (0x09...0x0C).contains(bytes[end - 1]) { end -= 1 }
    return end
  }

  private func behindBreak(_ offset: Int, _ end: Int) -> Int {
    bytes[offset] == 0x0D && offset + 1 < end && bytes[offset + 1] == 0x0A ? offset + 2 : offset + 1
  }
}

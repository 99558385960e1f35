import SchemaSyntax

/// Writes a file's tokens with the layout's gaps and the original comments.
struct Writer {
  let tree: SyntaxTree
  let bytes: UnsafeBufferPointer<UInt8>
  let layout: Layout
  var text: [UInt8] = []
  /// The start of the trivia before the next token. The trivia includes removed tokens.
  private var start = 0
  /// The start column of the current line.
  private var lineColumn = 0
  /// The current copied text, and the column of its first line.
  private var carried: (index: Int32, line: Int) = (-1, 0)

  init(_ tree: SyntaxTree, _ bytes: UnsafeBufferPointer<UInt8>, _ layout: Layout) {
    self.tree = tree
    self.bytes = bytes
    self.layout = layout
    text.reserveCapacity(bytes.count + bytes.count / 8)
  }

  mutating func run() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    for index in layout.tokens.indices {
      let token = layout.tokens[index]
      let gap = layout.gaps[index]
      let trivia = start..<max(start, Int(token.start))
      switch gap {
      case .leftOut: continue
      case .endOfFile: comments(trivia, gap, column: 0)
      case .raw where layout.facts[index].isDisjoint(with: .lineBreak):
        text.append(contentsOf: bytes[trivia])
      case .carried where layout.carried.indices.contains(Int(layout.places[index])):
        let place = layout.places[index]
        if carried.index != place { carried = (place, lineColumn) }
        lines(trivia, layout.carried[Int(place)], carried.line)
      default: write(trivia, gap, layout.facts[index], column: Int(layout.places[index]))
      }
      text.append(contentsOf: bytes[Int(token.start)..<Int(token.end)])
      start = Int(token.end)
    }
    if let last = text.last, last != 0x0A { text.append(0x0A) }
  }

  private mutating func write(_ trivia: Range<Int>, _ gap: Gap, _ facts: GapFacts, column: Int) {
    // Most gaps contain no comment. A comment may precede a removed token.
    if facts.isDisjoint(with: .comment), !bytes[trivia].contains(0x2F) {
      guard gap.breaksLine else {
        if gap == .space { text.append(0x20) }
        return
      }
      let isBlank = gap == .section || holdsBlankLine(trivia)
      return line(isBlank && gap.allowsBlankLine(isFirst: true, isLast: true), column)
    }
    comments(trivia, gap, column: column)
  }

  private func holdsBlankLine(_ trivia: Range<Int>) -> Bool {
    var cursor = TriviaCursor(bytes, trivia)
    var breaks = 0
    while let piece = cursor.next() {
      if case .lineBreak = piece { breaks += 1 } else { breaks = 0 }
      if breaks > 1 { return true }
    }
    return false
  }

  /// Writes a line break and indentation; nothing at the start of the file.
  mutating func line(_ isBlank: Bool, _ column: Int) {
    if !text.isEmpty {
      if isBlank { text.append(0x0A) }
      text.append(0x0A)
    }
    spaces(column)
    lineColumn = column
  }

  mutating func spaces(_ count: Int) {
    text.append(contentsOf: repeatElement(0x20, count: max(0, count)))
  }

  /// Writes the trivia before a token, including comments. Comments after a token remain on the token's line; all
  /// remaining comments are placed on separate lines.
  private mutating func comments(_ trivia: Range<Int>, _ gap: Gap, column: Int) {
    let isBeforeCloser = gap == .lineBeforeCloser || gap == .lineBetweenBraces
    let commentColumn = isBeforeCloser ? column + SchemaFormatter.indentation : column
    // An existing blank line satisfies the request for a blank line.
    let needsBlank = gap == .section && !holdsBlankLine(trivia)
    var cursor = TriviaCursor(bytes, trivia)
    var breaks = 0
    var isFirst = true
    var last: (isLine: Bool, isOwn: Bool)?
    while let piece = cursor.next() {
      guard case .comment(let range, let isLine) = piece else {
        breaks += 1
        continue
      }
      if breaks > 0 || last?.isLine ?? text.isEmpty {
        let isBlank = breaks > 1 && gap.allowsBlankLine(isFirst: isFirst, isLast: false)
        line(isBlank || (needsBlank && isFirst), commentColumn)
        isFirst = false
        comment(range, column: commentColumn)
        last = (isLine, true)
      } else {
        if isLine { text.append(0x20) }
        if isLine || cursor.passedSpace || gap != .nothing { text.append(0x20) }
        comment(range, column: nil)
        last = (isLine, last?.isOwn ?? false)
      }
      breaks = 0
    }
    if gap == .endOfFile { return }
    if let last, !last.isLine, last.isOwn, breaks == 0, !isBeforeCloser {
      text.append(0x20)
    } else if gap.breaksLine || last.map({ $0.isLine || ($0.isOwn && breaks > 0) }) ?? false {
      let isBlank = breaks > 1 && gap.allowsBlankLine(isFirst: isFirst, isLast: true)
      line(isBlank || (needsBlank && isFirst), column)
    } else if last == nil ? gap == .space : gap == .space || breaks > 0 || cursor.passedSpace {
      text.append(0x20)
    }
  }
}

extension Writer {
  /// Writes a comment and removes trailing spaces.
  ///
  /// - Parameter column: The first line's column; subsequent lines move with it. `nil` after a token.
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

  /// Writes the trivia before a token in copied text with shifted lines. Trailing spaces are removed, and consecutive
  /// blank lines are reduced to a single blank line.
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

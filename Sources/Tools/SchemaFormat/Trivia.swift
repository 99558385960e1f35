/// Iterates over the line breaks and comments between two tokens.
///
/// Spaces and removed tokens are skipped.
struct TriviaCursor {
  enum Piece {
    case lineBreak
    case comment(Range<Int>, isLine: Bool)
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var offset: Int
  let end: Int
  /// True if spaces were skipped before the last piece, or after it at the end.
  private(set) var passedSpace = false

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  mutating func next() -> Piece? {
    passedSpace = false
    while offset < end {
      switch bytes[offset] {
      case 0x0A:
        offset += 1
        return .lineBreak
      case 0x0D:
        offset += offset + 1 < end && bytes[offset + 1] == 0x0A ? 2 : 1
        return .lineBreak
      case 0x2F where offset + 1 < end && bytes[offset + 1] == 0x2F:
        let start = offset
        while offset < end, bytes[offset] != 0x0A, bytes[offset] != 0x0D { offset += 1 }
        return .comment(start..<offset, isLine: true)
      case 0x2F where offset + 1 < end && bytes[offset + 1] == 0x2A:
        return .comment(block(), isLine: false)
      default:
        offset += 1
        passedSpace = true
      }
    }
    return nil
  }

  private mutating func block() -> Range<Int> {
    let start = offset
    var depth = 0
    repeat {
      let isLast = offset + 1 >= end
      if !isLast, bytes[offset] == 0x2F, bytes[offset + 1] == 0x2A {
        depth += 1
        offset += 2
      } else if !isLast, bytes[offset] == 0x2A, bytes[offset + 1] == 0x2F {
        depth -= 1
        offset += 2
      } else {
        offset += 1
      }
    } while depth > 0 && offset < end
    return start..<offset
  }
}

/// Properties of the trivia before a token.
struct GapFacts: OptionSet {
  let rawValue: UInt8

  static let lineBreak = GapFacts(rawValue: 1)
  static let blankLine = GapFacts(rawValue: 2)
  static let comment = GapFacts(rawValue: 4)
  /// A comment that is or must be on a separate line.
  static let ownLine = GapFacts(rawValue: 8)
  static let space = GapFacts(rawValue: 16)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    self = range.isEmpty ? [] : .space
    // Most gaps are empty or contain a single space.
    if range.isEmpty || (range.count == 1 && bytes[range.lowerBound] == 0x20) { return }
    var cursor = TriviaCursor(bytes, range)
    var breaks = 0
    while let piece = cursor.next() {
      switch piece {
      case .lineBreak:
        breaks += 1
        insert(breaks > 1 ? [.lineBreak, .blankLine] : .lineBreak)
      case .comment(let comment, let isLine):
        insert(.comment)
        let isLong = bytes[comment].contains { $0 == 0x0A || $0 == 0x0D }
        if isLine || isLong || contains(.lineBreak) || range.lowerBound == 0 { insert(.ownLine) }
        breaks = 0
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the width of characters in columns, counting each Unicode scalar.
  func columns(_ range: Range<Int>) -> Int {
    var count = 0
    for index in range where self[index] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// Returns the column of the first text in the line that contains an offset. A tab advances to the next multiple of
  /// four.
  func leadingColumn(ofLineAt offset: Int) -> Int {
    var start = offset
    while start > 0, self[start - 1] != 0x0A, self[start - 1] != 0x0D { start -= 1 }
    return leadingColumn(from: start, to: offset).column
  }

  /// Returns the column after the spaces that begin at an offset, and the end of the spaces.
  func leadingColumn(from start: Int, to end: Int) -> (column: Int, end: Int) {
    var column = 0
    var offset = start
    while offset < end {
      if self[offset] == 0x09 {
        column = (column / 4 + 1) * 4
      } else if self[offset] == 0x20 || self[offset] == 0x0B || self[offset] == 0x0C {
        column += 1
      } else {
        break
      }
      offset += 1
    }
    return (column, offset)
  }
}

import SchemaDiagnostics

/// A position in a document. Lines and characters are counted from 0.
struct Position: Codable, Hashable, Sendable {
  var line: Int
  /// Counted in the units of the agreed ``PositionEncoding``.
  var character: Int
}

struct DocumentRange: Codable, Hashable, Sendable {
  var start: Position
  var end: Position
}

struct Location: Codable, Hashable, Sendable {
  var uri: String
  var range: DocumentRange
}

/// The unit in which characters of a line are counted.
enum PositionEncoding: String, Codable, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
}

/// A text with its line starts, which converts positions and offsets.
struct PositionTable: Sendable {
  let file: SourceFile
  private let lines: LineTable
  private let encoding: PositionEncoding

  init(_ file: SourceFile, _ encoding: PositionEncoding) {
    self.file = file
    self.encoding = encoding
    lines = LineTable(file)
  }

  /// Returns the offset of a position. Positions behind the end of a line or of the file are moved to the end.
  func offset(of position: Position) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < lines.starts.count else { return file.bytes.count }
    let line = lines.range(ofLine: position.line + 1, in: file)
    guard encoding == .utf16 else { return min(line.lowerBound + max(0, position.character), line.upperBound) }
    var offset = line.lowerBound
    var units = 0
    while offset < line.upperBound, units < position.character {
      let width = Self.width(file.bytes[offset])
      units += width == 4 ? 2 : 1
      offset += width
    }
    return min(offset, line.upperBound)
  }

  func position(at offset: Int) -> Position {
    let place = lines.position(at: offset)
    guard encoding == .utf16 else { return Position(line: place.line - 1, character: place.column - 1) }
    let start = lines.starts[place.line - 1]
    // Bytes that continue a character are not counted, and characters of four bytes are two units.
    let units = file.bytes[start..<(start + place.column - 1)].reduce(0) { units, byte in
      byte & 0xC0 == 0x80 ? units : units + (byte >= 0xF0 ? 2 : 1)
    }
    return Position(line: place.line - 1, character: units)
  }

  func range(_ range: SourceRange) -> DocumentRange {
    DocumentRange(start: position(at: range.start), end: position(at: range.end))
  }

  func range(_ range: DocumentRange) -> Range<Int> {
    let start = offset(of: range.start)
    return start..<max(start, offset(of: range.end))
  }

  /// The number of bytes of the character that begins with a byte.
  private static func width(_ byte: UInt8) -> Int {
    switch byte {
    case ..<0x80: 1
    case ..<0xE0: 2
    case ..<0xF0: 3
    default: 4
    }
  }
}

/// Parses comma-separated text row by row according to RFC 4180.
///
/// Quoted fields can contain separators, line breaks and doubled quotation marks. Lines end in LF, CRLF or CR. A byte
/// order mark and empty lines are skipped. The separator is the comma, semicolon or tab, whichever is most frequent in
/// the first line.
struct CSVReader {
  /// A row with its first line number.
  struct Row: Equatable {
    var line: Int
    var fields: [String]
  }

  /// A syntax error in the text.
  struct Problem: Error, Equatable {
    var line: Int
    var message: String
  }

  private let bytes: [UInt8]
  private let separator: UInt8
  private var position: Int
  private var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    separator = Self.separator(of: bytes)
  }

  /// The fraction of the text already read, from 0 to 1.
  var progress: Double { bytes.isEmpty ? 1 : Double(position) / Double(bytes.count) }

  /// The next row; nil at the end.
  mutating func next() throws(Problem) -> Row? {
    while position < bytes.count, let end = lineBreak(at: position) {
      position = end
      line += 1
    }
    guard position < bytes.count else { return nil }
    var row = Row(line: line, fields: [])
    while true {
      row.fields.append(try field())
      guard position < bytes.count else { return row }
      if let end = lineBreak(at: position) {
        position = end
        line += 1
        return row
      }
      position += 1
    }
  }

  /// Parses a field up to a separator, a line break or the end.
  private mutating func field() throws(Problem) -> String {
    if position < bytes.count, bytes[position] == Self.quote { return try quoted() }
    let start = position
    while position < bytes.count, bytes[position] != separator, lineBreak(at: position) == nil {
      position += 1
    }
    return try text(bytes[start..<position], line: line)
  }

  private mutating func quoted() throws(Problem) -> String {
    let opening = line
    var content: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      if byte == Self.quote {
        position += 1
        guard position < bytes.count, bytes[position] == Self.quote else {
          try checkEnd()
          return try text(content[...], line: opening)
        }
      } else if let end = lineBreak(at: position) {
        content += bytes[position..<end]
        position = end
        line += 1
        continue
      }
      content.append(byte)
      position += 1
    }
    throw Problem(line: opening, message: "a quotation mark is opened here and never closed")
  }

  private func checkEnd() throws(Problem) {
    guard position < bytes.count, bytes[position] != separator, lineBreak(at: position) == nil
    else { return }
    throw Problem(
      line: line,
      message: "text follows a closing quotation mark; inside quotes a quotation mark is doubled")
  }

  private func text(_ field: ArraySlice<UInt8>, line: Int) throws(Problem) -> String {
    guard let text = String(validating: field, as: UTF8.self) else {
      throw Problem(line: line, message: "this is not UTF-8 text; save the file as UTF-8")
    }
    return text
  }

  /// The position after a line break at `position`; nil if there is none.
  private func lineBreak(at position: Int) -> Int? {
    switch bytes[position] {
    case UInt8(ascii: "\n"): position + 1
    case UInt8(ascii: "\r"):
      position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "\n")
        ? position + 2 : position + 1
    default: nil
    }
  }

  private static let quote = UInt8(ascii: "\"")

  private static func separator(of bytes: [UInt8]) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    var counts = [0, 0, 0]
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.indices.max { counts[$0] < counts[$1] } ?? 0
    return counts[most] > counts[0] ? candidates[most] : candidates[0]
  }
}

import SchemaDiagnostics
import SchemaSyntax

extension SyntaxTree {
  /// Returns the range, extended to the whole line if the line contains nothing else.
  func wholeLine(_ range: SourceRange) -> SourceRange {
    var range = range
    let bytes = file.bytes
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
    while range.end < bytes.count, isSpace(bytes[range.end]) { range.end += 1 }
    if range.end < bytes.count, bytes[range.end] == UInt8(ascii: ";") {
      range.end += 1
      while range.end < bytes.count, isSpace(bytes[range.end]) { range.end += 1 }
    }
    guard range.end == bytes.count || isBreak(bytes[range.end]) else { return range }
    var start = range.start
    while start > 0, isSpace(bytes[start - 1]) { start -= 1 }
    guard start == 0 || isBreak(bytes[start - 1]) else { return range }
    range.start = start
    if range.end < bytes.count {
      let isPair = bytes[range.end...].starts(with: [0x0D, 0x0A])
      range.end += isPair ? 2 : 1
    }
    return range
  }
}

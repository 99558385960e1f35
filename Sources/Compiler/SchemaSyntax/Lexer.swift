package import SchemaDiagnostics

/// Splits a file into tokens. Every byte is examined a bounded number of times, and none is skipped.
package struct Lexer {
  let bytes: UnsafePointer<UInt8>
  let count: Int
  let fileIndex: Int
  private let classes: UnsafePointer<ByteClass>
  private let singles: UnsafePointer<TokenKind>
  var offset = 0
  var tokens: [Token] = []
  var diagnostics: [Diagnostic] = []
  private var startsLine = true

  /// Returns a file's tokens, ending with `.endOfFile`, and diagnostics about them.
  package static func lex(_ file: SourceFile, index: Int) -> ([Token], [Diagnostic]) {
    file.bytes.withUnsafeBufferPointer { buffer in
      ByteClass.table.withUnsafeBufferPointer { classes in
        ByteClass.singleTable.withUnsafeBufferPointer { singles in
          guard let bytes = buffer.baseAddress, let classes = classes.baseAddress,
            let singles = singles.baseAddress
          else { return ([Token(kind: .endOfFile, start: 0, end: 0, startsLine: true)], []) }
          var lexer = Lexer(
            bytes: bytes, count: buffer.count, index: index, classes: classes, singles: singles)
          lexer.run()
          return (lexer.tokens, lexer.diagnostics)
        }
      }
    }
  }

  private init(
    bytes: UnsafePointer<UInt8>, count: Int, index: Int, classes: UnsafePointer<ByteClass>,
    singles: UnsafePointer<TokenKind>
  ) {
    self.bytes = bytes
    self.count = count
    self.fileIndex = index
    self.classes = classes
    self.singles = singles
    tokens.reserveCapacity(count / 5 + 8)
  }

  private mutating func run() {
    skipByteOrderMark()
    while offset < count {
      let start = offset
      switch classes[Int(bytes[offset])] {
      case .space:
        offset += 1
      case .newline:
        offset += 1
        startsLine = true
      case .letter:
        word(from: start)
      case .digit:
        number(from: start)
      case .single:
        let byte = bytes[offset]
        if startsLine, byte == 0x3C || byte == 0x3E, mergeMarker(from: start) { continue }
        offset += 1
        append(singles[Int(byte)], from: start)
      case .quote:
        string(from: start, pounds: 0)
      case .pound:
        pound(from: start)
      case .slash:
        slash(from: start)
      case .operatorSign:
        if startsLine, bytes[offset] == 0x3D, mergeMarker(from: start) { continue }
        operatorRun(from: start)
      case .backtick:
        quotedWord(from: start)
      case .high:
        high(from: start)
      case .other:
        unknownBytes(from: start)
      }
    }
    append(.endOfFile, from: count)
  }

  /// Returns the byte at an offset, or 0 after the end.
  func byte(at offset: Int) -> UInt8 { offset < count ? bytes[offset] : 0 }

  func byteClass(at offset: Int) -> ByteClass {
    offset < count ? classes[Int(bytes[offset])] : .other
  }

  // Not inlined: it has many callers, and inlining it would take a fifth of this module's compile time.
  @inline(never)
  mutating func append(_ kind: TokenKind, from start: Int) {
    tokens.append(Token(kind: kind, start: start, end: offset, startsLine: startsLine))
    startsLine = false
  }

  @inline(never)
  mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  func range(_ start: Int, _ end: Int) -> SourceRange {
    SourceRange(file: fileIndex, start: start, end: end)
  }

  /// Records a line break in a comment or any other text that contains no token.
  mutating func crossedLine() { startsLine = true }

  private mutating func skipByteOrderMark() {
    if byte(at: 0) == 0xEF, byte(at: 1) == 0xBB, byte(at: 2) == 0xBF { offset = 3 }
  }

  mutating func operatorRun(from start: Int) {
    let first = bytes[start]
    if first == 0x2E {  // "." is a separate token unless a second "." follows: "...", "..<"
      offset += 1
      if byte(at: offset) != 0x2E { return append(.period, from: start) }
    }
    while offset < count {
      let byte = bytes[offset]
      let kind = classes[Int(byte)]
      if kind == .slash {
        let next = self.byte(at: offset + 1)
        if next == 0x2F || next == 0x2A { break }
      } else if kind == .operatorSign {
        // A "." continues only operators that begin with ".".
        if byte == 0x2E, first != 0x2E { break }
      } else if kind == .high {
        let (scalar, length) = scalar(at: offset)
        guard let scalar, Self.canBeInOperator(scalar) else { break }
        offset += length - 1
      } else if !((byte == 0x3C || byte == 0x3E) && offset > start) {
        break
      }
      offset += 1
    }
    append(offset == start + 1 && first == 0x3D ? .equal : .operatorSign, from: start)
  }

  private mutating func mergeMarker(from start: Int) -> Bool {
    let sign = bytes[start]
    guard start == 0 || bytes[start - 1] == 0x0A else { return false }
    for step in 0..<7 where byte(at: start + step) != sign { return false }
    let after = byte(at: start + 7)
    guard after == 0x20 || after == 0x0A || after == 0x0D || after == 0 else { return false }
    while offset < count, bytes[offset] != 0x0A { offset += 1 }
    append(.mergeMarker, from: start)
    // The three marker lines of a conflict are reported once.
    if sign == 0x3C || tokens.count == 1 { report(.mergeMarker(range(start, offset))) }
    return true
  }
}

extension Diagnostic {
  fileprivate static func mergeMarker(_ range: SourceRange) -> Self {
    Self(
      .unexpectedToken, at: range, "version control conflict marker in schema file",
      help: "resolve the conflict and remove the marker lines")
  }
}

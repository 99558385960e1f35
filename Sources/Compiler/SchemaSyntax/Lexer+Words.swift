import SchemaDiagnostics

extension Lexer {
  /// Reads an identifier of letters, digits and non-ASCII characters that resemble letters.
  mutating func word(from start: Int) {
    var hash = WordHash.seed
    while offset < count {
      let byte = bytes[offset]
      let kind = byteClass(at: offset)
      if kind == .letter || kind == .digit {
        hash = (hash ^ UInt64(byte)) &* WordHash.prime
        offset += 1
      } else if kind == .high {
        let (scalar, length) = scalar(at: offset)
        guard let scalar, Self.canBeInWord(scalar) else { break }
        hash = 0
        offset += length
      } else {
        break
      }
    }
    append(.identifier, from: start)
    if offset - start <= Keyword.longest, let keyword = Keyword.byHash[hash],
      matches(keyword.rawValue, from: start)
    {
      tokens[tokens.count - 1].keyword = keyword
    }
  }

  private func matches(_ word: String, from start: Int) -> Bool {
    guard word.utf8.count == offset - start else { return false }
    var position = start
    for byte in word.utf8 {
      if bytes[position] != byte { return false }
      position += 1
    }
    return true
  }

  /// Reads a name in backticks. If the second backtick is missing, the name is the word after the first.
  mutating func quotedWord(from start: Int) {
    var end = start + 1
    while end < count, bytes[end] != 0x60, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    if end < count, bytes[end] == 0x60, end > start + 1 {
      offset = end + 1
      append(.identifier, from: start)
      tokens[tokens.count - 1].quoted = true
    } else {
      offset = end < count && bytes[end] == 0x60 ? end + 1 : start + 1
      // The text after an unpaired backtick is read normally, but the search to the end of the line happens only once.
      if end >= count || bytes[end] != 0x60 {
        while byteClass(at: offset) == .backtick { offset += 1 }
      }
      append(.unknown, from: start)
      report(.unpairedBacktick(range(start, offset)))
    }
  }

  mutating func number(from start: Int) {
    if bytes[start] == 0x30, [0x78, 0x6F, 0x62].contains(byte(at: start + 1)) {  // 0x 0o 0b
      offset += 2
      skipDigits()
      // `0x1p-1`: the exponent of a hexadecimal number.
      if [0x2B, 0x2D].contains(byte(at: offset)), [0x70, 0x50].contains(bytes[offset - 1]),
        bytes[start + 1] == 0x78, byteClass(at: offset + 1) == .digit
      {
        offset += 1
        skipDigits()
      }
      return append(.integer, from: start)
    }
    let afterPeriod = tokens.last?.kind == .period && Int(tokens.last?.end ?? 0) == start
    skipDigits()
    var dots = 0
    while !afterPeriod, byte(at: offset) == 0x2E, byteClass(at: offset + 1) == .digit {
      dots += 1
      offset += 1
      skipDigits()
    }
    if dots < 2, [0x2B, 0x2D].contains(byte(at: offset)), [0x65, 0x45].contains(bytes[offset - 1]),
      byteClass(at: offset + 1) == .digit
    {
      offset += 1
      skipDigits()
      dots = 1
    }
    let hasExponent = dots == 0 && exponent(in: start..<offset)
    append(dots > 1 ? .version : dots == 1 || hasExponent ? .float : .integer, from: start)
  }

  private mutating func skipDigits() {
    while byteClass(at: offset) == .digit || byteClass(at: offset) == .letter { offset += 1 }
  }

  private func exponent(in range: Range<Int>) -> Bool {
    range.contains { bytes[$0] == 0x65 || bytes[$0] == 0x45 }
  }

  /// Returns the scalar at an offset and the length in bytes, or nil if the bytes are not UTF-8.
  func scalar(at offset: Int) -> (Unicode.Scalar?, length: Int) {
    let first = byte(at: offset)
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, offset + length <= count else { return (nil, 1) }
    var value = UInt32(first) & (0xFF >> (UInt32(length) + 1))
    for step in 1..<length {
      let next = bytes[offset + step]
      guard next & 0xC0 == 0x80 else { return (nil, 1) }
      value = value << 6 | UInt32(next & 0x3F)
    }
    let smallest: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
    guard value >= smallest, let scalar = Unicode.Scalar(value) else { return (nil, 1) }
    return (scalar, length)
  }

  /// False for a name that needs backticks because it contains characters other than letters, digits, `_` and `$`.
  package static func isPlainName(_ word: String) -> Bool {
    guard word.hasPrefix("`") else { return true }
    let scalars = word.unicodeScalars.dropFirst().dropLast()
    guard let first = scalars.first, !("0"..."9").contains(first) else { return false }
    return scalars.allSatisfy { scalar in
      scalar == "_" || scalar == "$"
        || (scalar.isASCII
          ? scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) : canBeInWord(scalar))
    }
  }

  /// True for symbols such as `≈` and `→`, which are operators in Swift unless `canBeInWord` accepts them.
  static func canBeInOperator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xA1...0xA7, 0xA9, 0xAC, 0xAE, 0xB0...0xB1, 0xB6, 0xBF, 0xD7, 0xF7, 0x2016...0x2017, 0x2020...0x2027,
      0x2030...0x203E, 0x2041...0x2053, 0x2055...0x205E, 0x2190...0x23FF, 0x2500...0x25FF, 0x2794...0x2BFF,
      0x2E00...0x2E7F, 0x3001...0x3003, 0x3008...0x3020, 0x3030:
      true
    default: false
    }
  }

  /// True for letters, marks, numbers and emoji, but not for spaces, punctuation, controls or arrows.
  static func canBeInWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAA, 0xB5, 0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x167F, 0x1681...0x180D,
      0x180F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2460...0x24FF, 0x2600...0x27BF,
      0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F, 0x3031...0xD7FF,
      0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE44, 0xFE47...0xFEFE, 0xFF10...0xFFF8,
      0x1_0000...0xE_FFFD:
      true
    default: false
    }
  }
}

extension Diagnostic {
  fileprivate static func unpairedBacktick(_ range: SourceRange) -> Self {
    Self(
      .unexpectedToken, at: range, "unpaired '`'",
      fixIts: [.remove(range, title: "remove the '`'")])
  }
}

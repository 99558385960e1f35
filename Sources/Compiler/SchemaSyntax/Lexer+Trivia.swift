import SchemaDiagnostics

extension Lexer {
  /// Reads a comment, a regular expression or an operator.
  mutating func slash(from start: Int) {
    let next = byte(at: start + 1)
    if next == 0x2F {
      while offset < count, bytes[offset] != 0x0A, bytes[offset] != 0x0D { offset += 1 }
    } else if next == 0x2A {
      blockComment(from: start)
    } else if beginsRegex(next), let end = regexEnd(from: start) {
      offset = end
      append(.regex, from: start)
    } else {
      offset += 1
      while byteClass(at: offset) == .operatorSign { offset += 1 }
      append(.operatorSign, from: start)
    }
  }

  /// Reads a block comment, which may be nested. An unterminated comment extends to the end of the file.
  private mutating func blockComment(from start: Int) {
    offset += 2
    var depth = 1
    while depth > 0 {
      guard offset < count else {
        report(.unterminatedComment(range(start, start + 2)))
        return
      }
      let byte = bytes[offset]
      if byte == 0x2A, self.byte(at: offset + 1) == 0x2F {
        depth -= 1
        offset += 2
      } else if byte == 0x2F, self.byte(at: offset + 1) == 0x2A {
        depth += 1
        offset += 2
      } else {
        if byte == 0x0A || byte == 0x0D { crossedLine() }
        offset += 1
      }
    }
  }

  private func beginsRegex(_ next: UInt8) -> Bool {
    guard next != 0x20, next != 0x09, next != 0x29, let previous = tokens.last else { return false }
    switch previous.kind {
    case .leftParen, .comma, .equal, .colon, .leftBracket, .leftBrace: return true
    default: return false
    }
  }

  private func regexEnd(from start: Int) -> Int? {
    var end = start + 1
    while end < count, bytes[end] != 0x0A, bytes[end] != 0x0D {
      if bytes[end] == 0x5C {
        end += 2
      } else if bytes[end] == 0x2F {
        return end + 1
      } else {
        end += 1
      }
    }
    return nil
  }

  /// Reads a token that begins with a non-ASCII character: a name, a curly quotation mark, a special space, or an
  /// unknown character.
  mutating func high(from start: Int) {
    let (scalar, length) = scalar(at: offset)
    guard let scalar else { return unknownBytes(from: start) }
    switch scalar.value {
    case 0x201C, 0x201D, 0x201E, 0xAB, 0xBB, 0x2018, 0x2019:
      curlyString(from: start, length: length)
    case 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
      foreignSpace(from: start)
    default:
      if Self.canBeInWord(scalar) { return word(from: start) }
      if Self.canBeInOperator(scalar) { return operatorRun(from: start) }
      unknownBytes(from: start)
    }
  }

  private mutating func curlyString(from start: Int, length: Int) {
    offset += length
    let contents = offset
    while offset < count, bytes[offset] != 0x0A, bytes[offset] != 0x0D {
      let end = offset
      if bytes[offset] == 0x22 {
        offset += 1
      } else if bytes[offset] == 0xE2 || bytes[offset] == 0xC2 {
        let (scalar, length) = scalar(at: offset)
        offset += length
        guard let value = scalar?.value else { continue }
        guard [0x201C, 0x201D, 0x2018, 0x2019, 0xAB, 0xBB].contains(value) else { continue }
      } else {
        offset += 1
        continue
      }
      append(.curlyString, from: start)
      let text = String(
        decoding: UnsafeBufferPointer(start: bytes + contents, count: end - contents),
        as: UTF8.self)
      return report(.curlyQuotes(range(start, offset), text))
    }
    append(.curlyString, from: start)
    report(.curlyQuotes(range(start, offset), nil))
  }

  /// Reads `'text'`, a string in SQL and JavaScript. Returns false if the line has no second quotation mark.
  private mutating func singleQuotedString(from start: Int) -> Bool {
    var end = start + 1
    while end < count, bytes[end] != 0x0A, bytes[end] != 0x0D, bytes[end] != 0x27 { end += 1 }
    guard byte(at: end) == 0x27 else { return false }
    offset = end + 1
    append(.curlyString, from: start)
    let text = String(
      decoding: UnsafeBufferPointer(start: bytes + start + 1, count: end - start - 1), as: UTF8.self)
    report(.singleQuotes(range(start, offset), text.replacing("\"", with: "\\\"")))
    return true
  }

  /// Reports a run of special spaces once. They separate tokens like ordinary spaces.
  private mutating func foreignSpace(from start: Int) {
    while byteClass(at: offset) == .high {
      let (scalar, length) = scalar(at: offset)
      guard let scalar, scalar.properties.isWhitespace || [0x200B, 0xFEFF].contains(scalar.value)
      else { break }
      offset += length
    }
    report(.foreignSpace(range(start, offset)))
  }

  /// Reads control characters, invalid UTF-8 and symbols that begin no token, as a single token.
  mutating func unknownBytes(from start: Int) {
    if bytes[start] == 0x27, singleQuotedString(from: start) { return }
    while offset < count {
      let kind = byteClass(at: offset)
      if kind == .other {
        offset += 1
      } else if kind == .high {
        let (scalar, length) = scalar(at: offset)
        if let scalar, Self.canBeInWord(scalar) || scalar.value == 0x201C { break }
        offset += length
      } else {
        break
      }
    }
    if offset == start { offset += 1 }
    append(.unknown, from: start)
    report(.unknownBytes(range(start, offset)))
  }
}

extension Diagnostic {
  fileprivate static func unterminatedComment(_ range: SourceRange) -> Self {
    Self(
      .unexpectedToken, at: range, "unterminated '/*' comment", help: "end the comment with '*/'")
  }

  fileprivate static func curlyQuotes(_ range: SourceRange, _ text: String?) -> Self {
    Self(
      .unexpectedToken, at: range, "a string cannot be enclosed in curly quotation marks",
      help: "use '\"'",
      fixIts: text.map { [.replace(range, with: "\"\($0)\"", title: "use '\"'")] } ?? [])
  }

  fileprivate static func singleQuotes(_ range: SourceRange, _ text: String) -> Self {
    Self(
      .unexpectedToken, at: range, "a string must be enclosed in '\"'",
      fixIts: [.replace(range, with: "\"\(text)\"", title: "write '\"\(text)\"'")])
  }

  fileprivate static func foreignSpace(_ range: SourceRange) -> Self {
    Self(
      .unexpectedToken, at: range, "special space character in source",
      fixIts: [.replace(range, with: " ", title: "replace it with an ordinary space")])
  }

  fileprivate static func unknownBytes(_ range: SourceRange) -> Self {
    Self(.unexpectedToken, at: range, "invalid characters")
  }
}

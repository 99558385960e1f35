/// Parses JSON according to RFC 8259. Duplicate keys are errors, because only a single value would apply.
struct ConfigurationParser {
  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0
  private static let deepest = 64

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // Skip the byte order mark that some editors write.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// - Parameter bytes: UTF-8 text.
  static func parse(_ bytes: [UInt8]) throws(ConfigurationMistake) -> ConfigurationValue {
    var parser = ConfigurationParser(bytes)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.offset == bytes.count else { throw parser.mistake("expected the end of the file") }
    return value
  }

  private mutating func value() throws(ConfigurationMistake) -> ConfigurationValue {
    skipSpace()
    guard offset < bytes.count else { throw mistake("expected a value, found the end of the file") }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return .object(try nested { parser throws(ConfigurationMistake) in try parser.members() })
    case UInt8(ascii: "["): return .list(try nested { parser throws(ConfigurationMistake) in try parser.elements() })
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default:
      for (word, value) in [("true", ConfigurationValue.flag(true)), ("false", .flag(false)), ("null", .null)]
      where bytes[offset...].starts(with: word.utf8) {
        offset += word.utf8.count
        return value
      }
      throw mistake("expected a value")
    }
  }

  /// Parses list elements or object members, starting at the opening bracket.
  private mutating func nested<Value>(
    _ body: (inout ConfigurationParser) throws(ConfigurationMistake) -> Value
  ) throws(ConfigurationMistake) -> Value {
    guard depth < Self.deepest else { throw mistake("values are nested too deeply") }
    depth += 1
    offset += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func members() throws(ConfigurationMistake) -> [ConfigurationValue.Member] {
    var members: [ConfigurationValue.Member] = []
    var keys: Set<String> = []
    guard !takes("}") else { return [] }
    repeat {
      skipSpace()
      let start = offset
      guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { throw mistake("expected a key in quotes") }
      let key = try text()
      guard keys.insert(key).inserted else {
        throw ConfigurationMistake(
          message: "duplicate key '\(key)'", offset: start)
      }
      guard takes(":") else { throw mistake("expected ':' after '\(key)'") }
      members.append(.init(key: key, offset: start, value: try value()))
    } while takes(",")
    guard takes("}") else { throw mistake("expected ',' or '}'") }
    return members
  }

  private mutating func elements() throws(ConfigurationMistake) -> [ConfigurationValue] {
    var elements: [ConfigurationValue] = []
    guard !takes("]") else { return [] }
    repeat { elements.append(try value()) } while takes(",")
    guard takes("]") else { throw mistake("expected ',' or ']'") }
    return elements
  }

  private mutating func number() throws(ConfigurationMistake) -> String {
    let end = bytes[offset...].firstIndex { byte in
      !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) && !"+-.eE".utf8.contains(byte)
    }
    let text = String(decoding: bytes[offset..<(end ?? bytes.count)], as: UTF8.self)
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
      throw mistake("'\(text)' is not a number")
    }
    offset += text.utf8.count
    return text
  }

  private mutating func text() throws(ConfigurationMistake) -> String {
    let start = offset
    offset += 1
    var result: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"): result += try escaped()
      case 0..<0x20:
        throw ConfigurationMistake(message: "unterminated string; write '\\n' for a line break", offset: offset - 1)
      default: result.append(byte)
      }
    }
    throw ConfigurationMistake(message: "unterminated string", offset: start)
  }

  /// Parses the escape sequence after a backslash.
  private mutating func escaped() throws(ConfigurationMistake) -> [UInt8] {
    let start = offset - 1
    guard offset < bytes.count else { throw mistake("unterminated string") }
    let byte = bytes[offset]
    offset += 1
    let simple: [UInt8: UInt8] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]
    if let meant = simple[byte] { return [meant] }
    guard byte == UInt8(ascii: "u"), var code = hexadecimal() else {
      throw ConfigurationMistake(message: "invalid escape sequence", offset: start)
    }
    if (0xD800..<0xDC00).contains(code), bytes[offset...].starts(with: "\\u".utf8) {
      offset += 2
      guard let low = hexadecimal(), (0xDC00..<0xE000).contains(low) else {
        throw ConfigurationMistake(message: "unpaired surrogate", offset: start)
      }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw ConfigurationMistake(message: "unpaired surrogate", offset: start)
    }
    return Array(String(Character(scalar)).utf8)
  }

  private mutating func hexadecimal() -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    let digits = bytes[offset..<offset + 4]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    offset += 4
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
  }

  private func mistake(_ message: String) -> ConfigurationMistake {
    ConfigurationMistake(message: message, offset: offset)
  }
}

/// The kind of token that a byte can begin.
enum ByteClass: UInt8 {
  case other, letter, digit, space, newline, quote, backtick, pound, slash, operatorSign
  case single, high

  static let table: [ByteClass] = (0...255).map { classify(UInt8($0)) }

  private static func classify(_ byte: UInt8) -> ByteClass {
    if byte >= 0x80 { return .high }
    switch Character(Unicode.Scalar(byte)) {
    case "a"..."z", "A"..."Z", "_", "$": return .letter
    case "0"..."9": return .digit
    case " ", "\t", "\u{0B}", "\u{0C}": return .space
    case "\n", "\r": return .newline
    case "\"": return .quote
    case "`": return .backtick
    case "#": return .pound
    case "/": return .slash
    case "=", "-", "+", "*", "%", "&", "|", "^", "~", ".": return .operatorSign
    case "(", ")", "[", "]", "{", "}", "<", ">", ",", ":", ";", "@", "\\", "?", "!": return .single
    default: return .other
    }
  }

  /// The kind of a one-byte token.
  static let singleKinds: [UInt8: TokenKind] = [
    UInt8(ascii: "("): .leftParen, UInt8(ascii: ")"): .rightParen,
    UInt8(ascii: "["): .leftBracket, UInt8(ascii: "]"): .rightBracket,
    UInt8(ascii: "{"): .leftBrace, UInt8(ascii: "}"): .rightBrace,
    UInt8(ascii: "<"): .leftAngle, UInt8(ascii: ">"): .rightAngle,
    UInt8(ascii: ","): .comma, UInt8(ascii: ":"): .colon, UInt8(ascii: ";"): .semicolon,
    UInt8(ascii: "@"): .at, UInt8(ascii: "\\"): .backslash, UInt8(ascii: "?"): .question,
    UInt8(ascii: "!"): .exclamation,
  ]

  static let singleTable: [TokenKind] = (0...255).map { singleKinds[UInt8($0)] ?? .unknown }
}

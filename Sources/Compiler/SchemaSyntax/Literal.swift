/// Evaluates literals.
package enum Literal {
  /// Returns the value of an integer literal with sign, radix and underscores, or nil if the text is not an integer
  /// literal or has more than 128 bits.
  package static func integer(_ text: String) -> Int128? {
    var digits = Substring(text)
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits.removeFirst() }
    var radix = 10
    for (prefix, value) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
      radix = value
      digits.removeFirst(2)
    }
    guard let first = digits.first, first != "_", first != "-", first != "+" else { return nil }
    let plain = digits.filter { $0 != "_" }
    return Int128((isNegative ? "-" : "") + plain, radix: radix)
  }

  /// Returns the value of a single-line string literal, or nil if the text is not a string literal, spans lines or
  /// interpolates.
  package static func string(_ text: String) -> String? {
    var body = Substring(text)
    var pounds = 0
    while body.first == "#" {
      pounds += 1
      body.removeFirst()
    }
    guard body.first == "\"", !body.hasPrefix("\"\"\""), body.count >= 2 + pounds else {
      return nil
    }
    let end = String(repeating: "#", count: pounds)
    guard body.hasSuffix("\"" + end) else { return nil }
    body = body.dropFirst().dropLast(1 + pounds)
    var value = ""
    var rest = body[...]
    while let character = rest.first {
      rest.removeFirst()
      guard character == "\\", rest.hasPrefix(end) else {
        value.append(character)
        continue
      }
      rest.removeFirst(pounds)
      guard let scalar = escape(&rest) else { return nil }
      value.unicodeScalars.append(scalar)
    }
    return value
  }

  private static func escape(_ rest: inout Substring) -> Unicode.Scalar? {
    guard let code = rest.popFirst() else { return nil }
    switch code {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "0": return "\0"
    case "\\", "\"", "'": return code.unicodeScalars.first
    case "u":
      guard rest.popFirst() == "{", let close = rest.firstIndex(of: "}") else { return nil }
      let hex = rest[..<close]
      rest = rest[rest.index(after: close)...]
      return UInt32(hex, radix: 16).flatMap { Unicode.Scalar($0) }
    default: return nil
    }
  }
}

import SchemaDiagnostics

extension MarkupReader {
  /// Parses a start tag such as `<attribute name="title" …` and returns whether it ends in `/>`.
  mutating func startTag(line: Int) throws(MarkupProblem) -> (MarkupElement, isEmpty: Bool) {
    let start = offset
    offset += 1
    var element = MarkupElement(name: try name(of: "an element"), attributes: [], line: line)
    var seen: Set<String> = []
    while true {
      let hasSpace = skipSpace()
      if peek("/>") {
        offset += 2
        return (element, true)
      }
      if peek(">") {
        offset += 1
        return (element, false)
      }
      guard offset < file.bytes.count else { throw problem(at: start, "unterminated tag") }
      let place = offset
      guard hasSpace else { throw problem(at: place, "expected a space before the attribute") }
      let name = try name(of: "an attribute")
      skipSpace()
      guard peek("=") else { throw problem(at: offset, "expected '=' and a value after '\(name)'") }
      offset += 1
      skipSpace()
      guard peek("\"") || peek("'") else {
        throw problem(at: offset, "the value of '\(name)' must be quoted")
      }
      let quote = file.bytes[offset]
      offset += 1
      let value = try text(until: quote, isAttribute: true)
      guard offset < file.bytes.count else { throw problem(at: place, "the value of '\(name)' is unterminated") }
      offset += 1
      guard seen.insert(name).inserted else { throw problem(at: place, "duplicate attribute '\(name)'") }
      element.attributes.append(.init(name: name, value: value))
    }
  }

  /// Parses an end tag such as `</attribute>`.
  mutating func endTag() throws(MarkupProblem) -> String {
    let start = offset
    offset += 2
    let name = try name(of: "an element")
    skipSpace()
    guard peek(">") else { throw problem(at: start, "unterminated tag") }
    offset += 1
    return name
  }

  /// Parses text up to a byte or the end and resolves references. In an attribute, a line break becomes a space.
  mutating func text(until end: UInt8, isAttribute: Bool = false) throws(MarkupProblem) -> String {
    var bytes: [UInt8] = []
    while offset < file.bytes.count, file.bytes[offset] != end {
      switch file.bytes[offset] {
      case UInt8(ascii: "&"): bytes += Array(try reference().utf8)
      case UInt8(ascii: "<") where isAttribute:
        throw problem(at: offset, "'<' is not allowed in a value; use '&lt;' or add the missing quote")
      case let byte:
        bytes.append(isAttribute && [0x09, 0x0A, 0x0D].contains(byte) ? 0x20 : byte)
        offset += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses a reference such as `&amp;`, `&#10;` or `&#xE9;`.
  private mutating func reference() throws(MarkupProblem) -> String {
    let start = offset
    let rest = file.bytes[offset...].prefix(12)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
      throw problem(at: start, "'&' does not begin a known reference; use '&amp;'")
    }
    let name = file.text(from: start + 1, to: end)
    offset = end + 1
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(1))
    guard name.hasPrefix("#"), let number, let scalar = Unicode.Scalar(number), number != 0 else {
      throw problem(at: start, "'&\(name);' is not a known reference")
    }
    return String(Character(scalar))
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = offset
    while offset < file.bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(file.bytes[offset]) { offset += 1 }
    return offset > start
  }

  private mutating func name(of what: String) throws(MarkupProblem) -> String {
    let start = offset
    while offset < file.bytes.count, Self.isOfName(file.bytes[offset]) { offset += 1 }
    guard offset > start else { throw problem(at: start, "the name of \(what) is missing") }
    return file.text(from: start, to: offset)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: ":"), 0x80...0xFF:
      true
    default: false
    }
  }
}

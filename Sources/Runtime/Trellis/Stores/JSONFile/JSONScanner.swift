import Foundation

/// Walks through JSON text without making anything of it: where values begin and end.
struct JSONScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position: Int

  /// Deeper nesting is refused, as by `JSONDecoder`.
  private static let deepest = 512

  init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  func failure(_ description: String) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: [], debugDescription: "\(description), at byte \(position)"))
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// The next byte that is no white space.
  private mutating func peek() throws -> UInt8 {
    skipSpace()
    guard position < bytes.count else { throw failure("the text ends too early") }
    return bytes[position]
  }

  private mutating func skip(_ byte: UInt8) throws {
    guard try peek() == byte else {
      throw failure("there is no '\(Character(Unicode.Scalar(byte)))'")
    }
    position += 1
  }

  /// Nothing but white space is left.
  mutating func end() throws {
    skipSpace()
    guard position == bytes.count else { throw failure("there is more text after the end") }
  }

  /// Calls the body for each member of an object, in front of its value, which the body has to pass.
  mutating func object(
    _ body: (_ name: Range<Int>, inout JSONScanner) throws -> Void
  ) throws {
    try skip(UInt8(ascii: "{"))
    if try peek() == UInt8(ascii: "}") { return position += 1 }
    while true {
      guard try peek() == UInt8(ascii: "\"") else { throw failure("there is no name") }
      let name = try value()
      try skip(UInt8(ascii: ":"))
      try body(name, &self)
      if try peek() == UInt8(ascii: "}") { return position += 1 }
      try skip(UInt8(ascii: ","))
    }
  }

  /// Calls the body for each element of an array, in front of it; the body has to pass it.
  mutating func array(_ body: (inout JSONScanner) throws -> Void) throws {
    try skip(UInt8(ascii: "["))
    if try peek() == UInt8(ascii: "]") { return position += 1 }
    while true {
      try body(&self)
      if try peek() == UInt8(ascii: "]") { return position += 1 }
      try skip(UInt8(ascii: ","))
    }
  }

  /// Passes a value of any kind and gives back where it was. Brackets match; what stands between them is
  /// looked at by whoever reads it.
  mutating func value() throws -> Range<Int> {
    let first = try peek()
    let start = position
    switch first {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipNested()
    default:
      while position < bytes.count, Self.isPlain(bytes[position]) { position += 1 }
      guard position > start else { throw failure("there is no value") }
    }
    return start..<position
  }

  /// What numbers, `true`, `false` and `null` consist of.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private mutating func skipString() throws {
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""): return position += 1
      case UInt8(ascii: "\\"): position += 2
      case ..<0x20: throw failure("a text has a control character")
      default: position += 1
      }
    }
    position = bytes.count
    throw failure("a text has no end")
  }

  /// Passes an object or an array. A name that occurs twice in one object is an error: a decoder takes one of the values,
  /// and the next save would lose the other one.
  private mutating func skipNested() throws {
    var open: [(closing: UInt8, names: Set<String>)] = []
    repeat {
      switch try peek() {
      case UInt8(ascii: "{"): open.append((UInt8(ascii: "}"), []))
      case UInt8(ascii: "["): open.append((UInt8(ascii: "]"), []))
      case UInt8(ascii: "\""):
        let start = position
        try skipString()
        let end = position
        guard open[open.count - 1].closing == UInt8(ascii: "}"), try peek() == UInt8(ascii: ":") else { continue }
        let name = try Self.name(bytes[start..<end])
        guard open[open.count - 1].names.insert(name).inserted else { throw failure("'\(name)' stands twice") }
        continue
      case let byte where byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"):
        guard open.popLast()?.closing == byte else { throw failure("brackets do not match") }
      default: break
      }
      guard open.count <= Self.deepest else { throw failure("the nesting is too deep") }
      position += 1
    } while !open.isEmpty
  }
}

/// Values in their plainest form. Whoever gets nil asks `JSONDecoder`, which knows all forms and what is
/// wrong with others.
extension JSONScanner {
  static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\"") else { return nil }
    let inside = UnsafeBufferPointer(rebasing: bytes.dropFirst().dropLast())
    guard !inside.contains(UInt8(ascii: "\\")) else { return nil }
    return String(validating: inside, as: UTF8.self)
  }

  /// The name of a member, with or without escapes.
  static func name(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws -> String {
    if let name = text(bytes) { return name }
    if let name = try? JSONDocument.decoder.decode(String.self, from: Data(bytes)) { return name }
    throw DecodingError.dataCorrupted(
      .init(codingPath: [], debugDescription: "a name is no text, at byte \(bytes.startIndex)"))
  }

  static func integer(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    guard isNumber(bytes, allowsFraction: false) else { return nil }
    return Int64(String(decoding: bytes, as: UTF8.self))
  }

  static func real(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
    guard isNumber(bytes, allowsFraction: true),
      let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite,
      number != 0 || !isTiny(bytes)
    else { return nil }
    return number
  }

  /// Whether a number that reads as zero is none.
  private static func isTiny(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    bytes.prefix { $0 | 0x20 != UInt8(ascii: "e") }
      .contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
  }

  static func isNull(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    bytes.elementsEqual("null".utf8)
  }

  /// Whether the text is a number as JSON writes it.
  private static func isNumber(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, allowsFraction: Bool
  ) -> Bool {
    var rest = bytes
    func digits() -> Int {
      let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let leadingZero = rest.first == UInt8(ascii: "0")
    let count = digits()
    guard count == 1 || count > 1 && !leadingZero else { return false }
    if rest.isEmpty { return true }
    guard allowsFraction else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard digits() > 0 else { return false }
    }
    if let sign = rest.first, sign == UInt8(ascii: "e") || sign == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}

import Foundation

/// Divides JSON text into values without decoding them.
struct JSONScanner {
  let bytes: [UInt8]
  private(set) var position: Int

  /// `JSONDecoder` refuses deeper nesting, too.
  private static let deepest = 512

  init(_ bytes: [UInt8], at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  func failure(_ description: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "\(description), at byte \(position)"))
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
  }

  /// The next byte that is no white space.
  private mutating func peek() throws -> UInt8 {
    skipSpace()
    guard position < bytes.count else { throw failure("the text ends too early") }
    return bytes[position]
  }

  private mutating func skip(_ character: Unicode.Scalar) throws {
    guard try peek() == UInt8(ascii: character) else { throw failure("there is no '\(character)'") }
    position += 1
  }

  /// Checks that nothing but white space is left.
  mutating func end() throws {
    skipSpace()
    guard position == bytes.count else { throw failure("there is more text after the end") }
  }

  /// Calls `body` in front of each value of an object, which `body` has to pass.
  ///
  /// A name that occurs twice is an error: a decoder takes one of the values, and the next save would lose the other one.
  mutating func object(_ body: (_ name: String, inout JSONScanner) throws -> Void) throws {
    var names: Set<String> = []
    try list("{", "}") { scanner in
      guard try scanner.peek() == UInt8(ascii: "\"") else { throw scanner.failure("there is no name") }
      let text = try scanner.bytes[scanner.value()]
      guard let name = Self.text(text) ?? (try? JSONDocument.decoder.decode(String.self, from: Data(text))) else {
        throw scanner.failure("a name is no text")
      }
      guard names.insert(name).inserted else { throw scanner.failure("'\(name)' stands twice") }
      try scanner.skip(":")
      try body(name, &scanner)
    }
  }

  /// Calls `body` in front of each element of an array, which `body` has to pass.
  mutating func array(_ body: (inout JSONScanner) throws -> Void) throws { try list("[", "]", body) }

  private mutating func list(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONScanner) throws -> Void
  ) throws {
    try skip(open)
    if try peek() == UInt8(ascii: close) { return position += 1 }
    while true {
      try body(&self)
      if try peek() == UInt8(ascii: close) { return position += 1 }
      try skip(",")
    }
  }

  /// Passes a value of any kind and returns its range. Numbers and escapes are checked by the decoder.
  mutating func value(depth: Int = 0) throws -> Range<Int> {
    let first = try peek()
    let start = position
    guard depth <= Self.deepest else { throw failure("the nesting is too deep") }
    switch first {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "{"): try object { _, scanner in _ = try scanner.value(depth: depth + 1) }
    case UInt8(ascii: "["): try array { scanner in _ = try scanner.value(depth: depth + 1) }
    default:
      while position < bytes.count, Self.isPlain(bytes[position]) { position += 1 }
      guard position > start else { throw failure("there is no value") }
    }
    return start..<position
  }

  /// True for the bytes of numbers, `true`, `false` and `null`.
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

  // MARK: values in their plainest form, which need no decoder; nil for all others

  static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\"") else { return nil }
    let inside = bytes.dropFirst().dropLast()
    return inside.contains(UInt8(ascii: "\\")) ? nil : String(validating: inside, as: UTF8.self)
  }

  static func integer(_ bytes: ArraySlice<UInt8>) -> Int64? {
    // Swift reads '+1' and '01' as well, JSON does not have them.
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
    guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    return Int64(String(decoding: bytes, as: UTF8.self))
  }

  static func isNull(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.elementsEqual("null".utf8) }
}

import Foundation

/// UTF-8 text under construction. All generated text is built here as bytes, because a `String` would examine each
/// appended piece again.
struct Text {
  private(set) var bytes: [UInt8] = []
  /// The offset of the last line.
  private(set) var lineStart = 0

  static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let spaces: StaticString = "                "

  var hasLineBreak: Bool { lineStart > 0 }

  mutating func reserve(_ capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func write(_ literal: StaticString) {
    append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  mutating func append(_ code: Code) {
    guard code.hasLineBreak else { return bytes.append(contentsOf: code.bytes) }
    code.bytes.withUnsafeBufferPointer { append($0) }
  }

  mutating func append(spaces count: Int) {
    var rest = count
    while rest > 0 {
      let step = min(rest, Self.spaces.utf8CodeUnitCount)
      bytes.append(contentsOf: UnsafeBufferPointer(start: Self.spaces.utf8Start, count: step))
      rest -= step
    }
  }

  mutating func endLine() {
    bytes.append(Self.newline)
    lineStart = bytes.count
  }

  /// Appends a fragment and indents the lines after the first. Blank lines remain empty.
  mutating func append(_ code: Code, indentedBy indentation: Int) {
    guard code.hasLineBreak else { return append(code) }
    code.bytes.withUnsafeBufferPointer { addition in
      var rest = addition
      while let end = Self.lineBreak(in: rest) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<end]))
        endLine()
        rest = UnsafeBufferPointer(rebasing: rest[(end + 1)...])
        if let first = rest.first, first != Self.newline { append(spaces: indentation) }
      }
      bytes.append(contentsOf: rest)
    }
  }

  /// The number of spaces at the start of the last line.
  var indentation: Int { bytes[lineStart...].prefix { $0 == Self.space }.count }

  /// Appends a fragment whose lines after the first align with the current line.
  mutating func append(aligned code: Code) {
    guard code.hasLineBreak else { return append(code) }
    append(code, indentedBy: indentation)
  }

  /// Returns the offset of the first line break. Uses `memchr`, because the generator runs unoptimized in debug builds
  /// and every byte is examined.
  static func lineBreak(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = text.baseAddress else { return nil }
    return memchr(start, Int32(newline), text.count).map { UnsafeRawPointer($0) - UnsafeRawPointer(start) }
  }

  private mutating func append(_ addition: UnsafeBufferPointer<UInt8>) {
    var start = bytes.count
    bytes.append(contentsOf: addition)
    var rest = addition
    while let end = Self.lineBreak(in: rest) {
      start += end + 1
      lineStart = start
      rest = UnsafeBufferPointer(rebasing: rest[(end + 1)...])
    }
  }
}

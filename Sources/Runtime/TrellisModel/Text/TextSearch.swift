import Foundation

/// Byte-based versions of Swift's `contains`, `starts(with:)` and `count` for UTF-8 strings.
///
/// Swift compares characters: `"e\u{301}"` does not contain `"e"`, `"\r\n"` does not contain `"\n"`, and the Kelvin
/// sign equals K. Below U+0300, every scalar is a separate character that equals only itself, except in CR LF. If text
/// contains neither higher scalars nor a CR, bytes can be compared.
struct TextSearch {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Returns true if comparing bytes gives the same result as comparing characters.
  static func isSimple(_ bytes: Bytes) -> Bool {
    TextRules.isPlain(bytes) && !holds(bytes, UInt8(ascii: "\r"))
  }

  static func contains(_ text: Bytes, _ part: Bytes) -> Bool {
    if part.isEmpty { return true }
    guard isSimple(text), TextRules.isPlain(part) else { return generic(string(text), string(part)) }
    return find(part, in: text)
  }

  static func starts(_ text: Bytes, _ part: Bytes) -> Bool {
    if part.isEmpty { return true }
    if isSimple(text), TextRules.isPlain(part) {
      return part.count <= text.count
        && memcmp(text.baseAddress!, part.baseAddress!, part.count) == 0
    }
    return string(text).starts(with: string(part))
  }

  static func count(_ text: Bytes) -> Int {
    guard isSimple(text) else { return string(text).count }
    // Each byte except UTF-8 continuation bytes starts a character.
    var count = 0
    for byte in text where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// Returns true if the text contains the part, ignoring case; `nil` if only Foundation can decide, as for text that
  /// is not ASCII.
  static func finds(_ text: Bytes, _ part: Bytes) -> Bool? {
    guard isASCII(text), isASCII(part), !holds(text, UInt8(ascii: "\r")) else { return nil }
    // Foundation has special rules for U+0000, and finds the empty string in no text.
    guard !holds(text, 0), !holds(part, 0), !part.isEmpty else { return part.isEmpty ? false : nil }
    guard part.count <= text.count else { return false }
    return (0...(text.count - part.count)).contains { start in
      for index in 0..<part.count where lower(text[start + index]) != lower(part[index]) {
        return false
      }
      return true
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  static func string(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The generic `contains` that `Predicate` evaluates. Foundation's overload for strings compares scalars instead.
  private static func generic<C: Collection, D: Collection>(_ text: C, _ part: D) -> Bool
  where C.Element == D.Element, C.Element: Equatable {
    text.contains(part)
  }

  private static func holds(_ bytes: Bytes, _ byte: UInt8) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return memchr(start, Int32(byte), bytes.count) != nil
  }

  private static func isASCII(_ bytes: Bytes) -> Bool { bytes.allSatisfy { $0 < 0x80 } }

  private static let escapedZero = Array(#"\u0000"#.utf8)

  /// Returns true if JSON text contains an escaped U+0000.
  static func holdsEscapedZero(_ text: Bytes) -> Bool {
    escapedZero.withUnsafeBufferPointer { find($0, in: text) }
  }

  /// Returns true if `text` contains the bytes of `part`.
  private static func find(_ part: Bytes, in text: Bytes) -> Bool {
    guard let needle = part.baseAddress, var start = text.baseAddress, part.count <= text.count
    else { return part.isEmpty }
    let end = start + (text.count - part.count + 1)
    while start < end {
      guard let hit = memchr(start, Int32(needle[0]), end - start) else { return false }
      start = UnsafePointer(hit.assumingMemoryBound(to: UInt8.self))
      if memcmp(start, needle, part.count) == 0 { return true }
      start += 1
    }
    return false
  }
}

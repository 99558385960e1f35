import Foundation
@_spi(_Unicode) import Swift

/// Normalization rules. Swift compares text in canonical form, SQLite compares its bytes.
package enum TextRules {
  /// The first UTF-8 byte of U+0300, the first scalar that can combine with another one.
  private static let firstCombining: UInt8 = 0xCC

  /// True if every scalar is below U+0300. The bytes are then in normalization form C.
  package static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var highest: UInt8 = 0
    for byte in bytes { highest = max(highest, byte) }
    return highest < firstCombining
  }

  /// True if the text is in normalization form C. Its bytes then compare as Swift compares the text.
  package static func isNFC(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if isPlain(bytes) { return true }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.unicodeScalars.elementsEqual(text._nfc)
  }

  /// The text in normalization form C.
  package static func normalized(_ text: String) -> String {
    var text = text
    if text.withUTF8({ isPlain($0) }) { return text }
    var normalized = ""
    normalized.unicodeScalars.append(contentsOf: text._nfc)
    return normalized
  }

  /// Swift's order of text, by the bytes of normalization form C.
  package static func order(_ lhs: String, _ rhs: String) -> ComparisonResult {
    var (lhs, rhs) = (lhs, rhs)
    let arePlain = lhs.withUTF8(isPlain) && rhs.withUTF8(isPlain)
    if !arePlain { (lhs, rhs) = (normalized(lhs), normalized(rhs)) }
    return lhs.withUTF8 { first in
      rhs.withUTF8 { second in
        if first.lexicographicallyPrecedes(second) { return .orderedAscending }
        return first.elementsEqual(second) ? .orderedSame : .orderedDescending
      }
    }
  }
}

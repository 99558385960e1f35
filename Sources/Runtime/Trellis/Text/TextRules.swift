@_spi(_Unicode) import Swift

/// When bytes may stand for text: Swift compares text by its canonical form, SQLite by its bytes.
enum TextRules {
  /// The first byte of the first scalar that can combine with another one, U+0300.
  private static let firstCombining: UInt8 = 0xCC

  /// Whether the bytes are certainly in normalization form C: every scalar is below U+0300.
  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var highest: UInt8 = 0
    for byte in bytes { highest = max(highest, byte) }
    return highest < firstCombining
  }

  /// Whether text is in normalization form C, so that its bytes compare as Swift compares it.
  static func isNFC(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if isPlain(bytes) { return true }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.unicodeScalars.elementsEqual(text._nfc)
  }

  /// The text in normalization form C.
  static func normalized(_ text: String) -> String {
    var text = text
    if text.withUTF8({ isPlain($0) }) { return text }
    var normalized = ""
    normalized.unicodeScalars.append(contentsOf: text._nfc)
    return normalized
  }
}

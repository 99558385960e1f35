/// Base64 with padding and no line breaks.
package enum Base64Text {
  private static let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  private static let pad = UInt8(ascii: "=")

  /// Appends bytes. If a value is split, every part except the last must be a multiple of 3 bytes.
  package static func append(_ bytes: UnsafeRawBufferPointer, to sink: inout ByteSink) {
    let table = digits.utf8Start
    var place = 0
    while place + 2 < bytes.count {
      let word = Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
      sink.append(table[word >> 18])
      sink.append(table[word >> 12 & 63])
      sink.append(table[word >> 6 & 63])
      sink.append(table[word & 63])
      place += 3
    }
    switch bytes.count - place {
    case 1:
      sink.append(table[Int(bytes[place]) >> 2])
      sink.append(table[Int(bytes[place]) << 4 & 63])
      sink.append(pad)
      sink.append(pad)
    case 2:
      let word = Int(bytes[place]) << 8 | Int(bytes[place + 1])
      sink.append(table[word >> 10])
      sink.append(table[word >> 4 & 63])
      sink.append(table[word << 2 & 63])
      sink.append(pad)
    default: break
    }
  }

  /// Decodes Base64 text, or returns `nil` if it is not valid. Padding is required.
  package static func bytes(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == pad }.count
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var word = 0
    for (index, byte) in text.enumerated() {
      guard let value = index < text.count - padding ? value(byte) : 0 else { return nil }
      word = word << 6 | value
      guard index % 4 == 3 else { continue }
      result.append(UInt8(word >> 16 & 255))
      result.append(UInt8(word >> 8 & 255))
      result.append(UInt8(word & 255))
      word = 0
    }
    result.removeLast(min(padding, result.count))
    return result
  }

  private static func value(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

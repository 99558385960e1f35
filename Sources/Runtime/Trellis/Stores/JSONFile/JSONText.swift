/// Text, numbers and names as JSON has them.
enum JSONText {
  static func append(_ number: Int64, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: number.description.utf8)
  }

  /// The shortest text that reads as the same number; whole numbers without a fraction.
  static func append(_ number: Double, to bytes: inout [UInt8]) {
    guard number.isFinite else {
      return append(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf", to: &bytes)
    }
    var text = number.description.utf8[...]
    if text.count > 2, text.last == UInt8(ascii: "0"), text.dropLast().last == UInt8(ascii: ".") {
      text = text.dropLast(2)
    }
    bytes.append(contentsOf: text)
  }

  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { characters in
      var plain = 0
      for (place, byte) in characters.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(contentsOf: characters[plain..<place])
        plain = place + 1
        escape(byte, to: &bytes)
      }
      bytes.append(contentsOf: characters[plain...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}

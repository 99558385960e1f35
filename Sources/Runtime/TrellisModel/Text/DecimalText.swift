import Foundation

/// Converts decimal text to a key whose byte order is the numeric order.
package enum DecimalText {
  /// Returns the sort key for a decimal number in text form.
  ///
  /// The first character is `0` for NaN, `1` for negative, `2` for zero and `3` for positive numbers. It is followed by
  /// the position of the first digit and the digits, which are complemented for negative numbers.
  package static func orderKey(_ text: String) -> String {
    guard text != "NaN" else { return "0" }
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = text.drop { $0 == "-" }.split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = parts[0].drop { $0 == "0" }
    let fraction = parts.count > 1 ? parts[1] : ""
    let leading = whole.isEmpty ? fraction.prefix { $0 == "0" }.count : 0
    var digits = Array((whole + fraction.dropFirst(leading)).utf8)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    guard !digits.isEmpty else { return "2" }
    let place = 500 + whole.utf8.count - leading
    var key = Array(String(place).utf8) + digits
    if isNegative {
      // Complement the digits. `~` sorts after every digit, because a shorter negative number is greater.
      key = key.map { UInt8(ascii: "0") + UInt8(ascii: "9") - $0 } + [UInt8(ascii: "~")]
    }
    return (isNegative ? "1" : "3") + String(decoding: key, as: UTF8.self)
  }
}

/// Conversion from bytes to upper-case hexadecimal digits.
package enum Hexadecimal {
  /// Returns the digits of the bytes, equal to the result of SQLite's `hex` function.
  package static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (index, byte) in bytes.enumerated() { write(byte, to: text, at: index * 2) }
      return bytes.count * 2
    }
  }

  /// Returns the same string as `uuidString`, but is six times as fast. Captured collections can contain many UUIDs.
  package static func text(_ uuid: UUID) -> String {
    String(unsafeUninitializedCapacity: 36) { text in
      withUnsafeBytes(of: uuid.uuid) { bytes in
        var place = 0
        for (index, byte) in bytes.enumerated() {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            text[place] = UInt8(ascii: "-")
            place += 1
          }
          write(byte, to: text, at: place)
          place += 2
        }
      }
      return 36
    }
  }

  private static func write(
    _ byte: UInt8, to text: UnsafeMutableBufferPointer<UInt8>, at place: Int
  ) {
    text[place] = digit(byte >> 4)
    text[place + 1] = digit(byte & 15)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

import Foundation

/// Conversion of bytes to upper-case hexadecimal digits.
enum Hexadecimal {
  /// The digits of the bytes, equal to the result of SQLite's `hex` function.
  static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (index, byte) in bytes.enumerated() { write(byte, to: text, at: index * 2) }
      return bytes.count * 2
    }
  }

  /// The value of `uuidString`, six times as fast. Captured collections can contain many UUIDs.
  static func text(_ uuid: UUID) -> String {
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

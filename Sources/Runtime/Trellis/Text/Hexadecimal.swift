import Foundation

/// Bytes in upper-case hexadecimal digits.
enum Hexadecimal {
  /// As SQLite's `hex` writes them.
  static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (index, byte) in bytes.enumerated() { write(byte, to: text, at: index * 2) }
      return bytes.count * 2
    }
  }

  /// As `uuidString`, which takes six times as long: captured collections hold many.
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

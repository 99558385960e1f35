/// Writes raw deflate data with stored blocks or with the fixed Huffman code.
package enum DeflateWriter {
  package static func stored(_ bytes: [UInt8], blockSize: Int = 60_000) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    repeat {
      let end = min(start + blockSize, bytes.count)
      let size = UInt16(end - start)
      result += [end == bytes.count ? 1 : 0]
      for number in [size, ~size] { result += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      result += bytes[start..<end]
      start = end
    } while start < bytes.count
    return result
  }

  /// Writes literals, and a match of 258 bytes for each run of an equal byte.
  package static func fixed(_ bytes: [UInt8]) -> [UInt8] {
    var bits = Bits()
    bits.add(1, 1)
    bits.add(1, 2)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      bits.literal(Int(byte))
      index += 1
      while index + 258 <= bytes.count, bytes[index..<(index + 258)].allSatisfy({ $0 == byte }) {
        // Length 258 is symbol 285, and distance 1 is symbol 0.
        bits.literal(285)
        bits.addCode(0, 5)
        index += 258
      }
    }
    bits.literal(256)
    return bits.bytes
  }

  private struct Bits {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func add(_ value: Int, _ width: Int) {
      for bit in 0..<width {
        if count % 8 == 0 { bytes.append(0) }
        bytes[bytes.count - 1] |= UInt8((value >> bit) & 1) << UInt8(count % 8)
        count += 1
      }
    }

    /// Codes begin with the highest bit.
    mutating func addCode(_ code: Int, _ width: Int) {
      for bit in (0..<width).reversed() { add((code >> bit) & 1, 1) }
    }

    mutating func literal(_ symbol: Int) {
      switch symbol {
      case 0..<144: addCode(0x30 + symbol, 8)
      case 144..<256: addCode(0x190 + symbol - 144, 9)
      case 256..<280: addCode(symbol - 256, 7)
      default: addCode(0xC0 + symbol - 280, 8)
      }
    }
  }
}

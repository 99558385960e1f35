import CSQLite
import Trellis

/// A checksum for each column in a table.
///
/// The first column is the row key. Each value is mixed with the key, so that swapping values between rows changes the
/// sum. The sums are independent of the row order.
struct ColumnSums: Equatable {
  private var sums: [UInt64]

  init(_ count: Int) { sums = Array(repeating: 0, count: count) }

  /// Adds a row, given the values' hashes.
  @inline(__always) mutating func add(_ hashes: [UInt64]) { hashes.withUnsafeBufferPointer { add($0) } }
  @inline(__always) mutating func add(_ hashes: UnsafeBufferPointer<UInt64>) { combine(hashes) { $0 &+= $1 } }
  mutating func subtract(_ hashes: [UInt64]) { hashes.withUnsafeBufferPointer { combine($0) { $0 &-= $1 } } }

  @inline(__always) private mutating func combine(
    _ hashes: UnsafeBufferPointer<UInt64>, _ change: (inout UInt64, UInt64) -> Void
  ) {
    guard let key = hashes.first else { return }
    sums.withUnsafeMutableBufferPointer { sums in
      change(&sums[0], ValueHash.mix(key, ValueHash.keySeed))
      for index in 1..<max(sums.count, 1) {
        change(&sums[index], ValueHash.mix(hashes[index] ^ key, ValueHash.keySeed))
      }
    }
  }

  /// Adds a query's remaining rows and returns the row count.
  mutating func add(rowsOf statement: Statement) throws -> Int64 {
    var rows: Int64 = 0
    // A local copy avoids a check at every access.
    var result = self
    var hashes = [UInt64](repeating: 0, count: sums.count)
    try hashes.withUnsafeMutableBufferPointer { hashes in
      while try statement.step() {
        for column in hashes.indices {
          hashes[column] = ValueHash.of(sqlite3_column_value(statement.handle, Int32(column)))
        }
        result.add(UnsafeBufferPointer(hashes))
        rows += 1
      }
    }
    self = result
    return rows
  }

  /// Adds the sums for a second source.
  mutating func formUnion(_ other: ColumnSums) {
    for index in sums.indices { sums[index] &+= other.sums[index] }
  }

  /// The checksums in hexadecimal notation.
  var texts: [String] {
    sums.map { sum in
      let digits = String(sum, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }
}

/// 64-bit hashes for stored values. Equal values in different storage classes have different hashes.
enum ValueHash {
  static let null: UInt64 = 0x6C62_272E_07BB_0142
  static let keySeed: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let integerSeed: UInt64 = 0xA076_1D64_78BD_642F
  private static let realSeed: UInt64 = 0xE703_7ED1_A0B4_28DB
  private static let textSeed: UInt64 = 0x8EBC_6AF0_9C88_C6E3
  private static let blobSeed: UInt64 = 0x5899_65CC_7537_4CC3
  private static let factor: UInt64 = 0x1D8E_4E27_C47D_124F

  @inline(__always) static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (high, low) = one.multipliedFullWidth(by: other)
    return high ^ low
  }

  @inline(__always) static func of(_ number: Int64) -> UInt64 {
    mix(UInt64(bitPattern: number) ^ integerSeed, factor) ^ integerSeed
  }

  @inline(__always) static func of(_ number: Double) -> UInt64 {
    mix(number.bitPattern ^ realSeed, factor) ^ realSeed
  }

  /// Returns a hash, and true if all bytes are ASCII.
  @inline(__always) static func of(
    _ bytes: UnsafeBufferPointer<UInt8>, isText: Bool
  ) -> (hash: UInt64, isASCII: Bool) {
    var hash = (isText ? textSeed : blobSeed) ^ UInt64(bytes.count)
    var all: UInt64 = 0
    let raw = UnsafeRawBufferPointer(bytes)
    var offset = 0
    while offset + 8 <= raw.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      all |= word
      hash = mix(hash ^ word, factor) &+ keySeed
      offset += 8
    }
    var rest: UInt64 = 0
    if raw.count >= 8 {
      // Some bytes are included twice.
      rest = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self))
    } else {
      for byte in raw { rest = rest << 8 | UInt64(byte) }
    }
    all |= rest
    return (mix(hash ^ rest, factor) ^ textSeed, all & 0x8080_8080_8080_8080 == 0)
  }

  /// Returns a text's or blob's bytes.
  @inline(__always) static func text(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_blob(value)
    let count = Int(sqlite3_value_bytes(value))
    return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
  }

  /// Returns a stored value's hash.
  @inline(__always) static func of(_ value: OpaquePointer?) -> UInt64 {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: of(sqlite3_value_int64(value))
    case SQLITE_FLOAT: of(sqlite3_value_double(value))
    case SQLITE_TEXT: of(text(value), isText: true).hash
    case SQLITE_BLOB: of(text(value), isText: false).hash
    default: null
    }
  }
}

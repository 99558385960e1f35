import Foundation

/// A column's values for several rows, in the binary form of arrays and COPY: each value's length, followed by its
/// bytes.
struct ColumnBuffer {
  let type: PostgresType
  private(set) var bytes: [UInt8] = []
  /// The offset of each value's length field.
  private(set) var starts: [Int] = []
  private var hasNull = false

  init(_ type: PostgresType) { self.type = type }

  var count: Int { starts.count }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    hasNull = false
  }

  // MARK: values

  mutating func appendNull() {
    starts.append(bytes.count)
    bytes.appendBigEndian(Int32(-1))
    hasNull = true
  }

  /// Appends the stored form of an integer or Boolean.
  mutating func append(_ integer: Int64) {
    starts.append(bytes.count)
    switch type {
    case .boolean: append(sized: UInt8(integer == 0 ? 0 : 1))
    case .unsigned:
      var text = String(UInt64(bitPattern: integer) ^ (1 << 63))
      appendSized { bytes in text.withUTF8 { NumericCoding.append(UnsafeRawBufferPointer($0), to: &bytes) } }
    default: append(sized: integer)
    }
  }

  mutating func append(_ real: Double) {
    starts.append(bytes.count)
    if type == .real { append(sized: Float(real).bitPattern) } else { append(sized: real.bitPattern) }
  }

  /// Appends the stored form of text, a `Decimal`, a `UUID` or JSON; returns false if the column cannot store it.
  mutating func append(text: UnsafeRawBufferPointer) -> Bool {
    starts.append(bytes.count)
    switch type {
    case .numeric:
      appendSized { NumericCoding.append(text, to: &$0) }
    case .uuid:
      guard let identifier = UUID(uuidString: String(decoding: text, as: UTF8.self)) else { return false }
      withUnsafeBytes(of: identifier.uuid) { append(raw: $0) }
    case .jsonb:
      appendSized {
        // The version of the jsonb format.
        $0.append(1)
        $0.append(contentsOf: text)
      }
    default:
      if let start = text.baseAddress, memchr(start, 0, text.count) != nil { return false }
      append(raw: text)
    }
    return true
  }

  mutating func append(blob: UnsafeRawBufferPointer) {
    starts.append(bytes.count)
    append(raw: blob)
  }

  @inline(__always) private mutating func append(sized value: some FixedWidthInteger) {
    bytes.appendBigEndian(Int32(value.bitWidth / 8))
    bytes.appendBigEndian(value)
  }

  private mutating func append(raw: UnsafeRawBufferPointer) {
    bytes.appendBigEndian(Int32(truncatingIfNeeded: raw.count))
    bytes.append(contentsOf: raw)
  }

  private mutating func appendSized(_ body: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes.appendBigEndian(Int32(0))
    body(&bytes)
    let size = UInt32(truncatingIfNeeded: bytes.count - start - 4)
    for offset in 0..<4 { bytes[start + offset] = UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32(offset))) }
  }

  // MARK: parameters

  /// Appends a value as a parameter.
  func appendValue(_ row: Int, to parameters: inout PostgresParameters) {
    let start = starts[row]
    let end = row + 1 < starts.count ? starts[row + 1] : bytes.count
    bytes.withUnsafeBytes { bytes in
      let isNull = end - start == 4 && bytes[start] == 0xFF
      parameters.append(isNull ? nil : UnsafeRawBufferPointer(rebasing: bytes[(start + 4)..<end]), of: type.oid)
    }
  }

  /// Appends a value and its length to the bytes for COPY.
  func copyValue(_ row: Int, to bytes: inout [UInt8]) {
    bytes += self.bytes[starts[row]..<(row + 1 < starts.count ? starts[row + 1] : self.bytes.count)]
  }

  /// Appends all values as a single array parameter.
  func appendArray(to parameters: inout PostgresParameters) {
    var array: [UInt8] = []
    array.reserveCapacity(bytes.count + 20)
    array.appendBigEndian(Int32(count == 0 ? 0 : 1))
    array.appendBigEndian(Int32(hasNull ? 1 : 0))
    array.appendBigEndian(type.oid)
    if count > 0 {
      array.appendBigEndian(Int32(count))
      array.appendBigEndian(Int32(1))
      array += bytes
    }
    array.withUnsafeBytes { parameters.append($0, of: type.arrayOID) }
  }
}

extension [UInt8] {
  mutating func appendBigEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}

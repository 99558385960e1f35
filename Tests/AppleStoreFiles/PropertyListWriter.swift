/// A value for a binary property list that a test writes.
package indirect enum TestList {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case date(Double)
  case data([UInt8])
  case text(String)
  case uid(Int)
  case list([TestList])
  case dictionary([(String, TestList)])
}

/// Writes binary property lists as Foundation does: a header, the objects, the offset table and the trailer.
package struct PropertyListWriter {
  private var objects: [[UInt8]] = []
  private let referenceSize: Int

  package static func bytes(_ value: TestList, referenceSize: Int = 2) -> [UInt8] {
    var writer = PropertyListWriter(referenceSize: referenceSize)
    let top = writer.add(value)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in writer.objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += big(UInt64(offset), 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, UInt8(referenceSize)]
    for number in [offsets.count, top, table] { bytes += big(UInt64(number), 8) }
    return bytes
  }

  private init(referenceSize: Int) { self.referenceSize = referenceSize }

  package static func big(_ number: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
  }

  private mutating func add(_ value: TestList) -> Int {
    let index = objects.count
    objects.append([])
    objects[index] = encode(value)
    return index
  }

  private mutating func encode(_ value: TestList) -> [UInt8] {
    switch value {
    case .null: return [0x00]
    case .bool(let flag): return [flag ? 0x09 : 0x08]
    case .integer(let number):
      if (0..<256).contains(number) { return [0x10] + Self.big(UInt64(number), 1) }
      if (0..<65_536).contains(number) { return [0x11] + Self.big(UInt64(number), 2) }
      return [0x13] + Self.big(UInt64(bitPattern: number), 8)
    case .real(let number): return [0x23] + Self.big(number.bitPattern, 8)
    case .date(let number): return [0x33] + Self.big(number.bitPattern, 8)
    case .data(let bytes): return Self.marker(0x40, bytes.count) + bytes
    case .text(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) { return Self.marker(0x50, text.utf8.count) + text.utf8 }
      return Self.marker(0x60, text.utf16.count) + text.utf16.flatMap { Self.big(UInt64($0), 2) }
    case .uid(let number):
      return number < 256 ? [0x80, UInt8(number)] : [0x81] + Self.big(UInt64(number), 2)
    case .list(let elements):
      let references = elements.map { add($0) }
      return Self.marker(0xA0, elements.count) + references.flatMap { Self.big(UInt64($0), referenceSize) }
    case .dictionary(let entries):
      let keys = entries.map { add(.text($0.0)) }
      let values = entries.map { add($0.1) }
      return Self.marker(0xD0, entries.count) + (keys + values).flatMap { Self.big(UInt64($0), referenceSize) }
    }
  }

  private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0xF, 0x11] + big(UInt64(count), 2)
  }
}

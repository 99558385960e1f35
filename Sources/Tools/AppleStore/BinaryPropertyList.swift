/// The objects of a binary property list.
///
/// Each object is decoded once and references remain indices, so cycles and deep nesting are harmless. Objects must not
/// overlap, which limits the decoded size to the file size.
package struct BinaryPropertyList: Sendable {
  package enum Object: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 1 January 2001.
    case date(Double)
    case data([UInt8])
    case text(String)
    /// An object number in a keyed archive.
    case uid(Int)
    /// The indices of an array's or set's elements.
    case list([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  package let objects: [Object]
  package let top: Int

  package init(_ bytes: [UInt8]) throws(AppleStoreProblem) {
    var reader = try PropertyListReader(bytes)
    (objects, top) = try reader.read()
  }

  /// - Returns: `nil` if the index is out of range.
  package subscript(_ index: Int) -> Object? { objects.indices.contains(index) ? objects[index] : nil }

  /// A dictionary's value for a key. If keys repeat, the first applies.
  package func value(_ key: String, of index: Int) -> Int? {
    guard case .dictionary(let keys, let values) = self[index],
      let place = keys.firstIndex(where: { self[$0] == .text(key) })
    else { return nil }
    return values[place]
  }
}

/// The reason why a file in an Apple format cannot be read.
package struct AppleStoreProblem: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Reads the trailer, the offset table and the objects.
private struct PropertyListReader {
  private let bytes: [UInt8]
  private let count: Int
  private let top: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let table: Int
  /// The number of bytes not yet claimed by an object.
  private var unclaimed: Int

  init(_ bytes: [UInt8]) throws(AppleStoreProblem) {
    guard bytes.starts(with: Array("bplist0".utf8)) else {
      throw AppleStoreProblem("not a binary property list: the header 'bplist0' is missing")
    }
    guard bytes.count >= 8 + 32 else { throw AppleStoreProblem("the property list is shorter than its trailer") }
    let trailer = bytes.count - 32
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw AppleStoreProblem("the property list has invalid integer sizes \(offsetSize) and \(referenceSize)")
    }
    guard let count = Self.integer(bytes[(trailer + 8)..<(trailer + 16)]),
      let top = Self.integer(bytes[(trailer + 16)..<(trailer + 24)]),
      let table = Self.integer(bytes[(trailer + 24)..<(trailer + 32)]),
      (8...trailer).contains(table), count >= 1, count <= (trailer - table) / offsetSize, top < count
    else { throw AppleStoreProblem("the property list's trailer contradicts its size") }
    self.count = count
    self.top = top
    self.table = table
    unclaimed = table - 8
  }

  mutating func read() throws(AppleStoreProblem) -> ([BinaryPropertyList.Object], Int) {
    var objects: [BinaryPropertyList.Object] = []
    for index in 0..<count {
      let start = table + index * offsetSize
      guard let offset = Self.integer(bytes[start..<(start + offsetSize)]), (8..<table).contains(offset) else {
        throw AppleStoreProblem("object \(index) of the property list is outside the file")
      }
      objects.append(try object(at: offset))
    }
    return (objects, top)
  }

  private mutating func object(at offset: Int) throws(AppleStoreProblem) -> BinaryPropertyList.Object {
    let marker = bytes[offset]
    let low = Int(marker & 0xF)
    switch marker >> 4 {
    case 0x0:
      try claim(1)
      switch low {
      case 0, 0xF: return .null
      case 8: return .bool(false)
      case 9: return .bool(true)
      default: throw unsupported(marker, offset)
      }
    case 0x1: return try integer(at: offset, low)
    case 0x2, 0x3: return try real(at: offset, low, isDate: marker >> 4 == 0x3)
    case 0x4: return .data(Array(try payload(at: offset, low, width: 1)))
    case 0x5:
      let text = try payload(at: offset, low, width: 1)
      guard text.allSatisfy({ $0 < 0x80 }) else { throw invalidText(offset) }
      return .text(String(decoding: text, as: UTF8.self))
    case 0x6:
      let text = Array(try payload(at: offset, low, width: 2))
      let units = stride(from: 0, to: text.count, by: 2).map { UInt16(text[$0]) << 8 | UInt16(text[$0 + 1]) }
      guard let text = String(validating: units, as: UTF16.self) else { throw invalidText(offset) }
      return .text(text)
    case 0x7:
      guard let text = String(validating: try payload(at: offset, low, width: 1), as: UTF8.self) else {
        throw invalidText(offset)
      }
      return .text(text)
    case 0x8:
      let number = Self.integer(try slice(offset + 1, low + 1))
      guard let number, number <= Int(UInt32.max) else {
        throw AppleStoreProblem("the object number at offset \(offset) of the property list is too large")
      }
      return .uid(number)
    case 0xA, 0xB, 0xC: return .list(try references(try payload(at: offset, low, width: referenceSize)))
    case 0xD:
      let all = try references(try payload(at: offset, low, width: 2 * referenceSize))
      return .dictionary(keys: Array(all.prefix(all.count / 2)), values: Array(all.suffix(all.count / 2)))
    default: throw unsupported(marker, offset)
    }
  }

  private mutating func integer(at offset: Int, _ low: Int) throws(AppleStoreProblem) -> BinaryPropertyList.Object {
    guard low <= 4 else { throw unsupported(bytes[offset], offset) }
    let all = try slice(offset + 1, 1 << low)
    // Integers with 16 bytes hold unsigned numbers above Int64.max.
    let words = all.suffix(8)
    let value = words.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let signed = Int64(bitPattern: value)
    guard all.dropLast(8).allSatisfy({ $0 == (signed < 0 ? 0xFF : 0) }) else {
      throw AppleStoreProblem("the integer at offset \(offset) of the property list does not fit into 64 bits")
    }
    return .integer(signed)
  }

  private mutating func real(
    at offset: Int, _ low: Int, isDate: Bool
  ) throws(AppleStoreProblem) -> BinaryPropertyList.Object {
    guard low == 3 || low == 2 && !isDate else { throw unsupported(bytes[offset], offset) }
    let bits = try slice(offset + 1, 1 << low).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if isDate { return .date(Double(bitPattern: bits)) }
    return .real(low == 3 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
  }

  /// Returns an object's payload. The element count is in the marker or follows it.
  private mutating func payload(
    at offset: Int, _ low: Int, width: Int
  ) throws(AppleStoreProblem) -> ArraySlice<UInt8> {
    var start = offset + 1
    var count = low
    if low == 0xF {
      guard start < table, bytes[start] >> 4 == 0x1, bytes[start] & 0xF <= 3 else {
        throw AppleStoreProblem("the object at offset \(offset) of the property list has no size")
      }
      let size = 1 << Int(bytes[start] & 0xF)
      guard let number = Self.integer(try slice(start + 1, size)) else {
        throw AppleStoreProblem("the object at offset \(offset) of the property list is larger than the file")
      }
      count = number
      start += 1 + size
    }
    guard count <= (table - start) / width else {
      throw AppleStoreProblem("the object at offset \(offset) of the property list is larger than the file")
    }
    return try slice(start, count * width)
  }

  private func references(_ slice: ArraySlice<UInt8>) throws(AppleStoreProblem) -> [Int] {
    var result: [Int] = []
    var start = slice.startIndex
    while start < slice.endIndex {
      guard let number = Self.integer(slice[start..<(start + referenceSize)]), number < count else {
        throw AppleStoreProblem("the property list refers to a missing object")
      }
      result.append(number)
      start += referenceSize
    }
    return result
  }

  private mutating func slice(_ start: Int, _ length: Int) throws(AppleStoreProblem) -> ArraySlice<UInt8> {
    guard start <= table, length <= table - start else {
      throw AppleStoreProblem("an object of the property list extends beyond the file")
    }
    try claim(length)
    return bytes[start..<(start + length)]
  }

  private mutating func claim(_ length: Int) throws(AppleStoreProblem) {
    unclaimed -= length
    guard unclaimed >= 0 else { throw AppleStoreProblem("objects of the property list overlap") }
  }

  private func unsupported(_ marker: UInt8, _ offset: Int) -> AppleStoreProblem {
    AppleStoreProblem("unknown object type 0x\(String(marker, radix: 16)) at offset \(offset) of the property list")
  }

  private func invalidText(_ offset: Int) -> AppleStoreProblem {
    AppleStoreProblem("the text at offset \(offset) of the property list is not valid")
  }

  /// A big-endian number; `nil` if it does not fit into an `Int`.
  private static func integer(_ slice: ArraySlice<UInt8>) -> Int? {
    guard slice.dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
    return Int(exactly: slice.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

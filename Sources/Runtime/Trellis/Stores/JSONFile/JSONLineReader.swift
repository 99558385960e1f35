import Foundation

/// Reads the values of one model out of the text of a file.
final class JSONLineReader: RowReader {
  let entity: JSONEntityReader
  let identifier: PersistentIdentifier
  let bytes: UnsafeBufferPointer<UInt8>
  /// Where the values are, by column, then by list.
  let places: [Range<Int>?]

  init(
    _ entity: JSONEntityReader, _ identifier: PersistentIdentifier,
    _ bytes: UnsafeBufferPointer<UInt8>, _ places: [Range<Int>?]
  ) {
    self.entity = entity
    self.identifier = identifier
    self.bytes = bytes
    self.places = places
  }

  /// The bytes of a value that is there.
  private func part(_ place: Int) -> Slice<UnsafeBufferPointer<UInt8>>? {
    places[place].map { bytes[$0] }
  }

  func value<T: ColumnValue>(_ slot: Int) throws -> T { try codable(slot) }

  func codable<T: Codable & Sendable>(_ slot: Int) throws -> T {
    guard let part = part(slot) else { return try missing(slot) }
    if let none = NilLiteral.value(T.self), JSONScanner.isNull(part) { return none }
    if let value = Self.plain(part, T.self) { return value }
    if let none = NotANumber.value(T.self), JSONScanner.text(part) == NotANumber.text { return none }
    let value: T = try entity.decode(part, of: entity.layout.columns[slot].name)
    if let row = identifier.row { entity.keep(part, of: slot, row, unlessWritten: value) }
    return value
  }

  func value<T: ColumnValue>(_ slot: Int, unknown: () -> T) throws -> T {
    try tolerating(slot, isJSON: false, unknown) { try value(slot) }
  }

  func codable<T: Codable & Sendable>(_ slot: Int, unknown: () -> T) throws -> T {
    try tolerating(slot, isJSON: true, unknown) { try codable(slot) }
  }

  private func tolerating<T>(
    _ slot: Int, isJSON: Bool, _ unknown: () -> T, _ read: () throws -> T
  ) throws -> T {
    do {
      return try read()
    } catch let error as DecodingError {
      guard let part = part(slot), let row = identifier.row,
        entity.keepUnknown(part, of: slot, row, isJSON: isJSON)
      else { throw error }
      return unknown()
    }
  }

  /// Most values, without the decoder; nil where that is needed.
  ///
  /// Each is unwrapped before it is cast: nil is a value of optional types.
  @inline(__always) private static func plain<T>(
    _ part: Slice<UnsafeBufferPointer<UInt8>>, _: T.Type
  ) -> T? {
    if T.self == String.self || T.self == String?.self {
      if let text = JSONScanner.text(part) { return text as? T }
    } else if T.self == Int.self || T.self == Int?.self {
      if let number = JSONScanner.integer(part) { return Int(exactly: number).flatMap { $0 as? T } }
    } else if T.self == Int64.self || T.self == Int64?.self {
      if let number = JSONScanner.integer(part) { return number as? T }
    } else if T.self == Double.self || T.self == Double?.self {
      if let number = JSONScanner.real(part) { return number as? T }
    } else if T.self == Date.self || T.self == Date?.self {
      if let number = JSONScanner.real(part) {
        return Date(timeIntervalSinceReferenceDate: number) as? T
      }
    } else if T.self == Bool.self || T.self == Bool?.self {
      if part.elementsEqual("true".utf8) { return true as? T }
      if part.elementsEqual("false".utf8) { return false as? T }
    }
    return nil
  }

  private func missing<T: Codable & Sendable>(_ slot: Int) throws -> T {
    let column = entity.layout.columns[slot]
    if column.isOptional, let none = NilLiteral.value(T.self) { return none }
    // Written before the property was added.
    if let value = entity.definition.schemaDefault(ofPropertyNamed: column.name) as? T { return value }
    if let none = NilLiteral.value(T.self) { return none }
    throw DecodingError.dataCorrupted(
      .init(codingPath: [], debugDescription: "no value of '\(column.name)'"))
  }

  func reference(_ slot: Int) throws -> PersistentIdentifier? {
    guard let part = part(slot), !JSONScanner.isNull(part) else { return nil }
    let key: Int64 =
      try JSONScanner.integer(part) ?? entity.decode(part, of: entity.layout.columns[slot].name)
    return PersistentIdentifier(token: entity.keys.columns[slot], row: key)
  }

  func references(_ slot: Int) throws -> [PersistentIdentifier]? {
    guard let part = part(entity.layout.columns.count + slot), !JSONScanner.isNull(part) else {
      return nil
    }
    let keys: [Int64] = try entity.decode(part, of: entity.layout.lists[slot].name)
    return keys.map { PersistentIdentifier(token: entity.keys.lists[slot], row: $0) }
  }
}

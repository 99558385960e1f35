import Foundation
import Trellis

/// Reads the models of one entity out of the text of a file.
final class JSONEntityReader: RowReader {
  private let entity: StoredClass
  private let decoder = JSONDocument.decoder
  private let encoder = JSONDocument.encoder
  /// The slots of properties by name: columns, then lists.
  private let slots: [String: Int]
  /// The texts of the values that the models read so far do not represent.
  private(set) var kept: [JSONKeptText] = []

  // The model that is read.
  private(set) var identifier: PersistentIdentifier
  private var row: Int64 = 0
  /// The texts of its values by slot.
  private var texts: [ArraySlice<UInt8>?] = []

  init(_ entity: StoredClass) {
    self.entity = entity
    slots = entity.stored
    identifier = entity.identifier(0)
  }

  /// Reads the model that a scanner stands in front of.
  func read(_ scanner: JSONScanner) throws -> DefaultSnapshot {
    var scanner = scanner
    texts = Array(repeating: nil, count: entity.columns.count + entity.lists.count)
    var number: Int64?
    var unknown: String?
    try scanner.object { name, scanner in
      let text = try scanner.bytes[scanner.value()]
      if name == JSONDocument.idKey {
        number = try JSONScanner.integer(text) ?? decode(text, of: name)
      } else if let slot = slots[name] {
        texts[slot] = text
      } else {
        unknown = unknown ?? name
      }
    }
    guard let number else { throw scanner.failure("there is no '\(JSONDocument.idKey)'") }
    if let unknown {
      throw JSONContents.Unknown(
        problem: .differentSchema,
        explanation: "'\(entity.name)' \(number) has a '\(unknown)', which the schema does not have: it would be lost")
    }
    row = number
    identifier = entity.identifier(number)
    do {
      return try entity.read(self)
    } catch let error as DecodingError {
      throw error.inside([], of: "'\(entity.name)' \(number)")
    }
  }

  private func decode<T: Decodable>(_ text: ArraySlice<UInt8>, of name: String) throws -> T {
    do {
      return try decoder.decode(T.self, from: Data(text))
    } catch {
      // Types of the program throw any error.
      let found =
        error as? DecodingError
        ?? .dataCorrupted(
          .init(codingPath: [], debugDescription: "\(error)", underlyingError: error))
      throw found.inside([JSONDocument.PathKey(stringValue: name)])
    }
  }

  /// The text of a value; nil if the file has none, or `null`.
  private func text(_ slot: Int) -> ArraySlice<UInt8>? {
    texts[slot].flatMap { JSONScanner.isNull($0) ? nil : $0 }
  }

  func value<T: ColumnValue>(_ slot: Int) throws -> T { try codable(slot) }

  func codable<T: Codable>(_ slot: Int) throws -> T {
    guard let text = texts[slot] else {
      if let value: T = entity.missingValue(slot) { return value }
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "no value of '\(entity.columns[slot])'"))
    }
    if JSONScanner.isNull(text), let none = NilLiteral.value(T.self) { return none }
    // Most values need no decoder.
    if T.self == String.self || T.self == String?.self, let plain = JSONScanner.text(text) {
      if let value = plain as? T { return value }
    } else if T.self == Int.self || T.self == Int?.self, let plain = JSONScanner.integer(text) {
      if let value = Int(exactly: plain) as? T { return value }
    } else if let none = NotANumber.value(T.self), JSONScanner.text(text) == NotANumber.text {
      return none
    }
    let value: T = try decode(text, of: entity.columns[slot])
    keep(text, of: slot, unlessWritten: value)
    return value
  }

  func value<T: ColumnValue>(_ slot: Int, unknown: () -> T) throws -> T {
    try tolerating(slot, isJSON: false, unknown) { try value(slot) }
  }

  func codable<T: Codable>(_ slot: Int, unknown: () -> T) throws -> T {
    try tolerating(slot, isJSON: true, unknown) { try codable(slot) }
  }

  func raw<T: RawRepresentable & Codable>(_ slot: Int, unknown: () -> T?) throws -> T?
  where T.RawValue: ColumnValue {
    try tolerating(slot, isJSON: false, unknown) { try codable(slot) }
  }

  func reference(_ slot: Int) throws -> PersistentIdentifier? {
    guard let text = text(slot) else { return nil }
    return try entity.destination(
      ofColumn: slot, JSONScanner.integer(text) ?? decode(text, of: entity.columns[slot]))
  }

  func references(_ slot: Int) throws -> [PersistentIdentifier]? {
    guard let text = text(entity.columns.count + slot) else { return nil }
    let keys: [Int64] = try decode(text, of: entity.lists[slot])
    return keys.map { entity.destination(ofList: slot, $0) }
  }

  // MARK: what the program does not know

  /// More digits than a `Decimal` has.
  private static let longestNumber = 38

  /// Keeps the text of a value that says more than the value: objects may have members that the schema does not have,
  /// arrays more elements than a type reads, numbers more digits.
  private func keep<T: Encodable>(_ text: ArraySlice<UInt8>, of slot: Int, unlessWritten value: T) {
    switch text.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): break
    default: guard text.first != UInt8(ascii: "\""), text.count > Self.longestNumber else { return }
    }
    // All elements of these are read.
    if T.self == [String].self || T.self == [Int].self || T.self == [Double].self { return }
    if let written = try? JSONForm.text(of: value, encoder), written.elementsEqual(text) { return }
    kept.append(JSONKeptText(entity: entity, row: row, slot: slot, text: Data(text), unknown: nil))
  }

  /// Reads a value that may be of a case that the program does not know: then its text is kept, and the engine gets it.
  private func tolerating<T>(
    _ slot: Int, isJSON: Bool, _ unknown: () -> T, _ read: () throws -> T
  ) throws -> T {
    do {
      return try read()
    } catch let error as DecodingError {
      guard let text = text(slot), let stored = stored(text, entity.kind(of: slot, isJSON: isJSON)) else { throw error }
      kept.append(JSONKeptText(entity: entity, row: row, slot: slot, text: Data(text), unknown: stored))
      return unknown()
    }
  }

  /// The value as a column has it; nil for a value that no program writes into such a column: the file is damaged.
  private func stored(_ text: ArraySlice<UInt8>, _ kind: StoredClass.ValueKind) -> SQLValue? {
    switch kind {
    case .json:
      let isValid = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
      return isValid.map { _ in .text(String(decoding: text, as: UTF8.self)) }
    case .text: return (try? decoder.decode(String.self, from: Data(text))).map { .text($0) }
    case .integer: return JSONScanner.integer(text).map { .integer($0) }
    case .real: return (try? decoder.decode(Double.self, from: Data(text))).map { .real($0) }
    case .other: return nil
    }
  }
}

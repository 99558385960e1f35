import Foundation
import Trellis

/// Writes models of one entity as JSON objects, their members by name.
final class JSONLineWriter: RowWriter {
  let entity: StoredClass
  private let encoder = JSONDocument.encoder
  private var members: [(name: String, value: Data)] = []

  init(_ entity: StoredClass) { self.entity = entity }

  /// - Parameter kept: the texts of values that say more than the snapshot.
  func line(_ snapshot: DefaultSnapshot, _ row: Int64, kept: [JSONKeptText]) throws -> Data {
    members = []
    try append(row, as: JSONDocument.idKey)
    try snapshot.write(to: self)
    for text in kept {
      members.removeAll { $0.name == entity.columns[text.slot] }
      members.append((entity.columns[text.slot], text.text))
    }
    var line = Data("{".utf8)
    for (place, member) in members.sorted(by: { $0.name < $1.name }).enumerated() {
      if place > 0 { line.append(UInt8(ascii: ",")) }
      line += try encoder.encode(member.name)
      line.append(UInt8(ascii: ":"))
      line += member.value
    }
    line.append(UInt8(ascii: "}"))
    return line
  }

  private func append(_ value: some Encodable, as name: String) throws {
    members.append((name, try JSONForm.text(of: value, encoder)))
  }

  func value<T: ColumnValue>(_ slot: Int, _ value: T) throws { try codable(slot, value) }

  func codable<T: Codable>(_ slot: Int, _ value: T) throws {
    if (value as? any OptionalValue)?.isNil == true { return }
    let name = entity.columns[slot]
    if let decimal = value as? Decimal, decimal.isNaN { return try append(NotANumber.text, as: name) }
    try append(value, as: name)
    if let text = members.last?.value { try JSONColumn.check(text, of: "\(T.self)") }
  }

  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
    guard let row = identifier?.row else { return }
    try append(row, as: entity.columns[slot])
  }

  /// Leaves out lists whose members tell as much by their own relationships.
  func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws {
    guard let keys = identifiers?.compactMap(\.row), !keys.isEmpty, let isOrdered = entity.isOrdered(list: slot)
    else { return }
    try append(isOrdered ? keys : keys.sorted(), as: entity.lists[slot])
  }
}

/// Encodes values so that equal values have one text: a file changes only where its models have changed.
enum JSONForm {
  static func text<T: Encodable>(of value: T, _ encoder: JSONEncoder) throws -> Data {
    if let unordered = value as? any UnorderedValue, let text = try unordered.orderedText(encoder) { return text }
    try NestingCheck.check(value)
    return try encoder.encode(value)
  }
}

/// A collection whose elements come in another order in every process.
private protocol UnorderedValue {
  /// The elements in the order of their texts; nil if the encoder orders them.
  func orderedText(_ encoder: JSONEncoder) throws -> Data?
}

extension UnorderedValue {
  fileprivate func list(_ texts: [Data]) -> Data {
    let sorted = texts.sorted { $0.lexicographicallyPrecedes($1) }
    return Data("[".utf8) + Data(sorted.joined(separator: ",".utf8)) + Data("]".utf8)
  }
}

extension Set: UnorderedValue where Element: Encodable {
  fileprivate func orderedText(_ encoder: JSONEncoder) throws -> Data? {
    list(try map { try JSONForm.text(of: $0, encoder) })
  }
}

extension Dictionary: UnorderedValue where Key: Encodable, Value: Encodable {
  fileprivate func orderedText(_ encoder: JSONEncoder) throws -> Data? {
    if Key.self is String.Type || Key.self is Int.Type || Key.self is any CodingKeyRepresentable.Type { return nil }
    // A dictionary encodes keys and values in turn.
    return list(
      try map { try JSONForm.text(of: $0, encoder) + Data(",".utf8) + JSONForm.text(of: $1, encoder) })
  }
}

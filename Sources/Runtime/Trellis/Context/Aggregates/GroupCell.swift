/// The state of a key or an aggregate in one group: read from the database's result, or computed row by row.
class GroupCell<Model: PersistentModel> {
  /// Takes the database's result.
  ///
  /// - Parameter column: the first of as many columns as the term has.
  func read(_ row: inout StatementRow, _ column: Int32) throws {}

  /// Adds a row of the group.
  func add(_ row: inout ValueRow<Model>, _ column: Int32) throws {}

  /// Distinguishes the groups of rows; used of keys only.
  func rowKey(_ row: inout ValueRow<Model>, _ column: Int32) throws -> SQLValue { .null }

  /// Represents the value where groups are compared: nil first, NaN behind all numbers.
  func orderKey() throws -> SQLValue { .null }
}

/// A cell with its value.
class ValueCell<Model: PersistentModel, Value>: GroupCell<Model> {
  func value() throws -> Value { throw DataStoreError.unsupportedFeature }

  final override func orderKey() throws -> SQLValue { try OrderKey.of(value()) }
}

final class CountCell<Model: PersistentModel>: ValueCell<Model, Int> {
  private var count = 0
  private let counts: (inout ValueRow<Model>, Int32) throws -> Bool

  /// - Parameter counts: returns true for a row that counts.
  init(_ counts: @escaping (inout ValueRow<Model>, Int32) throws -> Bool) { self.counts = counts }

  override func read(_ row: inout StatementRow, _ column: Int32) throws { count = try Int.read(&row, column) }
  override func add(_ row: inout ValueRow<Model>, _ column: Int32) throws {
    if try counts(&row, column) { count += 1 }
  }
  override func value() throws -> Int { count }
}

/// A sum, or the average made of it.
final class SumCell<Model: PersistentModel, V: SummableValue, Value>: ValueCell<Model, Value> {
  private let reader: ValueReader<Model, V>
  private let result: (Summation) throws -> Value
  private var summation = Summation()

  init(_ reader: ValueReader<Model, V>, _ result: @escaping (Summation) throws -> Value) {
    self.reader = reader
    self.result = result
  }

  override func read(_ row: inout StatementRow, _ column: Int32) throws {
    summation = Summation()
    summation.count = try Int.read(&row, column)
    guard summation.count > 0 else { return }
    switch reader.input.kind {
    case .integer: summation.integer = Int128(try Int64.read(&row, column + 1))
    case .real, .float: summation.storedReal = try Double.read(&row, column + 1)
    default: summation.storedDecimal = try String.read(&row, column + 1)
    }
  }

  override func add(_ row: inout ValueRow<Model>, _ column: Int32) throws {
    V._$add(try reader(&row, column), to: &summation)
  }

  override func value() throws -> Value { try result(summation) }
}

/// The smallest or the largest value.
final class ExtremeCell<Model: PersistentModel, V: OrderedValue>: ValueCell<Model, V.Ordered?> {
  private let reader: ValueReader<Model, V>
  private let isLargest: Bool
  private var best: V.Ordered?

  init(_ reader: ValueReader<Model, V>, isLargest: Bool) {
    self.reader = reader
    self.isLargest = isLargest
  }

  override func read(_ row: inout StatementRow, _ column: Int32) throws {
    best = row.isNull(column) ? nil : V._$ordered(try reader.read(&row, column))
  }

  override func add(_ row: inout ValueRow<Model>, _ column: Int32) throws {
    guard let value = V._$ordered(try reader(&row, column)) else { return }
    guard let best, !V._$isNaN(best) else {
      // A number takes the place of NaN.
      self.best = value
      return
    }
    guard !V._$isNaN(value) else { return }
    if isLargest ? V._$isBefore(best, value) : V._$isBefore(value, best) { self.best = value }
  }

  override func value() throws -> V.Ordered? { best.map(V._$settled) }
}

/// The common value of a group's rows.
final class KeyCell<Model: PersistentModel, V>: ValueCell<Model, V> {
  private let reader: ValueReader<Model, V>
  private var found: V?

  init(_ reader: ValueReader<Model, V>) { self.reader = reader }

  override func read(_ row: inout StatementRow, _ column: Int32) throws { found = try reader.read(&row, column) }

  override func add(_ row: inout ValueRow<Model>, _ column: Int32) throws {
    if found == nil { found = try reader(&row, column) }
  }

  override func rowKey(_ row: inout ValueRow<Model>, _ column: Int32) throws -> SQLValue {
    try OrderKey.of(reader(&row, column), reader.input.kind)
  }

  /// The value in one form for all rows of the group, whichever came first.
  override func value() throws -> V {
    guard let found else {
      throw SwiftDataError.unsupportedKeyPath.explained("'\(reader.keyPath)' has no value in this group")
    }
    guard let type = V.self as? any OrderedValue.Type else { return found }
    func settled<O: OrderedValue>(_: O.Type) -> V? {
      guard let value = found as? O, let ordered = O._$ordered(value) else { return nil }
      return O._$settled(ordered) as? V
    }
    return settled(type) ?? found
  }
}

/// The stored form of a value, by which values are distinguished and ordered as SQL does it.
enum OrderKey {
  static func of<V>(_ value: V) throws -> SQLValue { try of(value, ScalarKind.of(V.self)) }

  static func of<V>(_ value: V, _ kind: ScalarKind?) throws -> SQLValue {
    guard let bare = ConstantTerm.unwrap(value) else { return .null }
    guard let kind else { throw problem(V.self) }
    if let identifier = bare as? PersistentIdentifier { return .text(key(identifier)) }
    let stored = try kind.encode(bare, nil)
    if kind == .decimal, case .text(let text) = stored { return .text(DecimalText.orderKey(text)) }
    return stored
  }

  /// The error for a type whose values cannot be distinguished.
  static func problem(_ type: any Any.Type) -> SwiftDataError {
    .unsupportedKeyPath.explained(
      "values of type '\(type)' are neither grouped nor counted as different ones: only attributes "
        + "of a plain type and identifiers are; for a relationship write "
        + "'\\.trip?.persistentModelID'")
  }

  /// Saved rows before pending ones, each by number.
  private static func key(_ identifier: PersistentIdentifier) -> String {
    let head = identifier.isTemporary ? "1" : "0"
    guard let row = identifier.row else { return "\(head)\(identifier)" }
    let digits = String(UInt64.init(bitPattern: row ^ Int64.min))
    return head + String(repeating: "0", count: max(0, 20 - digits.count)) + digits
      + identifier.entityName
  }

  /// SQLite's order of values of one type: NULL, numbers, text, blobs. NaN is a text.
  static func isBefore(_ lhs: SQLValue, _ rhs: SQLValue) -> Bool {
    switch (lhs, rhs) {
    case (.integer(let lhs), .integer(let rhs)): lhs < rhs
    case (.real(let lhs), .real(let rhs)): lhs < rhs
    case (.text(let lhs), .text(let rhs)): lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): lhs.lexicographicallyPrecedes(rhs)
    default: rank(lhs) < rank(rhs)
    }
  }

  private static func rank(_ value: SQLValue) -> Int {
    switch value {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob, .list: 3
    }
  }
}

/// Where a column of a grouped result comes from: an aggregate, or the key of the groups.
protocol AggregateSource<Model, Value> {
  associatedtype Model: PersistentModel
  associatedtype Value

  /// The SQL expressions a cell reads, as many as its ``AggregateCell/width``.
  ///
  /// - Throws: ``Untranslatable`` when the value has to be computed from models.
  func columns(_ sql: inout AggregateTranslation) throws -> [SQLFragment]

  /// An expression that orders groups as ``AggregateCell/orderKey()`` does; nil when they are
  /// compared in Swift.
  func orderable(_ sql: inout AggregateTranslation) throws -> ComparableTerm?

  /// Whether the value depends on more than the row's own stored attributes.
  var crossesRelationships: Bool { get }

  /// Why the values cannot be distinguished; nil when they can.
  var problem: SwiftDataError? { get }

  func makeCell() -> any AggregateCell<Model, Value>
}

/// An expression SQL can compare, and the kind of its values.
struct ComparableTerm {
  let sql: SQLFragment
  let scalar: ScalarKind
  /// Whether SQL's comparison with a value is Swift's, and not only its order.
  let isExact: Bool
}

/// One value of one group: added up model by model, or read from a row that a store computed.
protocol AggregateCell<Model, Value>: GroupCell {
  associatedtype Value

  func value() throws -> Value
}

/// A cell whatever its value is.
protocol GroupCell<Model>: AnyObject {
  associatedtype Model: PersistentModel

  /// How many columns of a row the cell reads.
  var width: Int { get }
  func add(_ model: Model) throws
  func read(_ row: inout StatementRow, _ column: Int32) throws
  /// Stands for the value where groups are compared: nil first, NaN behind all numbers.
  func orderKey() throws -> SQLValue
}

extension AggregateSource {
  func orderable(_ sql: inout AggregateTranslation) throws -> ComparableTerm? { nil }

  var problem: SwiftDataError? { nil }

  func crosses<V>(_ keyPath: KeyPath<Model, V>) -> Bool {
    let route = KeyPathRoute.of(keyPath, Model._$definition)
    return route.map { !$0.references.isEmpty } ?? true
  }
}

extension AggregateCell {
  func orderKey() throws -> SQLValue { try OrderKey.of(value()) }
}

/// The stored form of a value, by which values are distinguished and ordered as SQL does it.
enum OrderKey {
  static func of<V>(_ value: V) throws -> SQLValue {
    guard let bare = ConstantTerm.unwrap(value) else { return .null }
    guard let scalar = ScalarKind.of(V.self) else { throw problem(V.self) ?? .unsupportedKeyPath }
    return try of(bare, scalar)
  }

  /// Why values of a type cannot be distinguished; nil when they can.
  static func problem<V>(_: V.Type) -> SwiftDataError? {
    guard ScalarKind.of(V.self) == nil else { return nil }
    return .unsupportedKeyPath.explained(
      "values of type '\(V.self)' are neither grouped nor counted as different ones: only attributes "
        + "of a plain type and identifiers are; for a relationship write "
        + "'\\.trip?.persistentModelID'")
  }

  static func of(_ value: Any, _ scalar: ScalarKind) throws -> SQLValue {
    if let identifier = value as? PersistentIdentifier { return .text(key(identifier)) }
    let stored = try scalar.encode(value, nil)
    if scalar == .decimal, case .text(let text) = stored {
      return .text(DecimalText.orderKey(text))
    }
    return stored
  }

  /// Saved rows before pending ones, each by number.
  private static func key(_ identifier: PersistentIdentifier) -> String {
    let head = identifier.isTemporary ? "1" : "0"
    guard let row = identifier.row else { return "\(head)\(identifier)" }
    let digits = String(UInt64.init(bitPattern: row ^ Int64.min))
    return head + String(repeating: "0", count: max(0, 20 - digits.count)) + digits
      + identifier.entityName
  }

  /// SQLite's order of values: NULL, numbers, text, blobs.
  static func isBefore(_ lhs: SQLValue, _ rhs: SQLValue) -> Bool {
    switch (lhs, rhs) {
    case (.integer(let lhs), .integer(let rhs)): lhs < rhs
    case (.real(let lhs), .real(let rhs)): lhs < rhs
    case (.integer(let lhs), .real(let rhs)): Double(lhs) < rhs
    case (.real(let lhs), .integer(let rhs)): lhs < Double(rhs)
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

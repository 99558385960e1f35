/// What the rows of one group have in common.
struct KeySource<Model: PersistentModel, V>: AggregateSource {
  let keyPath: KeyPath<Model, V>

  func columns(_ sql: inout AggregateTranslation) throws -> [SQLFragment] {
    let term = try sql.plain(keyPath)
    guard ScalarKind.of(V.self) != nil else { throw ScalarKind.unreadable }
    return [try sql.equatable(term)]
  }

  func orderable(_ sql: inout AggregateTranslation) throws -> ComparableTerm? {
    let term = try sql.plain(keyPath)
    let text = term.scalar == .decimal ? try sql.call(.decimalKey, term) : try sql.equatable(term)
    return ComparableTerm(sql: text, scalar: term.scalar, isExact: false)
  }

  var problem: SwiftDataError? { OrderKey.problem(V.self) }

  var crossesRelationships: Bool { crosses(keyPath) }

  /// Stands for the value of a model where values are distinguished.
  func key(_ model: Model) throws -> SQLValue { try OrderKey.of(model[keyPath: keyPath]) }

  func makeCell() -> any AggregateCell<Model, V> { KeyCell(keyPath) }
}

private final class KeyCell<Model: PersistentModel, V>: AggregateCell {
  private let keyPath: KeyPath<Model, V>
  private let reader: ColumnReader<V>?
  private var found: V?

  init(_ keyPath: KeyPath<Model, V>) {
    self.keyPath = keyPath
    reader = ColumnReader(keyPath, Model._$definition)
  }

  var width: Int { 1 }

  func add(_ model: Model) throws { if found == nil { found = model[keyPath: keyPath] } }

  func read(_ row: inout StatementRow, _ column: Int32) throws {
    found = try reader?(&row, column)
  }

  /// The value in one form for all rows of the group, whichever came first.
  func value() throws -> V {
    guard let found else {
      throw SwiftDataError.unsupportedKeyPath.explained("'\(keyPath)' has no value in this group")
    }
    return Settling.settled(found)
  }
}

/// Gives equal values one form.
enum Settling {
  static func settled<V>(_ value: V) -> V {
    guard let type = V.self as? any OrderedValue.Type else { return value }
    func open<O: OrderedValue>(_: O.Type) -> V? {
      guard let value = value as? O, let ordered = O._$ordered(value) else { return nil }
      return O._$settled(ordered) as? V
    }
    return open(type) ?? value
  }
}

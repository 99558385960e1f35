/// The smallest or the largest value.
struct ExtremeSource<Model: PersistentModel, V: OrderedValue>: AggregateSource {
  let keyPath: KeyPath<Model, V>
  let isLargest: Bool

  func columns(_ sql: inout AggregateTranslation) throws -> [SQLFragment] {
    let term = try sql.plain(keyPath)
    guard ScalarKind.ordered(V.self) != nil else {
      throw Untranslatable("\(V.self) has an order of its own")
    }
    return [try sql.extreme(term, isLargest: isLargest)]
  }

  func orderable(_ sql: inout AggregateTranslation) throws -> ComparableTerm? {
    let term = try sql.plain(keyPath)
    guard term.scalar != .decimal, let column = try columns(&sql).first else { return nil }
    let mayBeNaN = term.isIrregular && term.scalar.isNumberThatMayBeNaN
    return ComparableTerm(sql: column, scalar: term.scalar, isExact: !mayBeNaN)
  }

  var crossesRelationships: Bool { crosses(keyPath) }

  func makeCell() -> any AggregateCell<Model, V.Ordered?> {
    ExtremeCell<Model, V>(keyPath, isLargest: isLargest)
  }
}

private final class ExtremeCell<Model: PersistentModel, V: OrderedValue>: AggregateCell {
  private let keyPath: KeyPath<Model, V>
  private let isLargest: Bool
  private let reader: ColumnReader<V>?
  private var best: V.Ordered?

  init(_ keyPath: KeyPath<Model, V>, isLargest: Bool) {
    self.keyPath = keyPath
    self.isLargest = isLargest
    reader = ColumnReader(keyPath, Model._$definition)
  }

  var width: Int { 1 }

  func add(_ model: Model) throws {
    guard let value = V._$ordered(model[keyPath: keyPath]) else { return }
    guard let best, !V._$isNaN(best) else {
      // A number takes the place of NaN.
      self.best = value
      return
    }
    guard !V._$isNaN(value) else { return }
    if isLargest ? V._$isBefore(best, value) : V._$isBefore(value, best) { self.best = value }
  }

  func read(_ row: inout StatementRow, _ column: Int32) throws {
    best = row.isNull(column) ? nil : try reader.flatMap { V._$ordered(try $0(&row, column)) }
  }

  func value() throws -> V.Ordered? { best.map(V._$settled) }
}

/// `count(*)`.
struct CountSource<Model: PersistentModel>: AggregateSource {
  typealias Value = Int

  func columns(_ sql: inout AggregateTranslation) throws -> [SQLFragment] { ["count(*)"] }

  func orderable(_ sql: inout AggregateTranslation) throws -> ComparableTerm? {
    ComparableTerm(sql: "count(*)", scalar: .integer, isExact: true)
  }

  var crossesRelationships: Bool { false }

  func makeCell() -> any AggregateCell<Model, Int> { CountCell<Model> { _ in true } }
}

/// The rows that have a value.
struct PresenceSource<Model: PersistentModel, V>: AggregateSource {
  let keyPath: KeyPath<Model, V?>

  func columns(_ sql: inout AggregateTranslation) throws -> [SQLFragment] {
    ["count(\(try sql.term(keyPath).sql))"]
  }

  func orderable(_ sql: inout AggregateTranslation) throws -> ComparableTerm? {
    ComparableTerm(sql: try columns(&sql)[0], scalar: .integer, isExact: true)
  }

  var crossesRelationships: Bool { crosses(keyPath) }

  func makeCell() -> any AggregateCell<Model, Int> {
    CountCell<Model> { $0[keyPath: keyPath] != nil }
  }
}

/// The different values there are.
struct DistinctSource<Model: PersistentModel, V>: AggregateSource {
  let keyPath: KeyPath<Model, V>

  func columns(_ sql: inout AggregateTranslation) throws -> [SQLFragment] {
    ["count(DISTINCT \(try sql.equatable(sql.plain(keyPath))))"]
  }

  func orderable(_ sql: inout AggregateTranslation) throws -> ComparableTerm? {
    ComparableTerm(sql: try columns(&sql)[0], scalar: .integer, isExact: true)
  }

  var problem: SwiftDataError? { OrderKey.problem(V.self) }

  var crossesRelationships: Bool { crosses(keyPath) }

  func makeCell() -> any AggregateCell<Model, Int> {
    var seen: Set<SQLValue> = []
    return CountCell<Model> { model in
      let key = try OrderKey.of(model[keyPath: keyPath])
      return key != .null && seen.insert(key).inserted
    }
  }
}

private final class CountCell<Model: PersistentModel>: AggregateCell {
  private var count = 0
  private let counts: (Model) throws -> Bool

  init(_ counts: @escaping (Model) throws -> Bool) { self.counts = counts }

  var width: Int { 1 }
  func add(_ model: Model) throws { if try counts(model) { count += 1 } }
  func read(_ row: inout StatementRow, _ column: Int32) throws { count = Int(row.integer(column)) }
  func value() throws -> Int { count }
}

extension StatementRow {
  /// A column that is known to hold an integer.
  func integer(_ column: Int32) -> Int64 { isNull(column) ? 0 : rawInteger(column) }
}

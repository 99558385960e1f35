import Foundation

/// The exact sum of the values.
struct SumSource<Model: PersistentModel, V: SummableValue>: AggregateSource {
  let keyPath: KeyPath<Model, V>

  func columns(_ sql: inout AggregateTranslation) throws -> [SQLFragment] {
    let term = try sql.plain(keyPath)
    return ["count(\(term.sql))", try SumCell<Model, V>.sum(term, sql)]
  }

  func orderable(_ sql: inout AggregateTranslation) throws -> ComparableTerm? {
    let term = try sql.plain(keyPath)
    guard term.scalar == .integer, !sql.isWide else { return nil }
    return ComparableTerm(
      sql: "coalesce(\(try sql.call(.shortSum, term)), 0)", scalar: .integer, isExact: true)
  }

  var crossesRelationships: Bool { crosses(keyPath) }

  func makeCell() -> any AggregateCell<Model, V.Total> { TotalCell<Model, V>(keyPath) }
}

/// The exact sum over the number of values.
struct MeanSource<Model: PersistentModel, V: SummableValue>: AggregateSource {
  let keyPath: KeyPath<Model, V>

  func columns(_ sql: inout AggregateTranslation) throws -> [SQLFragment] {
    let term = try sql.plain(keyPath)
    let isReal = term.scalar == .real || term.scalar == .float
    return [
      "count(\(term.sql))",
      isReal ? try sql.call(.realMean, term) : try SumCell<Model, V>.sum(term, sql),
    ]
  }

  var crossesRelationships: Bool { crosses(keyPath) }

  func makeCell() -> any AggregateCell<Model, V.Mean?> { MeanCell<Model, V>(keyPath) }
}

/// Adds up; subclasses say what becomes of it.
private class SumCell<Model: PersistentModel, V: SummableValue> {
  let keyPath: KeyPath<Model, V>
  var summation = Summation()

  init(_ keyPath: KeyPath<Model, V>) { self.keyPath = keyPath }

  var width: Int { 2 }
  func add(_ model: Model) throws { V._$add(model[keyPath: keyPath], to: &summation) }

  /// The number of values and their sum.
  func read(_ row: inout StatementRow, _ column: Int32) throws {
    summation = Summation()
    summation.count = Int(row.integer(column))
    guard summation.count > 0 else { return }
    switch ScalarKind.of(V.self) {
    case .integer: summation.integer = row.wideInteger(column + 1)
    case .unsigned:
      // Each is stored with 2^63 taken off.
      summation.integer =
        row.wideInteger(column + 1) + Int128(summation.count) * Int128(1 << 63 as UInt64)
    case .real, .float: summation.storedReal = try Double.read(&row, column + 1)
    default: summation.storedDecimal = try String.read(&row, column + 1)
    }
  }

  static func sum(_ term: ScalarTerm, _ sql: AggregateTranslation) throws -> SQLFragment {
    switch term.scalar {
    case .integer: try sql.call(sql.isWide ? .integerSum : .shortSum, term)
    case .unsigned: try sql.call(.integerSum, term)
    case .real, .float: try sql.call(.realSum, term)
    case .decimal: try sql.call(.decimalSum, term)
    default: throw ScalarKind.unreadable
    }
  }

  var overflow: AggregateOverflow {
    let definition = Model._$definition
    let name = KeyPathRoute.of(keyPath, definition)?.name(from: definition)
    return AggregateOverflow(
      entity: definition.entityName, property: name ?? "\(keyPath)", type: "\(V.Total.self)")
  }
}

private final class TotalCell<Model: PersistentModel, V: SummableValue>: SumCell<Model, V>,
  AggregateCell
{
  func value() throws -> V.Total {
    guard let total = V._$total(summation) else { throw overflow }
    return total
  }
}

private final class MeanCell<Model: PersistentModel, V: SummableValue>: SumCell<Model, V>,
  AggregateCell
{
  func value() throws -> V.Mean? {
    guard summation.count > 0 else { return nil }
    guard let mean = V._$mean(summation) else { throw overflow }
    return mean
  }
}

extension StatementRow {
  /// An integer, or one that is too wide for SQLite as text.
  fileprivate mutating func wideInteger(_ column: Int32) -> Int128 {
    if let text = try? text(column, as: String.self) { return Int128(text) ?? 0 }
    return Int128(integer(column))
  }
}

extension KeyPathRoute {
  /// The properties on the way, as the schema names them.
  func name(from definition: ModelDefinition) -> String {
    var names: [String] = []
    var definition = definition
    for keyPath in references + [leaf] {
      guard let property = definition.layout.property(for: keyPath) else { continue }
      names.append(property.name)
      if let next = property.kind.destination { definition = next._$definition }
    }
    return names.joined(separator: ".")
  }
}

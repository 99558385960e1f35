/// Turns the key paths of aggregates into SQL expressions over one entity.
package struct AggregateTranslation {
  private var translation: Translation
  private let root: ModelTerm
  /// True if integer sums are computed in 128 bits, because SQLite's sum has overflowed.
  let isWide: Bool

  init(_ translator: PredicateTranslator, isWide: Bool) {
    translation = Translation(translator)
    root = translator.root
    self.isWide = isWide
  }

  /// The value of a key path in each row.
  mutating func term<M: PersistentModel, V>(_ keyPath: KeyPath<M, V>) throws -> ScalarTerm {
    guard let route = KeyPathRoute.of(keyPath, M._$definition) else {
      throw Untranslatable("\(keyPath) is read in memory")
    }
    return try term(route)
  }

  /// The value at the end of a route in each row.
  mutating func term(_ route: KeyPathRoute) throws -> ScalarTerm {
    var model = root
    for reference in route.references {
      let type = Swift.type(of: reference).valueType
      guard case .model(let next) = try translation.property(reference, of: model, type: type)
      else { throw Untranslatable("\(reference) is read in memory") }
      model = next
    }
    let type = Swift.type(of: route.leaf).valueType
    guard case .scalar(let term) = try translation.property(route.leaf, of: model, type: type)
    else { throw Untranslatable("\(route.leaf) is not a value") }
    return term
  }

  /// The text of a value in a form whose bytes are equal if Swift's values are equal.
  func equatable(_ term: ScalarTerm) throws -> SQLFragment { try translation.equatable(term) }

  /// A call of an aggregate function, or of a function of one value.
  func call(_ function: SwiftFunction, _ term: ScalarTerm) throws -> SQLFragment {
    try translation.call(function, term.sql)
  }

  /// The smallest or the largest value of a group.
  func extreme(_ term: ScalarTerm, isLargest: Bool) throws -> SQLFragment {
    let mayBeNaN = term.isIrregular && term.scalar.isNumberThatMayBeNaN
    let value = term.scalar == .decimal ? term.sql : try translation.equatable(term)
    guard
      let sql = translation.dialect.extreme(value, term.scalar, isLargest: isLargest, mayBeNaN: mayBeNaN)
    else { throw Untranslatable("the database has no least and no greatest value of this type") }
    return sql
  }

  /// A term of ORDER BY.
  func sortTerm(_ value: SQLFragment, isReverse: Bool) -> SQLFragment {
    translation.dialect.sortTerm(value, isReverse: isReverse)
  }

  /// A constant that a value of a kind is compared with.
  func constant(_ value: SQLValue, _ scalar: ScalarKind) -> SQLFragment {
    translation.dialect.typed("\(value: translation.dialect.stored(value, scalar))", scalar)
  }

  /// The equality of two values where NULL equals NULL.
  func isSame(_ lhs: SQLFragment, _ rhs: SQLFragment, isNegated: Bool) -> SQLFragment {
    translation.dialect.isSame(lhs, rhs, isNegated: isNegated)
  }

  /// A condition that is true unless another one is.
  func negated(_ condition: SQLFragment) -> SQLFragment {
    // What compares with NULL is NULL, which counts as false before it is turned around.
    "NOT coalesce(\(condition), \(translation.dialect.condition(false)))"
  }

  /// The value of a key path where values are compared.
  mutating func plain<M: PersistentModel, V>(_ keyPath: KeyPath<M, V>) throws -> ScalarTerm {
    let term = try term(keyPath)
    guard term.scalar != .opaque else { throw ScalarKind.unreadable }
    return term
  }
}

/// Reads the column of a statement as the value of a key path.
struct ColumnReader<V> {
  private let route: KeyPathRoute
  private let read: (inout StatementRow, Int32) throws -> V

  /// Nil if the values of the type are not in one column.
  init?(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) {
    guard let route = KeyPathRoute.of(keyPath, definition),
      route.definition.layout.property(for: route.leaf)?.isRecoded != true
    else { return nil }
    self.route = route
    if let reader = Self.identifier(route) {
      read = reader
    } else if let type = V.self as? any ColumnValue.Type, let reader = Self.column(type) {
      read = reader
    } else {
      return nil
    }
  }

  /// - Throws: ``UnreadableColumn`` for a value the type cannot hold.
  func callAsFunction(_ row: inout StatementRow, _ column: Int32) throws -> V {
    do {
      return try read(&row, column)
    } catch let error as StoredValueError {
      throw UnreadableColumn(route: route, error: error) { [read] in _ = try read(&$0, $1) }
    }
  }

  private static func column<C: ColumnValue>(
    _: C.Type
  ) -> ((inout StatementRow, Int32) throws -> V)? {
    let read: (inout StatementRow, Int32) throws -> C = { try C.read(&$0, $1) }
    return read as? (inout StatementRow, Int32) throws -> V
  }

  private static func identifier(
    _ route: KeyPathRoute
  ) -> ((inout StatementRow, Int32) throws -> V)? {
    let wrapped = (V.self as? any OptionalValue.Type)?.wrappedType ?? V.self
    guard wrapped == PersistentIdentifier.self else { return nil }
    let entity = route.definition.root.entityName
    return { row, column in
      let identifier: PersistentIdentifier? =
        row.isNull(column) ? nil : row.identifier(column, entity)
      if let value = identifier as? V { return value }
      throw row.unreadable(column, as: V.self)
    }
  }
}

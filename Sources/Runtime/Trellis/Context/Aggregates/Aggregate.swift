/// One number, or one value, made of many rows: a count, a sum, an average, the smallest, the
/// largest.
///
///     let total = try context.aggregate(.sum(\Item.cost))
///     // SELECT sum("t0"."cost") FROM "Item" AS "t0"
///
/// nil counts as no value, as in SQL: of no values at all a sum is 0, and an average, a minimum and
/// a maximum are nil. The answer is the same in every store, saved or not. Not in SwiftData.
///
/// - Note: an optional chain inside one of *several* aggregates needs the name of the model:
///   `.sum(\Item.trip?.budget)`. Swift cannot infer it there.
public struct Aggregate<Model: PersistentModel, Value> {
  let source: GroupSource<Model>

  private init(
    _ operation: AggregateTerm.Operation, _ input: ValueInput?,
    _ makeCell: @escaping () -> ValueCell<Model, Value>
  ) {
    source = GroupSource(term: AggregateTerm(operation, input), makeCell: makeCell)
  }
}

extension Aggregate where Value == Int {
  /// How many rows there are.
  public static var count: Self { Self(.count, nil) { CountCell { _, _ in true } } }

  /// How many rows have a value: `count("t0"."nickname")`.
  public static func count<V>(_ keyPath: KeyPath<Model, V?>) -> Self {
    let reader = ValueReader(keyPath)
    return Self(.presence, reader.input) { CountCell { try reader(&$0, $1) != nil } }
  }

  /// How many different values there are, nil not among them.
  ///
  /// Values are different as in Swift: text by its canonical form, and −0 equals 0. All NaN are one.
  ///
  ///     .countDistinct(\.city)   // count(DISTINCT "t0"."city")
  public static func countDistinct<V>(_ keyPath: KeyPath<Model, V>) -> Self {
    let reader = ValueReader(keyPath)
    return Self(.distinct, reader.input) {
      var seen: Set<SQLValue> = []
      return CountCell { row, column in
        let key = try OrderKey.of(try reader(&row, column), reader.input.kind)
        return key != .null && seen.insert(key).inserted
      }
    }
  }
}

extension Aggregate {
  /// The sum of the values; 0 without any.
  ///
  /// Exact, in whatever order rows come: integers are added up in 128 bits, `Decimal` digit by
  /// digit, and floating-point numbers without rounding until the end. NaN, and infinities of both
  /// signs, make the sum NaN. A sum that is zero is +0.
  ///
  /// Running it throws ``AggregateOverflow`` when an integer or a `Decimal` cannot hold the sum.
  public static func sum<V: SummableValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Total {
    let reader = ValueReader(keyPath)
    return Self(.sum, reader.input) {
      SumCell(reader) { summation in
        guard let total = V._$total(summation) else { throw reader.input.overflow(V.Total.self) }
        return total
      }
    }
  }

  /// The exact sum over the number of values; nil without any.
  ///
  /// `Double`, of a `Decimal` `Decimal`. The average of finite numbers is finite.
  public static func average<V: SummableValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Mean? {
    let reader = ValueReader(keyPath)
    return Self(.mean, reader.input) {
      SumCell(reader) { summation in
        guard summation.count > 0 else { return nil }
        guard let mean = V._$mean(summation) else { throw reader.input.overflow(V.Total.self) }
        return mean
      }
    }
  }

  /// The smallest value, as Swift compares them; nil without any. NaN is passed over unless there is
  /// nothing else.
  public static func minimum<V: OrderedValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Ordered? {
    let reader = ValueReader(keyPath)
    return Self(.minimum, reader.input) { ExtremeCell(reader, isLargest: false) }
  }

  /// The largest value, as Swift compares them; nil without any. NaN is passed over unless there is
  /// nothing else.
  public static func maximum<V: OrderedValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Ordered? {
    let reader = ValueReader(keyPath)
    return Self(.maximum, reader.input) { ExtremeCell(reader, isLargest: true) }
  }
}

/// A column of a grouped result: a key or an aggregate.
struct GroupSource<Model: PersistentModel> {
  let term: AggregateTerm
  /// Makes the state of one group.
  let makeCell: () -> GroupCell<Model>
}

extension GroupSource {
  /// A key of the groups.
  init<V>(key keyPath: KeyPath<Model, V>) {
    let reader = ValueReader(keyPath)
    self.init(term: AggregateTerm(.key, reader.input)) { KeyCell(reader) }
  }
}

// MARK: SQL

/// A key or an aggregate as SQL.
struct AggregateTerm {
  enum Operation { case key, count, presence, distinct, sum, mean, minimum, maximum }

  let operation: Operation
  /// Nil for the number of rows.
  let input: ValueInput?

  init(_ operation: Operation, _ input: ValueInput?) {
    self.operation = operation
    self.input = input
  }

  /// The number of columns in the database's result: a sum comes with the number of values.
  var width: Int32 { operation == .sum || operation == .mean ? 2 : 1 }

  /// Why the values cannot be distinguished; nil if they can.
  var problem: SwiftDataError? {
    guard operation == .key || operation == .distinct, let input, input.kind == nil else { return nil }
    return OrderKey.problem(input.type)
  }

  /// The expressions that ``GroupCell/read(_:_:)`` reads.
  ///
  /// - Throws: ``Untranslatable`` if the database's result would differ from Swift's.
  func columns(_ sql: inout AggregateTranslation) throws -> [SQLFragment] {
    guard let input else { return ["count(*)"] }
    let value = try sql.term(input.route)
    let count: SQLFragment = "count(\(value.sql))"
    if operation == .presence { return [count] }
    guard value.scalar != .opaque else { throw ScalarKind.unreadable }
    switch operation {
    case .count, .presence: return [count]
    case .key: return [try sql.translation.equatable(value)]
    case .distinct: return ["count(DISTINCT \(try sql.translation.equatable(value)))"]
    case .sum, .mean: return [count, try sum(value, sql.translation)]
    case .minimum, .maximum:
      guard ScalarKind.ordered(input.type) != nil else {
        throw Untranslatable("\(input.type) has an order of its own")
      }
      return [try sql.extreme(value, isLargest: operation == .maximum)]
    }
  }

  private func sum(_ value: ScalarTerm, _ translation: Translation) throws -> SQLFragment {
    switch value.scalar {
    case .integer: try translation.call(.shortSum, value.sql)
    case .real, .float: try translation.call(operation == .mean ? .realMean : .realSum, value.sql)
    case .decimal: try translation.call(.decimalSum, value.sql)
    default: throw ScalarKind.unreadable
    }
  }

  /// An expression with the order of ``GroupCell/orderKey()``; nil if the context has to compare the groups.
  func comparable(_ sql: inout AggregateTranslation) throws -> ComparableTerm? {
    let columns = try columns(&sql)
    guard let input, operation != .presence, operation != .distinct else {
      return ComparableTerm(sql: columns[0], scalar: .integer, isExact: true)
    }
    let value = try sql.term(input.route)
    switch (operation, value.scalar) {
    case (.key, .decimal):
      return ComparableTerm(
        sql: try sql.translation.call(.decimalKey, value.sql), scalar: .decimal, isExact: false)
    case (.key, _): return ComparableTerm(sql: columns[0], scalar: value.scalar, isExact: false)
    case (.sum, .integer):
      return ComparableTerm(sql: "coalesce(\(columns[1]), 0)", scalar: .integer, isExact: true)
    case (.sum, _), (.mean, _), (_, .decimal): return nil
    default: return ComparableTerm(sql: columns[0], scalar: value.scalar, isExact: !sql.mayBeNaN(value))
    }
  }
}

/// An expression SQL can compare, and the kind of its values.
struct ComparableTerm {
  let sql: SQLFragment
  let scalar: ScalarKind
  /// True if SQL's comparison with a value is Swift's, and not only its order.
  let isExact: Bool
}

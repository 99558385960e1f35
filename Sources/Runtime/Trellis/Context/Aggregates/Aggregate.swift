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
    _ operation: GroupSource<Model>.Operation, _ input: ValueInput?,
    _ makeCell: @escaping () -> ValueCell<Model, Value>
  ) {
    source = GroupSource(operation: operation, input: input, makeCell: makeCell)
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

  /// The exact sum over the number of values; nil if missing.
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

  /// The smallest value, as Swift compares them; nil if missing. NaN is passed over unless there is
  /// nothing else.
  public static func minimum<V: OrderedValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Ordered? {
    let reader = ValueReader(keyPath)
    return Self(.minimum, reader.input) { ExtremeCell(reader, isLargest: false) }
  }

  /// The largest value, as Swift compares them; nil if missing. NaN is passed over unless there is
  /// nothing else.
  public static func maximum<V: OrderedValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Ordered? {
    let reader = ValueReader(keyPath)
    return Self(.maximum, reader.input) { ExtremeCell(reader, isLargest: true) }
  }
}

/// A column of a grouped result: a key or an aggregate.
struct GroupSource<Model: PersistentModel> {
  enum Operation { case key, count, presence, distinct, sum, mean, minimum, maximum }

  let operation: Operation
  /// Nil for the number of rows.
  let input: ValueInput?
  /// Makes the state of one group.
  let makeCell: () -> GroupCell<Model>

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
  func columns(_ sql: inout Translation) throws -> [SQLFragment] {
    guard let input else { return ["count(*)"] }
    let value = try input.term(&sql)
    let count: SQLFragment = "count(\(value.sql))"
    if operation == .presence { return [count] }
    guard value.scalar != .opaque else { throw ScalarKind.unreadable }
    switch operation {
    case .count, .presence: return [count]
    case .key: return [try sql.equatable(value)]
    case .distinct: return ["count(DISTINCT \(try sql.equatable(value)))"]
    case .sum, .mean: return [count, try sum(value, sql)]
    case .minimum, .maximum:
      guard ScalarKind.ordered(input.type) != nil else {
        throw Untranslatable("\(input.type) has an order of its own")
      }
      let mayBeNaN = value.isIrregular && value.scalar.isNumberThatMayBeNaN
      guard
        let extreme = sql.dialect.extreme(
          try sql.equatable(value), value.scalar, isLargest: operation == .maximum, mayBeNaN: mayBeNaN)
      else { throw Untranslatable("the database has no least and no greatest value of this type") }
      return [extreme]
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
}

extension GroupSource {
  /// A key of the groups.
  init<V>(key keyPath: KeyPath<Model, V>) {
    let reader = ValueReader(keyPath)
    self.init(operation: .key, input: reader.input) { KeyCell(reader) }
  }
}

/// A condition on groups, as SQL's HAVING: a comparison of an aggregate with a value.
///
///     try context.groups(
///       of: FetchDescriptor<Trip>(), by: \.destination, computing: .sum(\.budget),
///       having: .count >= 3 && .sum(\.budget) > 1000)
///
/// Conditions are made with `==`, `!=`, `<`, `<=`, `>`, `>=`, and joined with `&&`, `||` and `!`.
/// An aggregate that is nil is equal to no value and neither smaller nor larger than any. A
/// condition on single rows belongs into the descriptor's predicate. Not in SwiftData.
public struct GroupFilter<Model: PersistentModel> {
  /// The aggregates that are compared.
  let sources: [GroupSource<Model>]
  /// Tests a group by the cells of the sources.
  let passes: (ArraySlice<GroupCell<Model>>) throws -> Bool
}

extension GroupFilter {
  /// - Parameter ifNil: the result for groups whose aggregate is nil.
  fileprivate init<Value: OrderedValue>(
    _ aggregate: Aggregate<Model, Value>, _ bound: Value.Ordered,
    _ compare: @escaping (Value.Ordered, Value.Ordered) -> Bool, ifNil: Bool = false
  ) {
    sources = [aggregate.source]
    passes = { cells in
      var values = GroupValues(cells: cells)
      return try Value._$ordered(values.next(aggregate)).map { compare($0, bound) } ?? ifNil
    }
  }

  fileprivate init(_ lhs: Self, _ rhs: Self, _ join: @escaping (Bool, Bool) -> Bool) {
    sources = lhs.sources + rhs.sources
    let count = lhs.sources.count
    passes = { try join(lhs.passes($0.prefix(count)), rhs.passes($0.dropFirst(count))) }
  }

  /// Both conditions.
  public static func && (lhs: Self, rhs: Self) -> Self { Self(lhs, rhs) { $0 && $1 } }

  /// Either condition.
  public static func || (lhs: Self, rhs: Self) -> Self { Self(lhs, rhs) { $0 || $1 } }

  /// The opposite of a condition.
  public static prefix func ! (filter: Self) -> Self {
    Self(sources: filter.sources) { try !filter.passes($0) }
  }
}

extension Aggregate where Value: OrderedValue {
  /// Groups of which the aggregate is the value.
  public static func == (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, ==) }
  /// Groups of which the aggregate is another value.
  public static func != (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, !=, ifNil: true) }
  /// Groups of which the aggregate is less than the value.
  public static func < (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, <) }
  /// Groups of which the aggregate is at most the value.
  public static func <= (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, <=) }
  /// Groups of which the aggregate is more than the value.
  public static func > (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, >) }
  /// Groups of which the aggregate is at least the value.
  public static func >= (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, >=) }
}

// MARK: order

/// What groups are sorted by: an aggregate, or one of the key paths they are grouped by.
///
///     orderedBy: [.descending(.count), .ascending(\.destination)]
///
/// nil comes before every value and NaN behind every number; text comes in Swift's order, enums in
/// that of their raw values, `false` before `true`. Not in SwiftData.
public struct GroupOrder<Model: PersistentModel> {
  let source: GroupSource<Model>
  let isDescending: Bool

  /// Smallest first.
  public static func ascending<V>(_ aggregate: Aggregate<Model, V>) -> Self {
    Self(source: aggregate.source, isDescending: false)
  }

  /// Largest first.
  public static func descending<V>(_ aggregate: Aggregate<Model, V>) -> Self {
    Self(source: aggregate.source, isDescending: true)
  }

  /// By a key path the rows are grouped by, smallest first.
  public static func ascending<V>(_ keyPath: KeyPath<Model, V>) -> Self {
    Self(source: GroupSource(key: keyPath), isDescending: false)
  }

  /// By a key path the rows are grouped by, largest first.
  public static func descending<V>(_ keyPath: KeyPath<Model, V>) -> Self {
    Self(source: GroupSource(key: keyPath), isDescending: true)
  }
}

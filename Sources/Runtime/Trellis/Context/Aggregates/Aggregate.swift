/// A value computed from many rows: a count, sum, average, minimum or maximum.
///
/// ```swift
/// let total = try context.aggregate(.sum(\Trip.budget))
/// // SELECT count("t0"."budget"), decimal_sum("t0"."budget") FROM "Trip" AS "t0"
/// let (planned, cheapest) = try context.aggregate(.count(\Trip.budget), .minimum(\.budget))
/// ```
///
/// As in SQL, `nil` values are ignored. If there are no values, a sum is 0, and an average, minimum and maximum are
/// `nil`. The result is the same in every store and for unsaved models. Not in SwiftData.
///
/// - Note: If you compute *several* aggregates, write the model's name in optional chains, as in
///   `.sum(\BucketListItem.trip?.budget)`, because Swift cannot infer it there.
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
  /// The number of rows.
  ///
  /// ```swift
  /// let trips = try context.aggregate(.count, over: FetchDescriptor<Trip>())
  /// ```
  public static var count: Self { Self(.count, nil) { CountCell { _, _ in true } } }

  /// The number of rows that have a value.
  ///
  /// ```swift
  /// let planned = try context.aggregate(.count(\Trip.budget))
  /// // SELECT count("t0"."budget") FROM "Trip" AS "t0"
  /// ```
  public static func count<V>(_ keyPath: KeyPath<Model, V?>) -> Self {
    let reader = ValueReader(keyPath)
    return Self(.presence, reader.input) { CountCell { try reader(&$0, $1) != nil } }
  }

  /// The number of distinct values, excluding `nil`.
  ///
  /// ```swift
  /// let places = try context.aggregate(.countDistinct(\Trip.destination))
  /// // SELECT count(DISTINCT "t0"."destination") FROM "Trip" AS "t0"
  /// ```
  ///
  /// Values are compared as in Swift: text by canonical equivalence, −0 equals 0. All NaN values are equal. Running the
  /// aggregate throws ``SwiftDataError/unsupportedKeyPath`` if the attribute has no plain type.
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
  /// The sum of the values; 0 if there are none.
  ///
  /// ```swift
  /// let spent = try context.aggregate(
  ///   .sum(\.budget), over: FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Oslo" }))
  /// ```
  ///
  /// The sum is exact and does not depend on row order: integers are added in 128 bits, `Decimal` values digit by
  /// digit, and floating-point values with no intermediate rounding. NaN, or infinities of both signs, make the sum
  /// NaN. A zero sum is +0.
  ///
  /// Running the aggregate throws ``AggregateOverflow`` if the integer or `Decimal` type cannot hold the sum.
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

  /// The exact sum divided by the number of values; `nil` if there are none.
  ///
  /// ```swift
  /// if let price = try context.aggregate(.average(\LivingAccommodation.pricePerNight)) {
  ///   print("\(price) per night")
  /// }
  /// ```
  ///
  /// The result is a `Double`, except for `Decimal` and `Duration`, whose averages have the same type. The average of
  /// finite numbers is finite.
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

  /// The smallest value in Swift's order; `nil` if there are no values. NaN is ignored unless all values are NaN.
  ///
  /// ```swift
  /// let firstDay = try context.aggregate(.minimum(\Trip.startDate))
  /// ```
  public static func minimum<V: OrderedValue>(_ keyPath: KeyPath<Model, V>) -> Self
  where Value == V.Ordered? {
    let reader = ValueReader(keyPath)
    return Self(.minimum, reader.input) { ExtremeCell(reader, isLargest: false) }
  }

  /// The largest value in Swift's order; `nil` if there are no values. NaN is ignored unless all values are NaN.
  ///
  /// ```swift
  /// let latest = try context.groups(by: \Trip.destination, computing: .maximum(\.endDate))
  /// ```
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
  /// `nil` for the row count.
  let input: ValueInput?
  /// Creates the state for a group.
  let makeCell: () -> GroupCell<Model>

  /// The number of result columns. Sums and averages have a second column for the value count.
  var width: Int32 { operation == .sum || operation == .mean ? 2 : 1 }

  /// The error if values cannot be distinguished; `nil` if they can.
  var problem: SwiftDataError? {
    guard operation == .key || operation == .distinct, let input, input.kind == nil else { return nil }
    return OrderKey.problem(input.type)
  }

  /// Returns the SQL expressions that ``GroupCell/read(_:_:)`` reads.
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
        throw Untranslatable("\(input.type) has a custom order")
      }
      let mayBeNaN = value.isIrregular && value.scalar.isNumberThatMayBeNaN
      guard
        let extreme = sql.dialect.extreme(
          try sql.equatable(value), value.scalar, isLargest: operation == .maximum, mayBeNaN: mayBeNaN)
      else { throw Untranslatable("the database has no minimum and maximum for this type") }
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
  /// Creates a grouping key.
  init<V>(key keyPath: KeyPath<Model, V>) {
    let reader = ValueReader(keyPath)
    self.init(operation: .key, input: reader.input) { KeyCell(reader) }
  }
}

/// A condition on groups, like SQL's HAVING: a comparison of an aggregate with a value.
///
/// ```swift
/// let favorites = try context.groups(
///   of: FetchDescriptor<Trip>(), by: \.destination, computing: .sum(\.budget),
///   having: .count >= 3 && .sum(\.budget) > 1_000)
/// ```
///
/// Conditions are formed with `==`, `!=`, `<`, `<=`, `>`, `>=` and combined with `&&`, `||` and `!`. A `nil` aggregate
/// is neither equal to, less than nor greater than any value. Put conditions on individual rows into the descriptor's
/// predicate. Not in SwiftData.
public struct GroupFilter<Model: PersistentModel> {
  /// The compared aggregates.
  let sources: [GroupSource<Model>]
  /// Tests a group, given the cells of `sources`.
  let passes: (ArraySlice<GroupCell<Model>>) throws -> Bool
}

extension GroupFilter {
  /// - Parameter ifNil: The result for groups whose aggregate is `nil`.
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

  /// Matches groups that satisfy both conditions.
  public static func && (lhs: Self, rhs: Self) -> Self { Self(lhs, rhs) { $0 && $1 } }

  /// Matches groups that satisfy either condition.
  public static func || (lhs: Self, rhs: Self) -> Self { Self(lhs, rhs) { $0 || $1 } }

  /// Matches groups that do not satisfy the condition.
  public static prefix func ! (filter: Self) -> Self {
    Self(sources: filter.sources) { try !filter.passes($0) }
  }
}

extension Aggregate where Value: OrderedValue {
  /// Matches groups whose aggregate equals the value.
  public static func == (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, ==) }
  /// Matches groups whose aggregate does not equal the value.
  public static func != (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, !=, ifNil: true) }
  /// Matches groups whose aggregate is less than the value.
  public static func < (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, <) }
  /// Matches groups whose aggregate is at most the value.
  public static func <= (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, <=) }
  /// Matches groups whose aggregate is greater than the value.
  public static func > (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, >) }
  /// Matches groups whose aggregate is at least the value.
  public static func >= (lhs: Self, rhs: Value.Ordered) -> GroupFilter<Model> { GroupFilter(lhs, rhs, >=) }
}

// MARK: order

/// A sort order for groups, by an aggregate or a grouping key path.
///
/// ```swift
/// let favorites = try context.groups(
///   of: FetchDescriptor<Trip>(), by: \.destination, computing: .count,
///   orderedBy: [.descending(.count), .ascending(\.destination)])
/// // [("Oslo", 4), ("Bergen", 2), ("Tromsø", 2)]
/// ```
///
/// `nil` sorts before all values and NaN after all numbers. Text uses Swift's order, enums sort by raw value, and
/// `false` precedes `true`. Not in SwiftData.
public struct GroupOrder<Model: PersistentModel> {
  let source: GroupSource<Model>
  let isDescending: Bool

  /// Sorts by an aggregate, smallest first.
  public static func ascending<V>(_ aggregate: Aggregate<Model, V>) -> Self {
    Self(source: aggregate.source, isDescending: false)
  }

  /// Sorts by an aggregate, largest first.
  public static func descending<V>(_ aggregate: Aggregate<Model, V>) -> Self {
    Self(source: aggregate.source, isDescending: true)
  }

  /// Sorts by a grouping key path, smallest first.
  public static func ascending<V>(_ keyPath: KeyPath<Model, V>) -> Self {
    Self(source: GroupSource(key: keyPath), isDescending: false)
  }

  /// Sorts by a grouping key path, largest first.
  public static func descending<V>(_ keyPath: KeyPath<Model, V>) -> Self {
    Self(source: GroupSource(key: keyPath), isDescending: true)
  }
}

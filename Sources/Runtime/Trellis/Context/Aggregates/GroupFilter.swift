/// A condition on groups, SQL's HAVING: a comparison of an aggregate with a value.
///
///     try context.groups(
///       of: FetchDescriptor<Trip>(), by: \.destination, computing: .sum(\.budget),
///       having: .count >= 3 && .sum(\.budget) > 1000)
///     // … GROUP BY "t0"."destination" HAVING count(*) >= ? AND …
///
/// Conditions are made with `==`, `!=`, `<`, `<=`, `>`, `>=`, and joined with `&&`, `||` and `!`.
/// An aggregate that is nil is equal to no value and neither smaller nor larger than any. A
/// condition on single rows belongs into the descriptor's predicate. Not in SwiftData.
public struct GroupFilter<Model: PersistentModel> {
  /// The aggregates that are compared.
  let sources: [GroupSource<Model>]
  /// Tests a group by the cells of the sources.
  let passes: (ArraySlice<GroupCell<Model>>) throws -> Bool
  /// The condition in SQL; nil if the context tests the groups.
  let condition: (inout AggregateTranslation) throws -> SQLFragment?
}

extension GroupFilter {
  fileprivate enum Comparison {
    case equal, different, less, lessOrEqual, greater, greaterOrEqual

    func condition(_ lhs: SQLFragment, _ rhs: SQLFragment, _ dialect: any SQLDialect) -> SQLFragment {
      switch self {
      case .equal: dialect.isSame(lhs, rhs, isNegated: false)
      case .different: dialect.isSame(lhs, rhs, isNegated: true)
      case .less: "\(lhs) < \(rhs)"
      case .lessOrEqual: "\(lhs) <= \(rhs)"
      case .greater: "\(lhs) > \(rhs)"
      case .greaterOrEqual: "\(lhs) >= \(rhs)"
      }
    }

    func holds<V: Comparable>(_ lhs: V, _ rhs: V) -> Bool {
      switch self {
      case .equal: lhs == rhs
      case .different: lhs != rhs
      case .less: lhs < rhs
      case .lessOrEqual: lhs <= rhs
      case .greater: lhs > rhs
      case .greaterOrEqual: lhs >= rhs
      }
    }
  }

  fileprivate init<Value, V: Comparable>(
    _ aggregate: Aggregate<Model, Value>, _ comparison: Comparison, _ bound: V, _ unwrap: @escaping (Value) -> V?
  ) {
    sources = [aggregate.source]
    passes = { cells in
      var values = GroupValues(cells: cells)
      guard let value = unwrap(try values.next(aggregate)) else { return comparison == .different }
      return comparison.holds(value, bound)
    }
    condition = { sql in
      guard let term = try aggregate.source.term.comparable(&sql), term.isExact else { return nil }
      let encoded = try term.scalar.encode(bound, nil)
      guard encoded != .nan else { return nil }
      let dialect = sql.translation.dialect
      let constant = dialect.typed("\(value: dialect.stored(encoded, term.scalar))", term.scalar)
      return comparison.condition(term.sql, constant, dialect)
    }
  }

  fileprivate init(_ lhs: Self, _ rhs: Self, _ sign: SQLFragment, _ join: @escaping (Bool, Bool) -> Bool) {
    sources = lhs.sources + rhs.sources
    let count = lhs.sources.count
    passes = { try join(lhs.passes($0.prefix(count)), rhs.passes($0.dropFirst(count))) }
    condition = { sql in
      guard let left = try lhs.condition(&sql), let right = try rhs.condition(&sql) else { return nil }
      return "(\(left) \(sign) \(right))"
    }
  }

  /// Both conditions.
  public static func && (lhs: Self, rhs: Self) -> Self { Self(lhs, rhs, "AND") { $0 && $1 } }

  /// Either condition.
  public static func || (lhs: Self, rhs: Self) -> Self { Self(lhs, rhs, "OR") { $0 || $1 } }

  /// The opposite of a condition.
  public static prefix func ! (filter: Self) -> Self {
    Self(
      sources: filter.sources, passes: { try !filter.passes($0) },
      condition: { sql in
        guard let condition = try filter.condition(&sql) else { return nil }
        // A comparison with NULL is NULL. NULL counts as false before it is negated.
        return "NOT coalesce(\(condition), \(sql.translation.dialect.condition(false)))"
      })
  }
}

extension Aggregate where Value: Comparable {
  /// Groups of which the aggregate is the value.
  public static func == (lhs: Self, rhs: Value) -> GroupFilter<Model> { GroupFilter(lhs, .equal, rhs) { $0 } }
  /// Groups of which the aggregate is another value.
  public static func != (lhs: Self, rhs: Value) -> GroupFilter<Model> { GroupFilter(lhs, .different, rhs) { $0 } }
  /// Groups of which the aggregate is less than the value.
  public static func < (lhs: Self, rhs: Value) -> GroupFilter<Model> { GroupFilter(lhs, .less, rhs) { $0 } }
  /// Groups of which the aggregate is at most the value.
  public static func <= (lhs: Self, rhs: Value) -> GroupFilter<Model> { GroupFilter(lhs, .lessOrEqual, rhs) { $0 } }
  /// Groups of which the aggregate is more than the value.
  public static func > (lhs: Self, rhs: Value) -> GroupFilter<Model> { GroupFilter(lhs, .greater, rhs) { $0 } }
  /// Groups of which the aggregate is at least the value.
  public static func >= (lhs: Self, rhs: Value) -> GroupFilter<Model> { GroupFilter(lhs, .greaterOrEqual, rhs) { $0 } }
}

extension Aggregate {
  /// Groups of which the aggregate is the value.
  public static func == <V: Comparable>(lhs: Self, rhs: V) -> GroupFilter<Model> where Value == V? {
    GroupFilter(lhs, .equal, rhs) { $0 }
  }
  /// Groups of which the aggregate is another value.
  public static func != <V: Comparable>(lhs: Self, rhs: V) -> GroupFilter<Model> where Value == V? {
    GroupFilter(lhs, .different, rhs) { $0 }
  }
  /// Groups of which the aggregate is less than the value.
  public static func < <V: Comparable>(lhs: Self, rhs: V) -> GroupFilter<Model> where Value == V? {
    GroupFilter(lhs, .less, rhs) { $0 }
  }
  /// Groups of which the aggregate is at most the value.
  public static func <= <V: Comparable>(lhs: Self, rhs: V) -> GroupFilter<Model> where Value == V? {
    GroupFilter(lhs, .lessOrEqual, rhs) { $0 }
  }
  /// Groups of which the aggregate is more than the value.
  public static func > <V: Comparable>(lhs: Self, rhs: V) -> GroupFilter<Model> where Value == V? {
    GroupFilter(lhs, .greater, rhs) { $0 }
  }
  /// Groups of which the aggregate is at least the value.
  public static func >= <V: Comparable>(lhs: Self, rhs: V) -> GroupFilter<Model> where Value == V? {
    GroupFilter(lhs, .greaterOrEqual, rhs) { $0 }
  }
}

// MARK: order

/// What groups are sorted by: an aggregate, or one of the key paths they are grouped by.
///
///     orderedBy: [.descending(.count), .ascending(\.destination)]
///     // … ORDER BY count(*) DESC, "t0"."destination"
///
/// nil comes before every value and NaN behind every number; text comes in Swift's order, enums in
/// that of their raw values, `false` before `true`. Not in SwiftData.
public struct GroupOrder<Model: PersistentModel> {
  let source: GroupSource<Model>
  let isDescending: Bool

  init(_ source: GroupSource<Model>, isDescending: Bool) {
    self.source = source
    self.isDescending = isDescending
  }

  /// Smallest first.
  public static func ascending<V>(_ aggregate: Aggregate<Model, V>) -> Self {
    Self(aggregate.source, isDescending: false)
  }

  /// Largest first.
  public static func descending<V>(_ aggregate: Aggregate<Model, V>) -> Self {
    Self(aggregate.source, isDescending: true)
  }

  /// By a key path the rows are grouped by, smallest first.
  public static func ascending<V>(_ keyPath: KeyPath<Model, V>) -> Self {
    Self(GroupSource(key: keyPath), isDescending: false)
  }

  /// By a key path the rows are grouped by, largest first.
  public static func descending<V>(_ keyPath: KeyPath<Model, V>) -> Self {
    Self(GroupSource(key: keyPath), isDescending: true)
  }
}

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
  /// What is compared, in the order of the cells of a test.
  let sources: [GroupSource<Model>]
  let makeTest: () -> GroupTest<Model>
  /// The condition in SQL; nil when it is tested in Swift.
  let condition: (inout AggregateTranslation) throws -> SQLFragment?
}

/// A filter ready to test one group after the other.
struct GroupTest<Model: PersistentModel> {
  let cells: [any GroupCell<Model>]
  let passes: () throws -> Bool
}

/// A column of a grouped result, whatever its value is.
struct GroupSource<Model: PersistentModel> {
  let columns: (inout AggregateTranslation) throws -> [SQLFragment]
  let orderable: (inout AggregateTranslation) throws -> ComparableTerm?
  let makeCell: () -> any GroupCell<Model>
  let crossesRelationships: Bool
  let problem: SwiftDataError?

  init<S: AggregateSource>(_ source: S) where S.Model == Model {
    columns = { try source.columns(&$0) }
    orderable = { try source.orderable(&$0) }
    makeCell = { source.makeCell() }
    crossesRelationships = source.crossesRelationships
    problem = source.problem
  }
}

extension GroupFilter {
  fileprivate enum Comparison {
    case equal, different, less, lessOrEqual, greater, greaterOrEqual

    func condition(_ lhs: SQLFragment, _ rhs: SQLFragment, _ sql: AggregateTranslation) -> SQLFragment {
      switch self {
      case .equal: sql.isSame(lhs, rhs, isNegated: false)
      case .different: sql.isSame(lhs, rhs, isNegated: true)
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
    _ aggregate: Aggregate<Model, Value>, _ comparison: Comparison, _ bound: V,
    _ unwrap: @escaping (Value) -> V?
  ) {
    let source = aggregate.source
    func erased<S: AggregateSource<Model, Value>>(_ source: S) -> GroupSource<Model> {
      GroupSource(source)
    }
    sources = [erased(source)]
    makeTest = {
      let cell = source.makeCell()
      return GroupTest(cells: [cell]) {
        guard let value = unwrap(try cell.value()) else { return comparison == .different }
        return comparison.holds(value, bound)
      }
    }
    condition = { sql in
      guard let term = try source.orderable(&sql), term.isExact else { return nil }
      let encoded = try term.scalar.encode(bound, nil)
      guard encoded != .nan else { return nil }
      return comparison.condition(term.sql, sql.constant(encoded, term.scalar), sql)
    }
  }

  fileprivate init(
    _ lhs: Self, _ rhs: Self, _ sign: SQLFragment, _ join: @escaping (Bool, Bool) -> Bool
  ) {
    sources = lhs.sources + rhs.sources
    makeTest = {
      let (left, right) = (lhs.makeTest(), rhs.makeTest())
      return GroupTest(cells: left.cells + right.cells) {
        join(try left.passes(), try right.passes())
      }
    }
    condition = { sql in
      guard let left = try lhs.condition(&sql), let right = try rhs.condition(&sql) else {
        return nil
      }
      return "(\(left) \(sign) \(right))"
    }
  }

  /// Both conditions.
  public static func && (lhs: Self, rhs: Self) -> Self { Self(lhs, rhs, "AND") { $0 && $1 } }

  /// Either condition.
  public static func || (lhs: Self, rhs: Self) -> Self { Self(lhs, rhs, "OR") { $0 || $1 } }

  /// The opposite of a condition.
  public static prefix func ! (filter: Self) -> Self { Self(negating: filter) }

  private init(negating filter: Self) {
    sources = filter.sources
    makeTest = {
      let test = filter.makeTest()
      return GroupTest(cells: test.cells) { try !test.passes() }
    }
    condition = { sql in
      try filter.condition(&sql).map { sql.negated($0) }
    }
  }
}

extension Aggregate where Value: Comparable {
  /// Groups of which the aggregate is the value.
  public static func == (lhs: Self, rhs: Value) -> GroupFilter<Model> {
    GroupFilter(lhs, .equal, rhs) { $0 }
  }
  /// Groups of which the aggregate is another value.
  public static func != (lhs: Self, rhs: Value) -> GroupFilter<Model> {
    GroupFilter(lhs, .different, rhs) { $0 }
  }
  /// Groups of which the aggregate is less than the value.
  public static func < (lhs: Self, rhs: Value) -> GroupFilter<Model> {
    GroupFilter(lhs, .less, rhs) { $0 }
  }
  /// Groups of which the aggregate is at most the value.
  public static func <= (lhs: Self, rhs: Value) -> GroupFilter<Model> {
    GroupFilter(lhs, .lessOrEqual, rhs) { $0 }
  }
  /// Groups of which the aggregate is more than the value.
  public static func > (lhs: Self, rhs: Value) -> GroupFilter<Model> {
    GroupFilter(lhs, .greater, rhs) { $0 }
  }
  /// Groups of which the aggregate is at least the value.
  public static func >= (lhs: Self, rhs: Value) -> GroupFilter<Model> {
    GroupFilter(lhs, .greaterOrEqual, rhs) { $0 }
  }
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

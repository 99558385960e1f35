import Foundation

/// A history descriptor, prepared for a single store.
///
/// SQL selects transactions by number and time; the predicate is evaluated in memory for the selected transactions
/// only.
package struct HistoryQuery {
  package let descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  package let bounds: HistoryBounds
  /// The positions after which the predicate selects transactions.
  package let beginnings: [HistoryPosition]
  /// True if the predicate or sort order requires a transaction's changes, which take time to decode.
  package let readsChanges: Bool
  /// `nil` if only Swift can sort the transactions.
  private let order: [Order]?

  package init(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, store: String) {
    self.descriptor = descriptor
    let scope = HistoryScope(descriptor.predicate, store: store)
    bounds = scope.bounds
    beginnings = scope.beginnings
    readsChanges =
      descriptor.sortBy.contains { HistoryField($0.keyPath) == nil }
      || descriptor.predicate.map(HistoryField.readsChanges) ?? false
    var order: [Order]? = []
    for sort in descriptor.sortBy {
      guard let field = HistoryField(sort.keyPath), field != .text else {
        order = nil
        continue
      }
      order?.append(Order(field: field, isDescending: sort.order == .reverse))
    }
    // Transactions that compare equal are returned in save order.
    self.order = order.map { $0 + [Order(field: .token, isDescending: false)] }
  }

  /// Creates a query for the transactions after a token.
  package init(after token: DefaultHistoryToken, store: String) {
    self.init(HistoryDescriptor(predicate: #Predicate { $0.token > token }), store: store)
  }

  /// True if rows are returned in the descriptor's order.
  package var isSorted: Bool { order != nil }

  /// The maximum number of transactions.
  package var limit: Int {
    descriptor.fetchLimit == 0 ? .max : Int(clamping: descriptor.fetchLimit)
  }

  /// Selects transactions that may match.
  ///
  /// - Parameters:
  ///   - selection: The columns; see ``HistoryTables/columns``.
  ///   - table: The transactions table.
  ///   - condition: An additional condition.
  ///   - position: The columns that define the token order.
  package func fragment(
    _ selection: SQLFragment, from table: String = HistoryTables.transactions, where condition: SQLFragment? = nil,
    position: [SQLFragment] = ["\"id\""]
  ) -> SQLFragment {
    let (numbers, times) = (bounds.numbers, bounds.times)
    var fragment: SQLFragment = """
      SELECT \(selection) FROM \(name: table) WHERE "changes" IS NOT NULL
      AND "id" BETWEEN \(value: .integer(numbers.least)) AND \(value: .integer(numbers.greatest))
      """
    if times.least > -.infinity || times.greatest < .infinity {
      fragment +=
        " AND \"time\" BETWEEN \(value: .real(times.least)) AND \(value: .real(times.greatest))"
    }
    if let condition { fragment += " AND \(condition)" }
    let terms = (order ?? []).flatMap { $0.terms(position) }
    fragment += " ORDER BY \((terms.isEmpty ? position : terms).joined(separator: ", "))"
    return fragment
  }

  /// A sort term that SQL can apply.
  private struct Order {
    let field: HistoryField
    let isDescending: Bool

    func terms(_ position: [SQLFragment]) -> [SQLFragment] {
      let columns: [SQLFragment] =
        switch field {
        case .number: ["\"id\""]
        case .time: ["\"time\""]
        case .token, .text: position
        }
      return isDescending ? columns.map { "\($0) DESC" } : columns
    }
  }
}

/// A transaction property that can be read independently of the changes.
private enum HistoryField {
  case number, token, time
  /// Text, which only Swift can sort.
  case text

  init?(_ keyPath: AnyKeyPath?) {
    switch keyPath {
    case \DefaultHistoryTransaction.id, \DefaultHistoryTransaction.transactionIdentifier: self = .number
    case \DefaultHistoryTransaction.token: self = .token
    case \DefaultHistoryTransaction.timestamp: self = .time
    case \DefaultHistoryTransaction.author, \DefaultHistoryTransaction.bundleIdentifier,
      \DefaultHistoryTransaction.processIdentifier, \DefaultHistoryTransaction.storeIdentifier:
      self = .text
    default: return nil
    }
  }

  /// Returns true if a predicate reads data outside a transaction's own columns.
  static func readsChanges(_ predicate: Predicate<DefaultHistoryTransaction>) -> Bool {
    let shape = PredicateShape(predicate)
    return shape.isOpaque
      || shape.reads.contains { $0.root == DefaultHistoryTransaction.self && HistoryField($0.keyPath) == nil }
  }
}

/// The part of a history that a predicate selects.
///
///     #Predicate { $0.token > last && $0.author != "import" }   // transactions after `last`
///
/// Transactions outside ``bounds`` never satisfy the predicate; transactions inside may or may not.
struct HistoryScope<T: HistoryTransaction> {
  private let store: String
  private(set) var bounds = HistoryBounds()
  /// The tokens after which the predicate selects transactions. `isIncluded` is true for `>=`.
  private(set) var starts: [(token: T.TokenType, isIncluded: Bool)] = []

  /// - Parameter store: The identifier of the store that contains the history.
  init(_ predicate: Predicate<T>?, store: String) {
    self.store = store
    guard let predicate else { return }
    bounds = bounds(of: predicate.expression, predicate.variable.key)
  }

  private mutating func bounds<E: PredicateExpression>(
    of expression: E, _ variable: PredicateExpressions.VariableID
  ) -> HistoryBounds {
    if let both = expression as? any PredicateJunction {
      let run = JunctionRun(both)
      var bounds: HistoryBounds?
      for case .operand(let operand, _) in run {
        let own = self.bounds(of: operand, variable)
        bounds = bounds.map { $0.combined(own, isConjunction: run.isConjunction) } ?? own
      }
      return bounds ?? HistoryBounds()
    }
    if let negation = expression as? any PredicateNegation {
      _ = bounds(of: negation.wrapped, variable)
      return HistoryBounds()
    }
    if let match = (expression as? any PredicateComparison)?.match(of: variable) {
      return bounds(match.keyPath, match.order, match.value)
    }
    if let membership = (expression as? any PredicateMembership)?.members(of: variable) {
      return membership.values.map { bounds(membership.keyPath, nil, $0) }
        .reduce(.none) { $0.combined($1, isConjunction: false) }
    }
    return HistoryBounds()
  }

  private mutating func bounds(
    _ keyPath: AnyKeyPath, _ order: Translation.Order?, _ value: Any
  ) -> HistoryBounds {
    // In generic code, the key path does not match the concrete type's key path, but the value type does.
    guard type(of: keyPath).valueType == T.TokenType.self else {
      switch (keyPath, value) {
      case (\DefaultHistoryTransaction.id, let number as Int64),
        (\DefaultHistoryTransaction.transactionIdentifier, let number as Int64):
        return HistoryBounds(numbers: Bounds(order, number, in: .min, .max))
      case (\DefaultHistoryTransaction.timestamp, let date as Date) where date == date:
        let time = date.timeIntervalSinceReferenceDate
        return HistoryBounds(times: Bounds(order, time, in: -.infinity, .infinity))
      default: return HistoryBounds()
      }
    }
    let isStart = order?.isLess == false
    if isStart, let token = value as? T.TokenType { starts.append((token, order?.isOrEqual == true)) }
    guard let token = value as? DefaultHistoryToken else { return HistoryBounds() }
    // If the token has no position for a store, all of the store's transactions come after it.
    guard let position = token[store] else { return isStart ? HistoryBounds() : .none }
    if order == nil, token.positions.count != 1 { return .none }
    guard order != nil, case .reader(let epoch, let seen, _)? = position.mark else {
      return HistoryBounds(numbers: Bounds(order, position.number, in: .min, .max))
    }
    return isStart ? HistoryBounds(leastXID: seen?.first ?? 0, epochs: [epoch]) : HistoryBounds()
  }
}

extension HistoryScope where T == DefaultHistoryTransaction {
  /// The positions in this store after which the predicate selects transactions.
  var beginnings: [HistoryPosition] {
    starts.map { start in
      guard let position = start.token[store] else { return .beginning }
      return start.isIncluded ? position.before : position
    }
  }
}

/// Bounds for transaction numbers, times and server transaction IDs.
package struct HistoryBounds: Sendable {
  package var numbers = Bounds<Int64>(least: .min, greatest: .max)
  package var times = Bounds<Double>(least: -.infinity, greatest: .infinity)
  /// The lowest transaction ID on a server.
  package var leastXID: UInt64 = 0
  /// The epochs in which ``leastXID`` is valid.
  package var epochs: Set<Int64> = []

  static let none = HistoryBounds(
    numbers: Bounds(least: .max, greatest: .min), times: Bounds(least: .infinity, greatest: -.infinity),
    leastXID: .max)

  /// Combines the bounds of a conjunction or disjunction.
  func combined(_ other: Self, isConjunction: Bool) -> Self {
    Self(
      numbers: numbers.combined(other.numbers, isConjunction), times: times.combined(other.times, isConjunction),
      leastXID: isConjunction ? max(leastXID, other.leastXID) : min(leastXID, other.leastXID),
      epochs: epochs.union(other.epochs))
  }
}

/// A closed range of values; empty if `least` exceeds `greatest`.
package struct Bounds<Value: Comparable & Sendable>: Sendable {
  package let least: Value
  package let greatest: Value

  init(least: Value, greatest: Value) {
    self.least = least
    self.greatest = greatest
  }

  /// Creates bounds for a comparison with a value; a `nil` order means equality. The value itself is always included.
  init(_ order: Translation.Order?, _ value: Value, in least: Value, _ greatest: Value) {
    self.init(least: order?.isLess == true ? least : value, greatest: order?.isLess == false ? greatest : value)
  }

  /// Returns the intersection for a conjunction, or the enclosing range for a disjunction.
  func combined(_ other: Self, _ isConjunction: Bool) -> Self {
    isConjunction
      ? Self(least: max(least, other.least), greatest: min(greatest, other.greatest))
      : Self(least: min(least, other.least), greatest: max(greatest, other.greatest))
  }
}

extension HistoryDescriptor {
  /// The tokens after which the predicate selects transactions, as in `$0.token > token`. Not in SwiftData.
  ///
  /// A store that has deleted part of the history after any of these tokens throws
  /// ``SwiftDataError/historyTokenExpired``.
  public var startingTokens: [TransactionType.TokenType] {
    HistoryScope(predicate, store: "").starts.map(\.token)
  }
}

import Foundation

/// The part of a history that a predicate over its transactions concerns.
///
///     #Predicate { $0.token > last && $0.author != "import" }   // what came after `last`
///
/// A transaction outside of ``bounds`` does not satisfy the predicate; one inside may or may not.
struct HistoryScope<T: HistoryTransaction> {
  private let store: String
  private(set) var bounds = HistoryBounds()
  /// The tokens after which the predicate asks for transactions; `isIncluded` for `>=`.
  private(set) var starts: [(token: T.TokenType, isIncluded: Bool)] = []

  /// - Parameter store: the identifier of the store with the history.
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
        bounds = bounds.map { run.isConjunction ? $0.intersection(own) : $0.union(own) } ?? own
      }
      return bounds ?? HistoryBounds()
    }
    if let negation = expression as? any PredicateNegation {
      _ = bounds(of: negation.operand, variable)
      return HistoryBounds()
    }
    if let match = (expression as? any PredicateComparison)?.match(of: variable) {
      return bounds(match.keyPath, match.order, match.value)
    }
    if let membership = (expression as? any PredicateMembership)?.members(of: variable) {
      return membership.values.map { bounds(membership.keyPath, nil, $0) }.reduce(.none) { $0.union($1) }
    }
    return HistoryBounds()
  }

  private mutating func bounds(
    _ keyPath: AnyKeyPath, _ order: Translation.Order?, _ value: Any
  ) -> HistoryBounds {
    // In generic code the key path is not that of the type, but the type of its value is.
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
    let isStart = order == .greater || order == .greaterOrEqual
    if isStart, let token = value as? T.TokenType { starts.append((token, order == .greaterOrEqual)) }
    guard let token = value as? DefaultHistoryToken else { return HistoryBounds() }
    // All transactions of a store that the token does not know come after it.
    guard let position = token[store] else { return isStart ? HistoryBounds() : .none }
    if order == nil, token.positions.count != 1 { return .none }
    guard order != nil, case .reader(let epoch, let seen, let current)? = position.mark else {
      return HistoryBounds(numbers: Bounds(order, position.number, in: .min, .max))
    }
    let xids =
      isStart ? Bounds(least: seen?.first ?? 0, greatest: .max) : Bounds(least: 0, greatest: current.end)
    return HistoryBounds(xids: xids, epochs: [epoch])
  }
}

extension HistoryScope where T == DefaultHistoryTransaction {
  /// The positions in the store after which the predicate asks for transactions.
  var beginnings: [HistoryPosition] {
    starts.map { start in
      guard let position = start.token[store] else { return .beginning }
      return start.isIncluded ? position.before : position
    }
  }
}

/// Limits for the numbers, the times and the transaction IDs of transactions.
package struct HistoryBounds: Sendable {
  package var numbers = Bounds<Int64>(least: .min, greatest: .max)
  package var times = Bounds<Double>(least: -.infinity, greatest: .infinity)
  /// The transaction IDs in a server.
  package var xids = Bounds<UInt64>(least: .min, greatest: .max)
  /// The epochs in which the transaction IDs have a meaning.
  package var epochs: Set<Int64> = []

  static let none = HistoryBounds(
    numbers: Bounds(least: .max, greatest: .min), times: Bounds(least: .infinity, greatest: -.infinity),
    xids: Bounds(least: .max, greatest: .min))

  func intersection(_ other: Self) -> Self {
    Self(
      numbers: numbers.intersection(other.numbers), times: times.intersection(other.times),
      xids: xids.intersection(other.xids), epochs: epochs.union(other.epochs))
  }

  func union(_ other: Self) -> Self {
    Self(
      numbers: numbers.union(other.numbers), times: times.union(other.times), xids: xids.union(other.xids),
      epochs: epochs.union(other.epochs))
  }
}

/// The values from a least to a greatest one; none if the least is the greater.
package struct Bounds<Value: Comparable & Sendable>: Sendable {
  package let least: Value
  package let greatest: Value

  init(least: Value, greatest: Value) {
    self.least = least
    self.greatest = greatest
  }

  /// The values that compare with one in an order; nil for equality. They include that value.
  init(_ order: Translation.Order?, _ value: Value, in least: Value, _ greatest: Value) {
    switch order {
    case nil: self.init(least: value, greatest: value)
    case .less, .lessOrEqual: self.init(least: least, greatest: value)
    case .greater, .greaterOrEqual: self.init(least: value, greatest: greatest)
    }
  }

  func intersection(_ other: Self) -> Self {
    Self(least: max(least, other.least), greatest: min(greatest, other.greatest))
  }

  /// All values from the least to the greatest of both.
  func union(_ other: Self) -> Self {
    Self(least: min(least, other.least), greatest: max(greatest, other.greatest))
  }
}

extension HistoryDescriptor {
  /// The tokens after which the predicate asks for what came: `$0.token > token`. Not in SwiftData.
  ///
  /// A store that has forgotten part of what came after one of them throws
  /// ``SwiftDataError/historyTokenExpired``.
  public var startingTokens: [TransactionType.TokenType] {
    HistoryScope(predicate, store: "").starts.map(\.token)
  }
}

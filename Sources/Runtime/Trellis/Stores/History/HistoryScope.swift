import Foundation

/// The part of a history that a predicate over its transactions concerns.
///
///     #Predicate { $0.token > last && $0.author != "import" }   // what came after `last`
///
/// A transaction outside of ``numbers`` does not satisfy the predicate; one inside may or may not.
struct HistoryScope<T: HistoryTransaction> {
  private let store: String
  private(set) var numbers = HistoryNumbers.all
  /// The tokens after which the predicate asks for transactions; `isIncluded` for `>=`.
  private(set) var starts: [(token: T.TokenType, isIncluded: Bool)] = []

  /// - Parameter store: the identifier of the store with the history.
  init(_ predicate: Predicate<T>?, store: String) {
    self.store = store
    guard let predicate else { return }
    numbers = numbers(of: predicate.expression, predicate.variable.key)
  }

  private mutating func numbers<E: PredicateExpression>(
    of expression: E, _ variable: PredicateExpressions.VariableID
  ) -> HistoryNumbers {
    if let both = expression as? any PredicateJunction {
      let (first, second) = (numbers(of: both.first, variable), numbers(of: both.second, variable))
      return type(of: both).isConjunction ? first.intersection(second) : first.union(second)
    }
    if let negation = expression as? any PredicateNegation {
      _ = numbers(of: negation.operand, variable)
      return .all
    }
    if let match = (expression as? any PredicateComparison)?.match(of: variable) {
      return numbers(match.keyPath, match.order, match.value)
    }
    if let membership = (expression as? any PredicateMembership)?.members(of: variable) {
      return membership.values.map { numbers(membership.keyPath, nil, $0) }.reduce(.none) { $0.union($1) }
    }
    return .all
  }

  private mutating func numbers(
    _ keyPath: AnyKeyPath, _ order: Translation.Order?, _ value: Any
  ) -> HistoryNumbers {
    // In generic code the key path is not that of the type, but the type of its value is.
    guard type(of: keyPath).valueType == T.TokenType.self else {
      let isNumber =
        keyPath == \DefaultHistoryTransaction.id || keyPath == \DefaultHistoryTransaction.transactionIdentifier
      return isNumber ? (value as? Int64).map { HistoryNumbers(order, $0) } ?? .all : .all
    }
    let isStart = order == .greater || order == .greaterOrEqual
    if isStart, let token = value as? T.TokenType { starts.append((token, order == .greaterOrEqual)) }
    guard let token = value as? DefaultHistoryToken else { return .all }
    // All transactions of a store that the token does not know come after it.
    guard let position = token[store] else { return isStart ? .all : .none }
    if order == nil, token.tokenValue?.count != 1 { return .none }
    return HistoryNumbers(order, position)
  }
}

extension HistoryScope where T == DefaultHistoryTransaction {
  /// The positions in the store after which the predicate asks for transactions.
  var beginnings: [Int64] {
    starts.map { start in
      guard let position = start.token[store] else { return 0 }
      return start.isIncluded ? position &- 1 : position
    }
  }
}

/// The numbers from one transaction to another.
struct HistoryNumbers {
  var least = Int64.min
  var greatest = Int64.max

  static let all = HistoryNumbers()
  static let none = HistoryNumbers(least: .max, greatest: .min)

  private init(least: Int64 = .min, greatest: Int64 = .max) {
    self.least = least
    self.greatest = greatest
  }

  /// The numbers that compare with one in an order; nil for equality. May include that number.
  init(_ order: Translation.Order?, _ number: Int64) {
    switch order {
    case nil: self.init(least: number, greatest: number)
    case .less, .lessOrEqual: self.init(greatest: number)
    case .greater, .greaterOrEqual: self.init(least: number)
    }
  }

  func intersection(_ other: Self) -> Self {
    Self(least: max(least, other.least), greatest: min(greatest, other.greatest))
  }

  /// All numbers from the least to the greatest of both.
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

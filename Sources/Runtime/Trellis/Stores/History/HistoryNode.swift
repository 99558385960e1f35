import Foundation

/// A node of a predicate's expression that a history can be asked with in SQL.
protocol HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm
}

extension PredicateExpressions.Variable: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm {
    Output.self == translation.transactionType ? .transaction : .unknown
  }
}

extension PredicateExpressions.KeyPath: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm {
    guard case .transaction = translation.term(root) else { return .unknown }
    return translation.column(keyPath, Output.self).map { .column($0) } ?? .unknown
  }
}

extension PredicateExpressions.Value: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm { .constant(value) }
}

extension PredicateExpressions.NilLiteral: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm {
    .constant(Wrapped?.none as Any)
  }
}

extension PredicateExpressions.Equal: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm {
    let (left, right) = (translation.term(lhs), translation.term(rhs))
    return translation.equality(left, right)
  }
}

extension PredicateExpressions.NotEqual: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm {
    let (left, right) = (translation.term(lhs), translation.term(rhs))
    return .condition(.not(translation.equality(left, right).condition))
  }
}

extension PredicateExpressions.Comparison: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm {
    let order: HistoryTranslation.Order
    switch op {
    case .lessThan: order = .less
    case .lessThanOrEqual: order = .lessOrEqual
    case .greaterThan: order = .greater
    case .greaterThanOrEqual: order = .greaterOrEqual
    @unknown default: return .unknown
    }
    let (left, right) = (translation.term(lhs), translation.term(rhs))
    return translation.comparison(left, right, order)
  }
}

extension PredicateExpressions.Conjunction: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm {
    let (left, right) = (translation.term(lhs).condition, translation.term(rhs).condition)
    return .condition(.and(left, right))
  }
}

extension PredicateExpressions.Disjunction: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm {
    let (left, right) = (translation.term(lhs).condition, translation.term(rhs).condition)
    return .condition(.or(left, right))
  }
}

extension PredicateExpressions.Negation: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm {
    .condition(.not(translation.term(wrapped).condition))
  }
}

extension PredicateExpressions.SequenceContains: HistoryNode {
  func historyTerm(_ translation: inout HistoryTranslation) -> HistoryTerm {
    guard case .constant(let all) = translation.term(sequence), let values = all as? [Any] else {
      return .unknown
    }
    let member = translation.term(element)
    return .condition(
      values.map { translation.equality(member, .constant($0)).condition }
        .reduce(.constant(false), HistoryCondition.or))
  }
}

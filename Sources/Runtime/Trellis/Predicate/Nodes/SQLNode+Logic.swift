import Foundation

extension PredicateJunction {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.junction(first, second, isAnd: Self.isConjunction, asCondition: false)
  }

  func condition(_ translation: inout Translation) throws -> SQLTerm {
    try translation.junction(first, second, isAnd: Self.isConjunction, asCondition: true)
  }

  /// Only a conjunction that is true, and a disjunction that is false, tell the outcome of both operands.
  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    guard outcome == Self.isConjunction else { return [] }
    return try translation.presences(first, outcome) + translation.presences(second, outcome)
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(first, second) }
}

extension PredicateExpressions.Negation: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    switch try translation.term(wrapped) {
    case .constant(let constant):
      guard let value = constant.unwrapped as? Bool else {
        throw ConstantTerm.unsupported(constant.type)
      }
      return .constant(ConstantTerm(value: !value, type: Bool.self))
    case let term:
      var scalar = try translation.scalar(term)
      if case .column = scalar.origin {
        scalar.sql = translation.dialect.isEqual(scalar.sql, to: false)
        scalar.binding = .comparison
      } else {
        scalar.sql = "NOT \(scalar.held(.atom))"
        scalar.binding = .and
      }
      scalar.origin = .expression
      return .scalar(scalar)
    }
  }

  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    try translation.presences(wrapped, !outcome)
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(wrapped) }
}

extension PredicateExpressions.Conditional: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    if case .constant(let constant) = try translation.term(test) {
      // Decided by captured values: the other branch is never looked at.
      guard let value = constant.unwrapped as? Bool else {
        throw ConstantTerm.unsupported(constant.type)
      }
      return value ? try translation.term(trueBranch) : try translation.term(falseBranch)
    }
    let condition = try translation.condition(test)
    let first = try translation.assuming(test, true) { try $0.term(trueBranch) }
    let second = try translation.assuming(test, false) { try $0.term(falseBranch) }
    let (left, right) = try translation.operands(first, second)
    var result = left
    result.sql = "CASE WHEN \(condition) THEN \(left.sql) ELSE \(right.sql) END"
    result.binding = .atom
    result.isOptional = left.isOptional || right.isOptional
    result.isIrregular = left.isIrregular || right.isIrregular
    result.nilSource = nil
    result.origin = .expression
    return .scalar(result)
  }

  func condition(_ translation: inout Translation) throws -> SQLTerm {
    if case .constant(let constant) = try translation.term(test),
      let value = constant.unwrapped as? Bool
    {
      return .scalar(
        value
          ? try translation.conditionTerm(trueBranch) : try translation.conditionTerm(falseBranch))
    }
    return try term(&translation)
  }

  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(test, trueBranch)
    visitor.visit(falseBranch)
  }
}

extension Translation {
  mutating func junction<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ rhs: R, isAnd: Bool, asCondition: Bool
  ) throws -> SQLTerm {
    let left = try operand(lhs, asCondition)
    // A captured value that decides, or has no say: the statement does without it.
    if let value = left.truth {
      return value == isAnd ? try operand(rhs, asCondition) : left
    }
    let right = try assuming(lhs, isAnd) { try $0.operand(rhs, asCondition) }
    if let value = right.truth { return value == isAnd ? left : right }
    let (first, second) = (self.asCondition(try scalar(left)), self.asCondition(try scalar(right)))
    let binding: ScalarTerm.Binding = isAnd ? .and : .or
    var sql = first.held(binding)
    sql += isAnd ? " AND " : " OR "
    sql += second.held(binding)
    return .scalar(.condition(sql, binding))
  }

  private mutating func operand<E: PredicateExpression>(
    _ expression: E, _ asCondition: Bool
  ) throws -> SQLTerm {
    guard asCondition else { return try term(expression) }
    guard let type = E.self as? any SQLNode.Type else { throw Self.unknown(E.self) }
    return try type.condition(of: expression, &self)
  }
}

extension SQLTerm {
  /// A Bool that captured values decide.
  fileprivate var truth: Bool? {
    if case .constant(let constant) = self { constant.unwrapped as? Bool } else { nil }
  }
}

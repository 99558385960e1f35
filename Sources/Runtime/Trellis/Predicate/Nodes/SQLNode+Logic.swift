import Foundation

extension PredicateExpressions.Conjunction: SQLNode {}
extension PredicateExpressions.Disjunction: SQLNode {}

extension PredicateJunction where Self: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.joined(JunctionRun(self), asCondition: false)
  }

  func condition(_ translation: inout Translation) throws -> SQLTerm {
    try translation.joined(JunctionRun(self), asCondition: true)
  }

  /// Only a conjunction that is true, and a disjunction that is false, tell the outcome of both operands.
  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    guard outcome == Self.isConjunction else { return [] }
    return try translation.inScope { translation in
      var presences: [SQLFragment] = []
      try translation.walk(JunctionRun(self)) {
        presences += try $0.presences($1, outcome)
        return true
      }
      return presences
    }
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visitJunction(self) }
}

extension PredicateExpressions.Negation: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    var scalar = try translation.scalar(translation.term(wrapped))
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
  /// The operands of `&&` or `||` with the operator between them.
  fileprivate mutating func joined(_ run: JunctionRun, asCondition: Bool) throws -> SQLTerm {
    try inScope { translation in
      var operands: [SQLTerm] = []
      var last: SQLTerm?
      try translation.walk(run) { translation, operand in
        let term = try translation.operand(operand, asCondition)
        last = term
        if term.truth == nil { operands.append(term) }
        try translation.notePresences(operand, run.isConjunction)
        // The statement does without what follows a captured value that decides.
        return term.truth != !run.isConjunction
      }
      guard let last, last.truth != !run.isConjunction, let first = operands.first else {
        return last ?? .constant(ConstantTerm(value: run.isConjunction, type: Bool.self))
      }
      guard operands.count > 1 else { return first }
      let binding: ScalarTerm.Binding = run.isConjunction ? .and : .or
      let parts = try operands.map { translation.asCondition(try translation.scalar($0)).held(binding) }
      return .scalar(.condition(parts[...].balanced(run.isConjunction ? " AND " : " OR "), binding))
    }
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

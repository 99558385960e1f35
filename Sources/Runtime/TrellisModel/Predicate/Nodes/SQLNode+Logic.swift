import Foundation

extension PredicateExpressions.Conjunction: SQLNode {}
extension PredicateExpressions.Disjunction: SQLNode {}

extension PredicateJunction where Self: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.joined(JunctionRun(self), asCondition: false)
  }

  package func condition(_ translation: inout Translation) throws -> SQLTerm {
    try translation.joined(JunctionRun(self), asCondition: true)
  }

  /// Only a true conjunction and a false disjunction determine both operands' results.
  package func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
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

  package func inspect(_ shape: inout PredicateShape) { shape.visitJunction(self) }

  package func checked(_ bindings: PredicateBindings) throws -> Bool {
    try JunctionRun.value(of: JunctionRun(self), Self.isConjunction, bindings) { try $0.checkedValue($1) }
  }
}

extension PredicateExpressions.Negation: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    let scalar = try translation.scalar(translation.term(wrapped))
    if case .column = scalar.origin {
      return .scalar(scalar.computed(translation.dialect.isEqual(scalar.sql, to: false), .comparison))
    }
    return .scalar(scalar.computed("NOT \(scalar.held(.atom))", .and))
  }

  package func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    try translation.presences(wrapped, !outcome)
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(wrapped) }
  package func checked(_ bindings: PredicateBindings) throws -> Bool { try !wrapped.checkedValue(bindings) }
}

extension PredicateExpressions.Conditional: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm { try term(&translation, asCondition: false) }
  package func condition(_ translation: inout Translation) throws -> SQLTerm {
    try term(&translation, asCondition: true)
  }

  private func term(_ translation: inout Translation, asCondition: Bool) throws -> SQLTerm {
    if case .constant(let constant) = try translation.term(test) {
      // Captured values determine the test, so the other branch is never translated.
      return constant.unwrapped as? Bool == true
        ? try translation.term(trueBranch, asCondition: asCondition)
        : try translation.term(falseBranch, asCondition: asCondition)
    }
    let condition = try translation.condition(test).sql
    let first = try translation.assuming(test, true) { try $0.term(trueBranch) }
    let second = try translation.assuming(test, false) { try $0.term(falseBranch) }
    let (left, right) = try translation.operands(first, second)
    var result = left.computed("CASE WHEN \(condition) THEN \(left.sql) ELSE \(right.sql) END")
    result.isOptional = left.isOptional || right.isOptional
    result.isIrregular = left.isIrregular || right.isIrregular
    result.nilSource = nil
    return .scalar(result)
  }

  package func inspect(_ shape: inout PredicateShape) {
    shape.visit(test, trueBranch)
    shape.visit(falseBranch)
  }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    try test.checkedValue(bindings) ? trueBranch.checkedValue(bindings) : falseBranch.checkedValue(bindings)
  }
}

extension Translation {
  /// Joins the operands of `&&` or `||` with the operator.
  fileprivate mutating func joined(_ run: JunctionRun, asCondition: Bool) throws -> SQLTerm {
    try inScope { translation in
      var operands: [SQLTerm] = []
      var last: SQLTerm?
      try translation.walk(run) { translation, operand in
        let term = try translation.term(operand, asCondition: asCondition)
        last = term
        if term.truth == nil { operands.append(term) }
        try translation.recordPresences(operand, run.isConjunction)
        // Operands after a decisive captured value are omitted from the statement.
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
}

extension SQLTerm {
  /// The Bool that captured values determine; nil if it depends on a row.
  fileprivate var truth: Bool? {
    if case .constant(let constant) = self { constant.unwrapped as? Bool } else { nil }
  }
}

import Foundation

extension PredicateExpressions.Equal: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.equality(lhs, rhs, isNegated: false) ?? translation.folded(self, else: "")
  }

  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    try translation.presences(lhs, rhs, areEqual: outcome)
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(lhs, rhs) }
}

extension PredicateExpressions.NotEqual: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.equality(lhs, rhs, isNegated: true) ?? translation.folded(self, else: "")
  }

  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    try translation.presences(lhs, rhs, areEqual: !outcome)
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(lhs, rhs) }
}

extension Translation {
  /// Swift's `==`, where nil equals nil and nothing else; nil when both sides are captured.
  mutating func equality<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ rhs: R, isNegated: Bool
  ) throws -> SQLTerm? {
    switch (try term(lhs), try term(rhs)) {
    case (.constant, .constant): return nil
    case (.model(let model), .constant(let constant)), (.constant(let constant), .model(let model)):
      guard constant.unwrapped == nil else { throw ConstantTerm.unsupported(constant.type) }
      return .scalar(.condition("\(model.key) \(isNegated ? "IS NOT" : "IS") NULL"))
    case (.scalar(let scalar), .constant(let constant)),
      (.constant(let constant), .scalar(let scalar)):
      return .scalar(try equality(scalar, constant, isNegated))
    case (.scalar(let lhs), .scalar(let rhs)):
      return .scalar(try equality(lhs, rhs, isNegated))
    case (.model(let lhs), .model(let rhs)):
      guard lhs.entity.rootName == rhs.entity.rootName else {
        throw Untranslatable("models of different entities are compared in memory")
      }
      return .scalar(
        try equality(
          ScalarTerm(sql: lhs.key, scalar: lhs.identifier, isOptional: lhs.isOptional),
          ScalarTerm(sql: rhs.key, scalar: rhs.identifier, isOptional: rhs.isOptional), isNegated))
    case (.list, _), (_, .list), (.model, _), (_, .model):
      throw Untranslatable("to-many relationships are compared in memory")
    }
  }

  private func equality(
    _ term: ScalarTerm, _ constant: ConstantTerm, _ isNegated: Bool
  ) throws -> ScalarTerm {
    guard let value = constant.unwrapped else {
      if constant.isLiteral {
        return .condition("\(term.held(.atom)) \(isNegated ? "IS NOT" : "IS") NULL")
      }
      return .condition(dialect.isSame(term.held(.atom), "\(value: .null)", isNegated: isNegated))
    }
    let encoded = try term.scalar.encode(value, storeIdentifier)
    if term.scalar.isNumberThatMayBeNaN, encoded == .nan {
      return .condition(dialect.condition(isNegated), .atom)
    }
    let parameter = constant.fragment(encoded, term.scalar, self)
    if let indexed = equalityBehind(term, parameter, isNegated) { return indexed }
    var result = ScalarTerm.condition(
      equal(try equatable(term), parameter, isOptional: term.isOptional, isNegated: isNegated))
    if !term.isOptional { result.nilSource = term.nilSource }
    return result
  }

  /// The same through the index of the row behind a reference: first the row, then who refers to it.
  private func equalityBehind(
    _ term: ScalarTerm, _ parameter: SQLFragment, _ isNegated: Bool
  ) -> ScalarTerm? {
    guard case .behind(let reference) = term.origin, reference.isUnique, !term.isIrregular,
      !isNegated
    else { return nil }
    let entity = reference.entity
    let test: SQLFragment = """
      \(reference.key) IN (SELECT \(name: entity.keyColumn) FROM \(name: entity.table) \
      WHERE \(name: reference.column) = \(parameter))
      """
    guard reference.isOptional || term.isOptional else { return .condition(test) }
    return .condition("\(reference.key) IS NOT NULL AND \(test)", .and)
  }

  private func equality(
    _ lhs: ScalarTerm, _ rhs: ScalarTerm, _ isNegated: Bool
  ) throws -> ScalarTerm {
    guard lhs.scalar == rhs.scalar else {
      throw Untranslatable("values of different kinds are compared in memory")
    }
    guard lhs.scalar != .opaque else { throw ScalarKind.unreadable }
    let isOptional = lhs.isOptional || rhs.isOptional
    if lhs.scalar.isNumberThatMayBeNaN, lhs.isIrregular, rhs.isIrregular {
      // Both may be NaN, which equals nothing.
      let same = equal(lhs.held(.atom), rhs.held(.atom), isOptional: isOptional, isNegated: false)
      let number = dialect.isSame(lhs.held(.atom), "\(value: .nan)", isNegated: true)
      let equal: SQLFragment = "\(same) AND \(number)"
      return isNegated ? .condition("NOT (\(equal))", .and) : .condition(equal, .and)
    }
    return .condition(
      equal(try equatable(lhs), try equatable(rhs), isOptional: isOptional, isNegated: isNegated))
  }

  /// - Parameter isOptional: true if NULL equals NULL.
  private func equal(
    _ lhs: SQLFragment, _ rhs: SQLFragment, isOptional: Bool, isNegated: Bool
  ) -> SQLFragment {
    isOptional
      ? dialect.isSame(lhs, rhs, isNegated: isNegated) : "\(lhs) \(isNegated ? "<>" : "=") \(rhs)"
  }

  /// What the outcome of a comparison says about nil.
  mutating func presences<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ rhs: R, areEqual: Bool
  ) throws -> [SQLFragment] {
    let term: SQLTerm
    let constant: ConstantTerm
    switch (try self.term(lhs), try self.term(rhs)) {
    case (let other, .constant(let value)), (.constant(let value), let other):
      (term, constant) = (other, value)
    default: return []
    }
    // Different from nil, or equal to something that is not nil.
    guard (constant.unwrapped == nil) != areEqual else { return [] }
    switch term {
    case .scalar(let term): return [term.sql]
    case .model(let term): return [term.key]
    case .constant, .list: return []
    }
  }
}

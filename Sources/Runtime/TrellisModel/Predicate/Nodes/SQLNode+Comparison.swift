import Foundation

/// `==` or `!=`.
protocol EqualityNode: BinaryNode where LHS.Output == RHS.Output, LHS.Output: Equatable, Output == Bool {
  static var isInequality: Bool { get }
}

extension EqualityNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.equality(lhs, rhs, isNegated: Self.isInequality)
  }

  package func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    guard LHS.Output.self is any OptionalValue.Type else { return [] }
    return try translation.presences(lhs, rhs, areEqual: outcome != Self.isInequality)
  }

  package func checked(_ bindings: PredicateBindings) throws -> Bool {
    try (lhs.checkedValue(bindings) == rhs.checkedValue(bindings)) != Self.isInequality
  }
}

extension PredicateExpressions.Equal: EqualityNode, PredicateComparison {
  static var isInequality: Bool { false }
  package var order: Translation.Order? { nil }
}

extension PredicateExpressions.NotEqual: EqualityNode {
  static var isInequality: Bool { true }
}

extension Translation {
  /// Translates Swift's `==`, in which nil equals only nil.
  mutating func equality<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ rhs: R, isNegated: Bool
  ) throws -> SQLTerm {
    switch (try term(lhs), try term(rhs)) {
    case (.constant, .constant): throw Untranslatable.captured
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
      return .scalar(try equality(lhs.identity, rhs.identity, isNegated))
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

  /// Translates the equality so that the database can use an index on the referenced table: the database finds the
  /// referenced row first, then the rows that refer to it.
  private func equalityBehind(
    _ term: ScalarTerm, _ parameter: SQLFragment, _ isNegated: Bool
  ) -> ScalarTerm? {
    guard case .behind(let reference) = term.origin, !term.isIrregular, !isNegated else { return nil }
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
      // Both may be NaN, which is not equal to itself.
      let same = equal(lhs.held(.atom), rhs.held(.atom), isOptional: isOptional, isNegated: false)
      let number = dialect.isSame(lhs.held(.atom), "\(value: .nan)", isNegated: true)
      let equal: SQLFragment = "\(same) AND \(number)"
      return isNegated ? .condition("NOT (\(equal))", .and) : .condition(equal, .and)
    }
    return .condition(
      equal(try equatable(lhs), try equatable(rhs), isOptional: isOptional, isNegated: isNegated))
  }

  /// - Parameter isOptional: True if NULL equals NULL.
  private func equal(
    _ lhs: SQLFragment, _ rhs: SQLFragment, isOptional: Bool, isNegated: Bool
  ) -> SQLFragment {
    isOptional
      ? dialect.isSame(lhs, rhs, isNegated: isNegated) : "\(lhs) \(isNegated ? "<>" : "=") \(rhs)"
  }

  /// Returns the expressions that a comparison's result proves to be non-NULL.
  package mutating func presences<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ rhs: R, areEqual: Bool
  ) throws -> [SQLFragment] {
    switch (try term(lhs), try term(rhs)) {
    case (let term, .constant(let constant)), (.constant(let constant), let term):
      // Not equal to nil, or equal to a non-nil value.
      guard (constant.unwrapped == nil) != areEqual, let value = term.value else { return [] }
      return [value.sql]
    default: return []
    }
  }
}

extension PredicateExpressions.Comparison: PredicateComparison {
  package var order: Translation.Order? { Translation.Order(op) }

  package func term(_ translation: inout Translation) throws -> SQLTerm {
    let (left, right) = (try translation.term(lhs), try translation.term(rhs))
    guard ScalarKind.ordered(LHS.Output.self) != nil else {
      throw Untranslatable("\(LHS.Output.self) has its own order")
    }
    return .scalar(try translation.comparison(left, right, Translation.Order(op)))
  }

  package func inspect(_ shape: inout PredicateShape) {
    let order = Translation.Order(op)
    shape.visitOperator((order.isLess ? 0 : 2) + (order.isOrEqual ? 1 : 0))
    shape.visit(lhs, rhs)
  }

  package func checked(_ bindings: PredicateBindings) throws -> Bool {
    let (left, right) = (try lhs.checkedValue(bindings), try rhs.checkedValue(bindings))
    return switch op {
    case .lessThan: left < right
    case .lessThanOrEqual: left <= right
    case .greaterThan: left > right
    case .greaterThanOrEqual: left >= right
    @unknown default: try evaluate(bindings)
    }
  }
}

extension Translation {
  /// `<`, `<=`, `>` or `>=`.
  package struct Order {
    package var isLess: Bool
    package var isOrEqual: Bool

    init(isLess: Bool, isOrEqual: Bool) { (self.isLess, self.isOrEqual) = (isLess, isOrEqual) }

    init(_ op: PredicateExpressions.ComparisonOperator) {
      self.init(
        isLess: op == .lessThan || op == .lessThanOrEqual,
        isOrEqual: op == .lessThanOrEqual || op == .greaterThanOrEqual)
    }

    /// The order with the sides exchanged.
    var reversed: Order { Order(isLess: !isLess, isOrEqual: isOrEqual) }

    var sql: SQLFragment { "\(isLess ? "<" : ">")\(isOrEqual ? "=" : "")" }
  }

  /// Translates Swift's ordering of two non-nil values; NULL if the row has no value.
  func comparison(_ lhs: SQLTerm, _ rhs: SQLTerm, _ order: Order) throws -> ScalarTerm {
    let (left, right) = try operands(lhs, rhs)
    // The unwrapped optional whose nil makes the operator's result NULL.
    let source = left.nilSource ?? right.nilSource
    let irregular = [left, right].filter { $0.isIrregular && $0.scalar.isNumberThatMayBeNaN }
    if irregular.isEmpty {
      var result = ScalarTerm.condition("\(try sortable(left)) \(order.sql) \(try sortable(right))")
      result.nilSource = source
      return result
    }
    // NaN is stored as text, which sorts after every number in SQL, but is unordered in Swift. Date's `<=` is derived
    // from `<`: the negation of `<` with the sides exchanged.
    let isTurned = left.scalar == .date && order.isOrEqual
    let sign = isTurned ? Order(isLess: !order.isLess, isOrEqual: false).sql : order.sql
    let guards = irregular.map { "\($0.held(.atom)) <> \(value: .nan)" as SQLFragment }
    let test: SQLFragment = """
      \(left.held(.atom)) \(sign) \(right.held(.atom)) AND \(guards.joined(separator: " AND "))
      """
    return .condition(isTurned ? "NOT (\(test))" : test, .and)
  }

  /// Returns both sides as SQL values of the same kind. A captured value receives the other side's kind.
  func operands(_ lhs: SQLTerm, _ rhs: SQLTerm) throws -> (ScalarTerm, ScalarTerm) {
    switch (lhs, rhs) {
    case (.scalar(let left), .constant(let right)):
      return (left, try parameter(right, left.scalar))
    case (.constant(let left), .scalar(let right)):
      return (try parameter(left, right.scalar), right)
    default:
      let (left, right) = (try scalar(lhs), try scalar(rhs))
      guard left.scalar == right.scalar else {
        throw Untranslatable("values of different kinds are compared in memory")
      }
      return (left, right)
    }
  }

  /// Returns a captured value as a parameter.
  ///
  /// - Parameter kind: The compared value's kind; nil if unknown.
  func parameter(_ constant: ConstantTerm, _ kind: ScalarKind? = nil) throws -> ScalarTerm {
    let value = constant.unwrapped
    guard let scalar = (value == nil ? nil : kind) ?? ScalarKind.of(constant.type) else {
      throw ConstantTerm.unsupported(constant.type)
    }
    guard let value else {
      return ScalarTerm(sql: dialect.typed("\(value: .null)", scalar), scalar: scalar, isOptional: true)
    }
    let encoded = try scalar.encode(value, storeIdentifier)
    if kind?.isIdentifier == true, encoded == .noRow {
      throw Untranslatable("identifiers from other tables and stores are compared in memory")
    }
    var result = ScalarTerm(
      sql: constant.fragment(encoded, scalar, self), scalar: scalar,
      isOptional: constant.type is any OptionalValue.Type)
    result.isIrregular = scalar.isNumberThatMayBeNaN && encoded == .nan
    return result
  }
}

import Foundation

extension PredicateExpressions.Equal: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.equality(lhs, rhs, isNegated: false)
  }

  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    try translation.presences(lhs, rhs, areEqual: outcome)
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(lhs, rhs) }
}

extension PredicateExpressions.NotEqual: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.equality(lhs, rhs, isNegated: true)
  }

  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    try translation.presences(lhs, rhs, areEqual: !outcome)
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(lhs, rhs) }
}

extension Translation {
  /// Swift's `==`, where nil equals nil and nothing else.
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

extension PredicateExpressions.Comparison: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    let (left, right) = (try translation.term(lhs), try translation.term(rhs))
    guard ScalarKind.ordered(LHS.Output.self) != nil else {
      throw Untranslatable("\(LHS.Output.self) has an order of its own")
    }
    return .scalar(try translation.comparison(left, right, Order(op)))
  }

  private typealias Order = Translation.Order

  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visitOperator(Order(op).rawValue)
    visitor.visit(lhs, rhs)
  }
}

extension Translation {
  enum Order: Int {
    case less, lessOrEqual, greater, greaterOrEqual

    init(_ op: PredicateExpressions.ComparisonOperator) {
      self =
        switch op {
        case .lessThan: .less
        case .lessThanOrEqual: .lessOrEqual
        case .greaterThan: .greater
        case .greaterThanOrEqual: .greaterOrEqual
        @unknown default: .less
        }
    }

    /// The order with the sides exchanged.
    var reversed: Order {
      switch self {
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      }
    }

    var sql: SQLFragment {
      switch self {
      case .less: "<"
      case .lessOrEqual: "<="
      case .greater: ">"
      case .greaterOrEqual: ">="
      }
    }
  }

  /// Swift's order of two values that are not nil; NULL where the row has no value.
  func comparison(_ lhs: SQLTerm, _ rhs: SQLTerm, _ order: Order) throws -> ScalarTerm {
    let (left, right) = try operands(lhs, rhs)
    // The unwrapped optional that makes an operator over both sides NULL.
    let source = left.nilSource ?? right.nilSource
    if left.scalar.isText, left.isIrregular || right.isIrregular {
      return try compareText(left.sql, right.sql, order, source)
    }
    let irregular = [left, right].filter { $0.isIrregular && $0.scalar.isNumberThatMayBeNaN }
    if irregular.isEmpty {
      var result = ScalarTerm.condition("\(try orderable(left)) \(order.sql) \(try orderable(right))")
      result.nilSource = source
      return result
    }
    // Text sorts after every number in SQL, and NaN nowhere in Swift. But Date has no `<=` of its
    // own: it is what `<` says of the two sides exchanged, turned around.
    let isTurned = left.scalar == .date && (order == .lessOrEqual || order == .greaterOrEqual)
    let sign: SQLFragment = isTurned ? (order == .lessOrEqual ? ">" : "<") : order.sql
    let guards = irregular.map { "\($0.held(.atom)) <> \(value: .nan)" as SQLFragment }
    let test: SQLFragment = """
      \(left.held(.atom)) \(sign) \(right.held(.atom)) AND \(guards.joined(separator: " AND "))
      """
    return .condition(isTurned ? "NOT (\(test))" : test, .and)
  }

  private func compareText(
    _ lhs: SQLFragment, _ rhs: SQLFragment, _ order: Order,
    _ source: PredicateExpressions.VariableID?
  ) throws -> ScalarTerm {
    var result: ScalarTerm =
      switch order {
      case .less: .condition(try call(.less, lhs, rhs), .atom)
      case .greater: .condition(try call(.less, rhs, lhs), .atom)
      case .lessOrEqual: .condition("NOT \(try call(.less, rhs, lhs))", .and)
      case .greaterOrEqual: .condition("NOT \(try call(.less, lhs, rhs))", .and)
      }
    result.nilSource = source
    return result
  }

  /// Both sides as SQL values of one kind; a captured value takes the kind of the other side.
  func operands(_ lhs: SQLTerm, _ rhs: SQLTerm) throws -> (ScalarTerm, ScalarTerm) {
    switch (lhs, rhs) {
    case (.scalar(let left), .constant(let right)):
      return (left, try parameter(right, like: left))
    case (.constant(let left), .scalar(let right)):
      return (try parameter(left, like: right), right)
    default:
      let (left, right) = (try scalar(lhs), try scalar(rhs))
      guard left.scalar == right.scalar else {
        throw Untranslatable("values of different kinds are compared in memory")
      }
      return (left, right)
    }
  }

  func parameter(_ constant: ConstantTerm, like term: ScalarTerm) throws -> ScalarTerm {
    guard let value = constant.unwrapped else { return try constant.parameter(self) }
    let encoded = try term.scalar.encode(value, storeIdentifier)
    if term.scalar.isIdentifier, encoded == .noRow {
      throw Untranslatable("identifiers of other tables and stores are compared in memory")
    }
    var result = ScalarTerm(
      sql: constant.fragment(encoded, term.scalar, self), scalar: term.scalar,
      isOptional: constant.type is any OptionalValue.Type)
    result.isIrregular = term.scalar.isNumberThatMayBeNaN && encoded == .nan
    return result
  }

  /// The text of a term in a form whose bytes order as Swift's values do.
  private func orderable(_ term: ScalarTerm) throws -> SQLFragment {
    term.scalar == .decimal ? try call(.decimalKey, term.sql) : term.held(.atom)
  }
}

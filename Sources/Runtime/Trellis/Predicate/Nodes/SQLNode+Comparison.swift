import Foundation

extension PredicateExpressions.Comparison: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    switch (try translation.term(lhs), try translation.term(rhs)) {
    case (.constant, .constant):
      return try translation.folded(self, else: "")
    case (let left, let right):
      guard ScalarKind.ordered(LHS.Output.self) != nil else {
        throw Untranslatable("\(LHS.Output.self) has an order of its own")
      }
      return .scalar(try translation.comparison(left, right, Order(op)))
    }
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

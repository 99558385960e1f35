import Foundation

// Where Swift would trap, for an overflow or a division by zero, the SQL functions fail and the predicate is evaluated
// in memory: see `IntegerFunctions`.

/// An operator with two numeric operands.
protocol ArithmeticNode: BinaryNode where LHS.Output == Output, RHS.Output == Output {
  var operation: IntegerOperation { get }

  /// Returns the result for fractional types.
  static func result(_ operation: IntegerOperation, _ lhs: Output, _ rhs: Output) -> Output
}

extension ArithmeticNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    let (first, second) = try translation.operands(translation.term(lhs), translation.term(rhs))
    var result = ScalarTerm(sql: "", scalar: first.scalar)
    result.nilSource = first.nilSource ?? second.nilSource
    switch ScalarKind.ordered(Output.self) {
    case .integer, .unsigned:
      guard let width = IntegerWidth(Output.self) else { throw inMemory }
      result.sql = try translation.call(
        .integer(operation), first.sql, second.sql, "\(number: width.rawValue)")
    case .real:
      // SQL has NULL where IEEE 754 has NaN and infinity.
      result.sql = try translation.call(.real(operation), first.sql, second.sql)
      result.isIrregular = true
    default: throw inMemory
    }
    return .scalar(result)
  }

  private var inMemory: Untranslatable { Untranslatable("\(Output.self) is computed in memory") }

  package func inspect(_ shape: inout PredicateShape) {
    shape.visitOperator(operation.rawValue)
    shape.visit(lhs, rhs)
  }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    let (left, right) = (try lhs.checkedValue(bindings), try rhs.checkedValue(bindings))
    return try operation.checked(left, right) ?? Self.result(operation, left, right)
  }
}

extension PredicateExpressions.Arithmetic: ArithmeticNode {
  var operation: IntegerOperation {
    switch op {
    case .subtract: .subtract
    case .multiply: .multiply
    default: .add
    }
  }

  static func result(_ operation: IntegerOperation, _ lhs: Output, _ rhs: Output) -> Output {
    switch operation {
    case .subtract: lhs - rhs
    case .multiply: lhs * rhs
    default: lhs + rhs
    }
  }
}

extension PredicateExpressions.IntDivision: ArithmeticNode {
  var operation: IntegerOperation { .divide }
  static func result(_: IntegerOperation, _ lhs: Output, _ rhs: Output) -> Output { lhs / rhs }
}

extension PredicateExpressions.IntRemainder: ArithmeticNode {
  var operation: IntegerOperation { .remainder }
  static func result(_: IntegerOperation, _ lhs: Output, _ rhs: Output) -> Output { lhs % rhs }
}

extension PredicateExpressions.FloatDivision: ArithmeticNode {
  var operation: IntegerOperation { .divide }
  static func result(_: IntegerOperation, _ lhs: Output, _ rhs: Output) -> Output { lhs / rhs }
}

extension PredicateExpressions.UnaryMinus: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    let scalar = try translation.scalar(translation.term(wrapped))
    if ScalarKind.ordered(Output.self) == .integer, let width = IntegerWidth(Output.self) {
      return .scalar(
        scalar.computed(
          try translation.call(.integer(.subtract), "0", scalar.sql, "\(number: width.rawValue)")))
    }
    guard ScalarKind.ordered(Output.self) == .real else {
      throw Untranslatable("\(Output.self) is negated in memory")
    }
    var result = scalar.computed(try translation.call(.negatedReal, scalar.sql))
    result.isIrregular = true
    return .scalar(result)
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(wrapped) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    let value = try wrapped.checkedValue(bindings)
    return try IntegerOperation.subtract.checked(Output.zero, value) ?? -value
  }
}

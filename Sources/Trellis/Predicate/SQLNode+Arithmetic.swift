import Foundation

// Where Swift would stop the process, integers beyond 64 bits and division by zero, SQL goes on with
// some value of its own: there is no answer to be equal to.

extension PredicateExpressions.Arithmetic: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    let sql: SQLFragment
    let function: SQLFragment
    switch op {
    case .add: (sql, function) = ("+", "real_add")
    case .subtract: (sql, function) = ("-", "real_subtract")
    case .multiply: (sql, function) = ("*", "real_multiply")
    @unknown default: throw Untranslatable("\(op) has no translation")
    }
    return try translation.arithmetic(lhs, rhs, sql, function)
  }

  func inspect(_ shape: inout PredicateShape) {
    shape.visit(lhs)
    shape.visit(rhs)
  }
}

extension PredicateExpressions.IntDivision: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.arithmetic(lhs, rhs, "/", "real_divide")
  }

  func inspect(_ shape: inout PredicateShape) {
    shape.visit(lhs)
    shape.visit(rhs)
  }
}

extension PredicateExpressions.IntRemainder: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.arithmetic(lhs, rhs, "%", "")
  }

  func inspect(_ shape: inout PredicateShape) {
    shape.visit(lhs)
    shape.visit(rhs)
  }
}

extension PredicateExpressions.FloatDivision: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.arithmetic(lhs, rhs, "/", "real_divide")
  }

  func inspect(_ shape: inout PredicateShape) {
    shape.visit(lhs)
    shape.visit(rhs)
  }
}

extension PredicateExpressions.UnaryMinus: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    var scalar = try translation.scalar(translation.term(wrapped))
    switch scalar.scalar {
    case .integer: scalar.sql = "-\(scalar.held(.atom))"
    case .real: scalar.sql = "real_negate(\(scalar.sql))"
    default: throw Untranslatable("\(Output.self) is negated in memory")
    }
    scalar.binding = scalar.scalar == .real ? .atom : .comparison
    scalar.origin = .expression
    return .scalar(scalar)
  }

  func inspect(_ shape: inout PredicateShape) { shape.visit(wrapped) }
}

extension Translation {
  /// An operator over two numbers; also over two captured ones, which Swift might not survive.
  mutating func arithmetic<L: PredicateExpression, R: PredicateExpression>(
    _ lhs: L, _ rhs: R, _ sign: SQLFragment, _ function: SQLFragment
  ) throws -> SQLTerm {
    let (left, right) = (try term(lhs), try term(rhs))
    let (first, second) = try operands(left, right)
    var result = ScalarTerm(sql: "", scalar: first.scalar)
    result.nilSource = first.nilSource ?? second.nilSource
    switch Scalar.ordered(L.Output.self) {
    case .integer:
      result.sql = "\(first.held(.atom)) \(sign) \(second.held(.atom))"
      result.binding = .comparison
    case .real:
      // SQL has NULL where IEEE has NaN and infinity.
      result.sql = "\(function)(\(first.sql), \(second.sql))"
      result.isIrregular = true
    default:
      throw Untranslatable("\(L.Output.self) is computed in memory")
    }
    return .scalar(result)
  }
}

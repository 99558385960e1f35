import Foundation

// Where Swift would stop the process, a result that does not fit and division by zero, the functions
// of SQL fail, and the predicate is evaluated in memory: see `IntegerFunctions`.

extension PredicateExpressions.Arithmetic: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    let name: SQLFragment =
      switch op {
      case .add: "add"
      case .subtract: "subtract"
      case .multiply: "multiply"
      @unknown default: throw Untranslatable("\(op) has no translation")
      }
    return try translation.arithmetic(lhs, rhs, name)
  }

  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visitOperator(op == .add ? 0 : op == .subtract ? 1 : 2)
    visitor.visit(lhs, rhs)
    visitor.visitComputation(of: Output.self)
  }
}

/// An operator over two numbers.
protocol BinaryNumberNode: SQLNode, PredicateExpression {
  associatedtype First: PredicateExpression
  associatedtype Second: PredicateExpression
  var lhs: First { get }
  var rhs: Second { get }
  static var operation: SQLFragment { get }
}

extension BinaryNumberNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    try translation.arithmetic(lhs, rhs, Self.operation)
  }

  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(lhs, rhs)
    visitor.visitComputation(of: Output.self)
  }
}

extension PredicateExpressions.IntDivision: BinaryNumberNode { static var operation: SQLFragment { "divide" } }
extension PredicateExpressions.IntRemainder: BinaryNumberNode { static var operation: SQLFragment { "remainder" } }
extension PredicateExpressions.FloatDivision: BinaryNumberNode { static var operation: SQLFragment { "divide" } }

extension PredicateExpressions.UnaryMinus: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    var scalar = try translation.scalar(translation.term(wrapped))
    switch ScalarKind.ordered(Output.self) {
    case .integer:
      guard let width = IntegerWidth(Output.self) else { throw Self.inMemory }
      scalar.sql = try translation.call(
        .integer("subtract"), "0", scalar.sql, "\(number: width.rawValue)")
    case .real:
      scalar.sql = try translation.call(.negatedReal, scalar.sql)
      scalar.isIrregular = true
    default: throw Self.inMemory
    }
    scalar.binding = .atom
    scalar.origin = .expression
    return .scalar(scalar)
  }

  private static var inMemory: Untranslatable {
    Untranslatable("\(Output.self) is negated in memory")
  }

  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(wrapped)
    visitor.visitComputation(of: Output.self)
  }
}

extension Translation {
  /// An operator over two numbers.
  fileprivate mutating func arithmetic(
    _ lhs: some PredicateExpression, _ rhs: some PredicateExpression, _ operation: SQLFragment
  ) throws -> SQLTerm {
    let (first, second) = try operands(term(lhs), term(rhs))
    var result = ScalarTerm(sql: "", scalar: first.scalar)
    result.nilSource = first.nilSource ?? second.nilSource
    let type = Self.output(of: lhs)
    switch ScalarKind.ordered(type) {
    case .integer, .unsigned:
      guard let width = IntegerWidth(type) else { throw Self.inMemory(type) }
      result.sql = try call(
        .integer(operation), first.sql, second.sql, "\(number: width.rawValue)")
    case .real:
      // SQL has NULL where IEEE has NaN and infinity.
      result.sql = try call(.real(operation), first.sql, second.sql)
      result.isIrregular = true
    default:
      throw Self.inMemory(type)
    }
    return .scalar(result)
  }

  private static func output<E: PredicateExpression>(of _: E) -> any Any.Type { E.Output.self }

  private static func inMemory(_ type: any Any.Type) -> Untranslatable {
    Untranslatable("\(type) is computed in memory")
  }
}

import Foundation

extension PredicateExpressions.CollectionContainsCollection: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard Base.Output.self == String.self, Other.Output.self == String.self else {
      return try translation.folded(self, else: "\(Base.Output.self) is searched in memory")
    }
    return try translation.textTest("swift_contains", base, other)
      ?? translation.folded(self, else: "")
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(base, other) }
}

extension PredicateExpressions.SequenceStartsWith: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
      return try translation.folded(self, else: "\(Base.Output.self) is compared in memory")
    }
    return try translation.textTest("swift_starts", base, prefix)
      ?? translation.folded(self, else: "")
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(base, prefix) }
}

extension PredicateExpressions.StringContainsRegex: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    throw Untranslatable("regular expressions are matched in memory")
  }

  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visitDynamicCall()
    visitor.visit(subject)
  }
}

extension Translation {
  /// A test of one text against another, character by character; nil when both are captured.
  mutating func textTest<L: PredicateExpression, R: PredicateExpression>(
    _ function: SQLFragment, _ base: L, _ other: R
  ) throws -> SQLTerm? {
    let (left, right) = (try term(base), try term(other))
    if case .constant = left, case .constant = right { return nil }
    if case .constant(let constant) = right, constant.value as? String == "" {
      return .constant(ConstantTerm(value: true, type: Bool.self))
    }
    let (text, part) = try operands(left, right)
    guard text.scalar == .text, part.scalar == .text else {
      throw Untranslatable("this is searched in memory")
    }
    return .scalar(call(function, text, part))
  }

  func containment(
    _ function: SQLFragment, _ constant: ConstantTerm, _ element: ScalarTerm
  ) throws -> ScalarTerm {
    call(function, try parameter(constant, like: element), element)
  }

  /// A function that is NULL when an argument is.
  func call(_ function: SQLFragment, _ lhs: ScalarTerm, _ rhs: ScalarTerm) -> ScalarTerm {
    var result = ScalarTerm.condition("\(function)(\(lhs.sql), \(rhs.sql))", .atom)
    result.nilSource = lhs.nilSource ?? rhs.nilSource
    return result
  }
}

import Foundation

extension PredicateExpressions.CollectionContainsCollection: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard Base.Output.self == String.self, Other.Output.self == String.self else {
      return try translation.folded(self, else: "\(Base.Output.self) is searched in memory")
    }
    return try translation.textTest(.contains, base, other)
      ?? translation.folded(self, else: "")
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(base, other) }
}

extension PredicateExpressions.SequenceStartsWith: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
      return try translation.folded(self, else: "\(Base.Output.self) is compared in memory")
    }
    return try translation.textTest(.starts, base, prefix)
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
    _ function: SwiftFunction, _ base: L, _ other: R
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
    return .scalar(try test(function, text, part))
  }

  /// Tests whether a captured text contains a value.
  func containment(_ constant: ConstantTerm, _ element: ScalarTerm) throws -> ScalarTerm {
    try test(.contains, try parameter(constant, like: element), element)
  }

  /// A function that returns a Bool, and NULL if an argument is NULL.
  func test(_ function: SwiftFunction, _ lhs: ScalarTerm, _ rhs: ScalarTerm) throws -> ScalarTerm {
    var result = ScalarTerm.condition(try call(function, lhs.sql, rhs.sql), .atom)
    result.nilSource = lhs.nilSource ?? rhs.nilSource
    return result
  }
}

import Foundation

extension PredicateExpressions.Variable: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard let term = translation.term(of: key) else {
      throw Untranslatable("a variable of type \(Output.self) stands for no row")
    }
    return term
  }

  func condition(_ translation: inout Translation) throws -> SQLTerm { try term(&translation) }
  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visitVariable(key) }
}

extension PredicateExpressions.Value: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    .constant(
      ConstantTerm(value: value, type: Output.self, isCaptured: translation.tracksCaptured))
  }

  static var isCapturedValue: Bool { true }
  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visitCaptured(value) }
}

extension PredicateExpressions.NilLiteral: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    .constant(ConstantTerm(value: Output.none as Any, type: Output.self, isLiteral: true))
  }

  func inspect(_ visitor: inout some PredicateVisitor) {}
}

import Foundation

extension PredicateExpressions.Variable: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard let term = translation.term(of: key) else {
      throw Untranslatable("a variable of type \(Output.self) stands for no row")
    }
    return term
  }

  func condition(_ translation: inout Translation) throws -> SQLTerm { try term(&translation) }
  func inspect(_ shape: inout PredicateShape) {}
}

extension PredicateExpressions.Value: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    .constant(ConstantTerm(value: value, type: Output.self))
  }

  func inspect(_ shape: inout PredicateShape) {}
}

extension PredicateExpressions.NilLiteral: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    .constant(ConstantTerm(value: Output.none as Any, type: Output.self, isLiteral: true))
  }

  func inspect(_ shape: inout PredicateShape) {}
}

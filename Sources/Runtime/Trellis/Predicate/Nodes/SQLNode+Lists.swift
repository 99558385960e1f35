import Foundation

extension PredicateExpressions.SequenceContainsWhere: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    switch try translation.term(sequence) {
    case .list(var list):
      list.conditions.append(
        try translation.scoped(variable.key, to: list.member) { try $0.heldCondition(test) })
      return .scalar(.condition("EXISTS (SELECT 1 \(list.body))", .atom))
    case .constant(let constant):
      if let folded = try? translation.folded(self, else: "") { return folded }
      guard let elements = constant.value as? LHS.Output else { throw ConstantTerm.unsupported(constant.type) }
      return try translation.membership(in: elements, variable, where: test)
    case .scalar, .model:
      return try translation.folded(self, else: "\(LHS.Output.self) is searched in memory")
    }
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(sequence, variable, test) }
}

extension PredicateExpressions.SequenceAllSatisfy: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard case .list(var list) = try translation.term(sequence) else {
      return try translation.folded(self, else: "\(LHS.Output.self) is searched in memory")
    }
    let term = try translation.scoped(variable.key, to: list.member) {
      try $0.scalar($0.term(test))
    }
    list.conditions.append("NOT \(term.held(.atom))")
    return .scalar(.condition("NOT EXISTS (SELECT 1 \(list.body))", .and))
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(sequence, variable, test) }
}

extension PredicateExpressions.Filter: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard case .list(var list) = try translation.term(sequence) else {
      return try translation.folded(self, else: "\(LHS.Output.self) is filtered in memory")
    }
    list.conditions.append(
      try translation.scoped(variable.key, to: list.member) { try $0.heldCondition(filter) })
    return .list(list)
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(sequence, variable, filter) }
}

extension ListTerm {
  /// The row that stands for an element in a closure over the list.
  var member: SQLTerm {
    .model(
      ModelTerm(
        entity: entity, key: "\(column: entity.keyColumn, of: alias)", alias: alias))
  }
}

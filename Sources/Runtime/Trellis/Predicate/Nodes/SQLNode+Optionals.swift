import Foundation

extension PredicateExpressions.OptionalFlatMap: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    switch try translation.term(wrapped) {
    case .constant(let constant):
      guard let value = constant.unwrapped as? Wrapped else {
        return .constant(ConstantTerm(value: Output.none as Any, type: Output.self))
      }
      translation.captured[variable] = value
      let inner = SQLTerm.constant(ConstantTerm(value: value, type: Wrapped.self))
      return try translation.scoped(variable.key, to: inner) { try $0.term(transform) }
    case .list(var list):
      // The runtime reads an optional to-many relationship as an array, never as nil.
      list.isOptional = false
      return try translation.scoped(variable.key, to: .list(list)) { try $0.term(transform) }
    case .scalar(var scalar):
      let (sql, source) = (scalar.sql, scalar.nilSource)
      scalar.isOptional = false
      scalar.nilSource = variable.key
      let result = try translation.scoped(variable.key, to: .scalar(scalar)) {
        try $0.term(transform)
      }
      return try translation.unlessNil(sql, variable.key, result, outer: source)
    case .model(var model):
      let (sql, source) = (model.key, model.nilSource)
      model.isOptional = false
      model.nilSource = variable.key
      let result = try translation.scoped(variable.key, to: .model(model)) {
        try $0.term(transform)
      }
      return try translation.unlessNil(sql, variable.key, result, outer: source)
    }
  }

  /// Nil counts as false here, so a test for it is an ordinary term.
  func condition(_ translation: inout Translation) throws -> SQLTerm {
    let sql: SQLFragment
    let inner: SQLTerm
    switch try translation.term(wrapped) {
    case .constant, .list:
      return try term(&translation)
    case .scalar(var scalar):
      sql = scalar.held(.atom)
      scalar.isOptional = false
      scalar.nilSource = variable.key
      inner = .scalar(scalar)
    case .model(var model):
      sql = model.key
      model.isOptional = false
      model.nilSource = variable.key
      inner = .model(model)
    }
    var result = try translation.scoped(variable.key, to: inner) {
      try $0.conditionTerm(transform).asCondition($0.dialect)
    }
    if result.nilSource != variable.key {
      result = .condition("\(sql) IS NOT NULL AND \(result.held(.and))", .and)
    }
    result.isOptional = true
    result.nilSource = nil
    return .scalar(result)
  }

  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(wrapped)
    visitor.visitVariable(variable.key)
    visitor.visit(transform)
  }
}

extension PredicateExpressions.NilCoalesce: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    let left = try translation.term(lhs)
    if case .constant(let constant) = left {
      guard let value = constant.unwrapped else { return try translation.term(rhs) }
      return .constant(ConstantTerm(value: value, type: RHS.Output.self))
    }
    if case .list = left { return left }
    let right = try translation.term(rhs)
    if case .model(let first) = left, case .model(let second) = right {
      var result = first
      result.key = "COALESCE(\(first.key), \(second.key))"
      result.alias = nil
      result.isOptional = second.isOptional
      result.nilSource = nil
      return .model(result)
    }
    let (first, second) = try translation.operands(left, right)
    guard first.isOptional else { return left }
    var result = first
    result.sql = "COALESCE(\(first.sql), \(second.sql))"
    result.binding = .atom
    result.isOptional = second.isOptional
    result.isIrregular = first.isIrregular || second.isIrregular
    result.nilSource = nil
    result.origin = .expression
    return .scalar(result)
  }

  /// `?? false` says nothing where NULL counts as false anyway, and hides the column from an index.
  func condition(_ translation: inout Translation) throws -> SQLTerm {
    guard let node = rhs as? PredicateExpressions.Value<Bool>, !node.value else {
      return try term(&translation)
    }
    guard let left = lhs as? any SQLNode else { throw Translation.unknown(LHS.self) }
    let term = try left.condition(&translation)
    if case .constant(let constant) = term, constant.unwrapped == nil {
      return .constant(ConstantTerm(value: false, type: Bool.self))
    }
    return term
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(lhs, rhs) }
}

extension PredicateExpressions.ForcedUnwrap: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    switch try translation.term(inner) {
    case .constant(let constant):
      guard let value = constant.unwrapped else { throw Self.unguarded }
      return .constant(ConstantTerm(value: value, type: Output.self))
    case .scalar(var scalar):
      guard !scalar.isOptional || translation.isPresent(scalar.sql) else { throw Self.unguarded }
      scalar.isOptional = false
      return .scalar(scalar)
    case .model(var model):
      guard !model.isOptional || translation.isPresent(model.key) else { throw Self.unguarded }
      model.isOptional = false
      return .model(model)
    case .list(let list):
      return .list(list)
    }
  }

  /// Swift throws for a row without the value; SQL must not quietly go on.
  private static var unguarded: Untranslatable {
    Untranslatable("a force-unwrapped value may be nil; test it for nil first, or use ?.")
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(inner) }
}

extension Translation {
  /// The result of a closure over an optional: nil when the optional is, whatever the closure says.
  func unlessNil(
    _ wrapped: SQLFragment, _ variable: PredicateExpressions.VariableID, _ result: SQLTerm,
    outer: PredicateExpressions.VariableID?
  ) throws -> SQLTerm {
    switch result {
    case .scalar(var scalar):
      if scalar.nilSource != variable {
        scalar.sql = "CASE WHEN \(wrapped) IS NOT NULL THEN \(scalar.sql) END"
        scalar.binding = .atom
        scalar.origin = .expression
      }
      scalar.isOptional = true
      scalar.nilSource = outer
      return .scalar(scalar)
    case .model(var model):
      if model.nilSource != variable {
        model.key = "CASE WHEN \(wrapped) IS NOT NULL THEN \(model.key) END"
        model.alias = nil
      }
      model.isOptional = true
      model.nilSource = outer
      return .model(model)
    case .constant(let constant):
      var scalar = try constant.parameter(self)
      scalar.sql = "CASE WHEN \(wrapped) IS NOT NULL THEN \(scalar.sql) END"
      scalar.isOptional = true
      scalar.nilSource = outer
      return .scalar(scalar)
    case .list:
      throw Untranslatable("the members of an optional row are listed in memory")
    }
  }
}

import Foundation

extension PredicateExpressions.OptionalFlatMap: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    let term = try translation.term(wrapped)
    if let (value, sql, outer) = term.unwrapped(as: variable.key) {
      let result = try translation.scoped(variable.key, to: value) { try $0.term(transform) }
      return try translation.unlessNil(sql, variable.key, result, outer: outer)
    }
    var inner = term
    switch term {
    case .constant(let constant):
      guard let value = constant.unwrapped as? Wrapped else {
        return .constant(ConstantTerm(value: Output.none as Any, type: Output.self))
      }
      translation.captured[variable] = value
      inner = .constant(ConstantTerm(value: value, type: Wrapped.self))
    case .list(var list):
      // The runtime reads an optional to-many relationship as an array, never as nil.
      list.isOptional = false
      inner = .list(list)
    case .scalar, .model: break
    }
    let result = try translation.scoped(variable.key, to: inner) { try $0.term(transform) }
    // The closure may return the value of the optional.
    guard case .constant(let constant) = result, RHS.Output.self == Result.self, let value = constant.value as? Result
    else { return result }
    return .constant(ConstantTerm(value: Output.some(value) as Any, type: Output.self))
  }

  /// Nil counts as false here, so a test for it is an ordinary term.
  func condition(_ translation: inout Translation) throws -> SQLTerm {
    guard let (value, sql, _) = try translation.term(wrapped).unwrapped(as: variable.key) else {
      return try term(&translation)
    }
    var result = try translation.scoped(variable.key, to: value) {
      $0.asCondition(try $0.conditionTerm(transform))
    }
    if result.nilSource != variable.key {
      result = .condition("\(sql) IS NOT NULL AND \(result.held(.and))", .and)
    }
    result.isOptional = true
    result.nilSource = nil
    return .scalar(result)
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(wrapped, variable, transform) }
}

extension PredicateExpressions.NilCoalesce: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    let left = try translation.term(lhs)
    if case .constant(let constant) = left {
      // Of an optional of an optional, only the outer one decides.
      guard let optional = constant.value as? any OptionalValue else { return left }
      guard let value = optional.wrappedValue else { return try translation.term(rhs) }
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

  /// Swift throws for a row without the value; SQL must not silently continue.
  private static var unguarded: Untranslatable {
    Untranslatable("a force-unwrapped value may be nil; test it for nil first, or use ?.")
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(inner) }
}

extension SQLTerm {
  /// The term inside a closure that runs unless the term is nil.
  ///
  /// - Returns: also the SQL that is NULL for nil, and the variable that the term outside depends on; nil for captured
  ///   values and lists.
  fileprivate func unwrapped(
    as variable: PredicateExpressions.VariableID
  ) -> (value: SQLTerm, sql: SQLFragment, outer: PredicateExpressions.VariableID?)? {
    switch self {
    case .scalar(let scalar):
      var value = scalar
      value.isOptional = false
      value.nilSource = variable
      return (.scalar(value), scalar.held(.atom), scalar.nilSource)
    case .model(let model):
      var value = model
      value.isOptional = false
      value.nilSource = variable
      return (.model(value), model.key, model.nilSource)
    case .constant, .list: return nil
    }
  }
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

import Foundation

extension PredicateExpressions.TypeCheck: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    let (model, _, test) = try translation.cast(input, to: Desired.self)
    if model.isOptional || model.nilSource != nil {
      return .scalar(.condition("\(model.key) IS NOT NULL AND \(test)", .and))
    }
    return .scalar(.condition(test, .comparison))
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(input) }
}

extension PredicateExpressions.ConditionalCast: SQLNode {
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    let (model, entity, test) = try translation.cast(input, to: Desired.self)
    return .model(ModelTerm(entity: entity, key: "CASE WHEN \(test) THEN \(model.key) END", isOptional: true))
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(input) }
}

extension PredicateExpressions.ForceCast: SQLNode {
  /// True for a cast that wraps a value in an optional. It cannot fail.
  private static var isWrapping: Bool {
    Desired.self == Input.Output?.self && !(Input.Output.self is any OptionalValue.Type)
  }

  package func term(_ translation: inout Translation) throws -> SQLTerm {
    let term = try translation.term(input)
    // Swift throws if the cast fails.
    guard Self.isWrapping, !term.isConstant else {
      throw Untranslatable("as! is evaluated in memory; as? is translated to SQL")
    }
    return term
  }

  package func inspect(_ shape: inout PredicateShape) { shape.visit(input) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    guard Self.isWrapping, let value = try input.checkedValue(bindings) as? Desired else {
      return try evaluate(bindings)
    }
    return value
  }
}

extension Translation {
  /// Returns a row, the class's entity, and a condition that tests whether the row belongs to this class or a subclass.
  fileprivate mutating func cast<D>(
    _ input: some PredicateExpression, to _: D.Type
  ) throws -> (model: ModelTerm, entity: EntityLayout, test: SQLFragment) {
    guard case .model(let model) = try term(input) else { throw Untranslatable("values are cast in memory") }
    guard let type = D.self as? any PersistentModel.Type, let entity = layout.entity(for: type)
    else { throw Untranslatable("\(D.self) is not in the schema") }
    guard entity.rootName == model.entity.rootName, !entity.discriminators.isEmpty else {
      return (model, entity, dialect.condition(entity.name == model.entity.name))
    }
    let names = entity.discriminators.map { "\(value: .text($0))" as SQLFragment }
    let test: SQLFragment = "\(sql(ofColumn: entity.entityColumn, model)) IN (\(names.joined(separator: ", ")))"
    return (model, entity, test)
  }
}

// MARK: nodes evaluated in memory, unless they depend only on captured values

extension PredicateExpressions.SequenceMaximum: SQLNode {
  package func inspect(_ shape: inout PredicateShape) { shape.visit(elements) }
}

extension PredicateExpressions.SequenceMinimum: SQLNode {
  package func inspect(_ shape: inout PredicateShape) { shape.visit(elements) }
}

extension PredicateExpressions.DictionaryKeySubscript: SQLNode {
  package func inspect(_ shape: inout PredicateShape) { shape.visit(wrapped, key) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    try wrapped.checkedValue(bindings)[key.checkedValue(bindings)]
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: SQLNode {
  package func inspect(_ shape: inout PredicateShape) {
    shape.visit(wrapped, key)
    shape.visit(`default`)
  }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    try wrapped.checkedValue(bindings)[key.checkedValue(bindings)] ?? `default`.checkedValue(bindings)
  }
}

// Swift traps if an index is out of bounds, or if a range's bounds are reversed.

extension PredicateExpressions.CollectionIndexSubscript: SQLNode {
  package func inspect(_ shape: inout PredicateShape) { shape.visit(wrapped, index) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    let collection = try wrapped.checkedValue(bindings)
    let place = try index.checkedValue(bindings)
    guard place >= collection.startIndex, place < collection.endIndex else { throw PredicateBounds.outside }
    return collection[place]
  }
}

extension PredicateExpressions.CollectionRangeSubscript: SQLNode {
  package func inspect(_ shape: inout PredicateShape) { shape.visit(wrapped, range) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    let collection = try wrapped.checkedValue(bindings)
    let places = try range.checkedValue(bindings)
    guard places.lowerBound >= collection.startIndex, places.upperBound <= collection.endIndex
    else { throw PredicateBounds.outside }
    return collection[places]
  }
}

extension PredicateExpressions.Range: SQLNode {
  package func inspect(_ shape: inout PredicateShape) { shape.visit(lower, upper) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    let (low, high) = (try lower.checkedValue(bindings), try upper.checkedValue(bindings))
    guard low <= high else { throw PredicateBounds.reversed }
    return low..<high
  }
}

extension PredicateExpressions.ClosedRange: SQLNode {
  package func inspect(_ shape: inout PredicateShape) { shape.visit(lower, upper) }

  package func checked(_ bindings: PredicateBindings) throws -> Output {
    let (low, high) = (try lower.checkedValue(bindings), try upper.checkedValue(bindings))
    guard low <= high else { throw PredicateBounds.reversed }
    return low...high
  }
}

private enum PredicateBounds {
  static var reversed: SwiftDataError {
    .unsupportedPredicate.explained("the predicate creates a range whose lower bound exceeds its upper bound")
  }

  static var outside: SwiftDataError {
    .unsupportedPredicate.explained("the predicate reads an element beyond the end")
  }
}

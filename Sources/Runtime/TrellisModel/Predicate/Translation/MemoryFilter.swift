import Foundation

/// A predicate evaluated in memory, for models or for history transactions.
package struct MemoryFilter<T> {
  private let predicate: Predicate<T>
  private let condition: MemoryCondition
  private let identifiers: CapturedIdentifiers?

  package init(_ predicate: Predicate<T>) { self.init(predicate, nil) }

  /// - Parameter identifiers: Replaces captured identifiers; nil if no replacement is needed.
  package init(_ predicate: Predicate<T>, _ identifiers: CapturedIdentifiers?) {
    self.predicate = predicate
    self.identifiers = identifiers == nil || !PredicateShape(predicate).capturesTemporaryIdentifiers ? nil : identifiers
    condition = MemoryCondition(predicate.expression)
  }

  /// - Throws: The evaluation error; ``SwiftDataError/unsupportedPredicate`` if the predicate is nested too deeply.
  package func matches(_ model: T) throws -> Bool {
    guard let identifiers else { return try isTrue(of: model) }
    return try CapturedIdentifiers.$scope.withValue(identifiers) { try isTrue(of: model) }
  }

  private func isTrue(of model: T) throws -> Bool {
    var bindings = PredicateBindings()
    bindings[predicate.variable] = model
    return try condition.isTrue(bindings)
  }
}

/// A predicate's conditions, with `&&` and `||` runs as arrays so that evaluation needs no recursion.
private indirect enum MemoryCondition {
  case run([JunctionRun.Step<MemoryCondition>], isConjunction: Bool)
  case negation(MemoryCondition)
  case checked(any PredicateExpression<Bool>)
  case tooDeep

  /// - Parameter depth: The number of enclosing conditions.
  init(_ expression: any PredicateExpression<Bool>, depth: Int = 0) {
    func inner(_ expression: any PredicateExpression<Bool>) -> Self { Self(expression, depth: depth + 1) }
    if depth > PredicateDepth.maximum {
      self = .tooDeep
    } else if let junction = expression as? any PredicateJunction {
      let run = JunctionRun(junction)
      self = .run(run.map { $0.map(inner) }, isConjunction: run.isConjunction)
    } else if let negation = expression as? any PredicateNegation {
      self = .negation(inner(negation.wrapped))
    } else if let nested = (expression as? any NestedCallNode)?.nestedCall, let body = nested.condition {
      self = .run([.enter(nested), .operand(inner(body), depth: 0), .leave], isConjunction: true)
    } else {
      self = PredicateShape(expression).depth > PredicateDepth.foundation ? .tooDeep : .checked(expression)
    }
  }

  func isTrue(_ bindings: PredicateBindings) throws -> Bool {
    switch self {
    case .run(let steps, let isConjunction):
      return try JunctionRun.value(of: steps, isConjunction, bindings) { try $0.isTrue($1) }
    case .negation(let operand): return try !operand.isTrue(bindings)
    case .checked(let expression): return try expression.checkedValue(bindings)
    case .tooDeep: throw PredicateDepth.refusal
    }
  }
}

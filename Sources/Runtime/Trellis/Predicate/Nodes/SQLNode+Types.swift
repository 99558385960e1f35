import Foundation

extension PredicateExpressions.TypeCheck: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard case .model(let model) = try translation.term(input) else {
      throw Untranslatable("the type of a value is tested in memory")
    }
    let test = try translation.isInstance(model, of: Desired.self)
    if model.isOptional || model.nilSource != nil {
      return .scalar(.condition("\(model.key) IS NOT NULL AND \(test)", .and))
    }
    return .scalar(.condition(test, .comparison))
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(input) }
}

extension PredicateExpressions.ConditionalCast: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard case .model(let model) = try translation.term(input) else {
      throw Untranslatable("values are cast in memory")
    }
    let test = try translation.isInstance(model, of: Desired.self)
    guard let type = Desired.self as? any PersistentModel.Type,
      let entity = translation.layout.entity(for: type)
    else { throw Untranslatable("\(Desired.self) is not in the schema") }
    return .model(
      ModelTerm(
        entity: entity, key: "CASE WHEN \(test) THEN \(model.key) END", alias: nil,
        isOptional: true, nilSource: nil))
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(input) }
}

extension PredicateExpressions.ForceCast: SQLNode, CheckedNode {
  /// True for a cast that makes a value optional. It cannot fail.
  private static var isWrapping: Bool {
    Desired.self == Input.Output?.self && !(Input.Output.self is any OptionalValue.Type)
  }

  func term(_ translation: inout Translation) throws -> SQLTerm {
    let term = try translation.term(input)
    // A cast that fails makes Swift throw.
    guard Self.isWrapping, !term.isConstant else {
      throw Untranslatable("as! is evaluated in memory; as? has a translation")
    }
    return term
  }

  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(input) }

  func checked(_ bindings: PredicateBindings) throws -> Output {
    guard Self.isWrapping, let value = try input.checkedValue(bindings) as? Desired else {
      return try evaluate(bindings)
    }
    return value
  }
}

extension Translation {
  /// Whether a row is of a class or one below it.
  func isInstance<D>(_ model: ModelTerm, of _: D.Type) throws -> SQLFragment {
    guard let type = D.self as? any PersistentModel.Type, let entity = layout.entity(for: type)
    else { throw Untranslatable("\(D.self) is not in the schema") }
    guard entity.rootName == model.entity.rootName, !entity.discriminators.isEmpty else {
      return dialect.condition(entity.name == model.entity.name)
    }
    let column: SQLFragment =
      if let alias = model.alias {
        "\(column: entity.entityColumn, of: alias)"
      } else {
        valueBehind(model, column: entity.entityColumn)
      }
    let names = entity.discriminators.map { "\(value: .text($0))" as SQLFragment }
    return "\(column) IN (\(names.joined(separator: ", ")))"
  }
}

/// A node that is only translated when everything it meets is captured.
protocol FoldedNode: SQLNode, PredicateExpression {
  /// Why the node is evaluated in memory otherwise.
  static var reason: String { get }
}

extension FoldedNode {
  func term(_ translation: inout Translation) throws -> SQLTerm { throw Untranslatable(Self.reason) }
}

extension PredicateExpressions.SequenceMaximum: FoldedNode {
  static var reason: String { "max() runs in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(elements) }
}

extension PredicateExpressions.SequenceMinimum: FoldedNode {
  static var reason: String { "min() runs in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(elements) }
}

extension PredicateExpressions.CollectionIndexSubscript: FoldedNode {
  static var reason: String { "elements are picked in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(wrapped, index)
    visitor.visitBounds()
  }
}

extension PredicateExpressions.CollectionRangeSubscript: FoldedNode {
  static var reason: String { "slices are taken in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(wrapped, range)
    visitor.visitBounds()
  }
}

extension PredicateExpressions.DictionaryKeySubscript: FoldedNode {
  static var reason: String { "dictionaries are searched in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) { visitor.visit(wrapped, key) }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: FoldedNode {
  static var reason: String { "dictionaries are searched in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(wrapped, key)
    visitor.visit(`default`)
  }
}

// A range whose bounds depend on the row may be upside down, which is an error.

extension PredicateExpressions.Range: FoldedNode {
  static var reason: String { "a range with bounds of the row is made in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(lower, upper)
    visitor.visitBounds()
  }
}

extension PredicateExpressions.ClosedRange: FoldedNode {
  static var reason: String { "a range with bounds of the row is made in memory" }
  func inspect(_ visitor: inout some PredicateVisitor) {
    visitor.visit(lower, upper)
    visitor.visitBounds()
  }
}

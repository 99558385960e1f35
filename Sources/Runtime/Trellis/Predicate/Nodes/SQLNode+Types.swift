import Foundation

extension PredicateExpressions.TypeCheck: SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm {
    guard case .model(let model) = try translation.term(input) else {
      return try translation.folded(self, else: "the type of a value is tested in memory")
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
      return try translation.folded(self, else: "values are cast in memory")
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
    // A cast that fails makes Swift throw.
    let reason = "as! is evaluated in memory; as? has a translation"
    guard Self.isWrapping, (try? checkedValue(translation.captured)) == nil else {
      return try translation.folded(self, else: reason)
    }
    return try translation.term(input)
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

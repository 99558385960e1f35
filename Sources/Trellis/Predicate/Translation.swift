import Foundation

/// The state of translating one predicate: what its variables stand for.
struct Translation {
  let layout: StoreLayout
  let marks: StoreMarks
  let storeIdentifier: String?
  private var variables: [(key: PredicateExpressions.VariableID, term: SQLTerm)] = []
  private var aliases = 0
  /// The variables that stand for captured values.
  var captured = PredicateBindings()
  /// What came out of the tests before this place; asked only when something is force-unwrapped.
  private var assumptions: [(inout Translation) throws -> [SQLFragment]] = []

  init(_ translator: PredicateTranslator) {
    layout = translator.layout
    marks = translator.marks
    storeIdentifier = translator.storeIdentifier
  }

  /// Translates one node of a predicate's tree.
  mutating func term<E: PredicateExpression>(_ expression: E) throws -> SQLTerm {
    guard let node = expression as? any SQLNode else { throw Self.unknown(E.self) }
    return try node.term(&self)
  }

  /// The node as a condition, where NULL counts as false.
  mutating func condition<E: PredicateExpression>(_ expression: E) throws -> SQLFragment {
    try conditionTerm(expression).asCondition.sql
  }

  /// The same, not yet a text of its own.
  mutating func conditionTerm<E: PredicateExpression>(_ expression: E) throws -> ScalarTerm {
    guard let node = expression as? any SQLNode else { throw Self.unknown(E.self) }
    return try scalar(node.condition(&self))
  }

  /// A node as one SQL value; a captured value becomes a parameter.
  func scalar(_ term: SQLTerm) throws -> ScalarTerm {
    switch term {
    case .scalar(let term): return term
    case .constant(let constant): return try constant.parameter(self)
    case .model: throw Untranslatable("a model is not a value")
    case .list: throw Untranslatable("a to-many relationship is not a value")
    }
  }

  /// A node that mentions no row, evaluated once; `reason` says what it is otherwise.
  func folded<E: PredicateExpression>(_ expression: E, else reason: String) throws -> SQLTerm {
    // Foundation throws when it meets a variable without a value: then a row is needed.
    guard let value = try? expression.evaluate(captured) else {
      throw Untranslatable(reason)
    }
    return .constant(ConstantTerm(value: value, type: E.Output.self))
  }

  mutating func bind(_ key: PredicateExpressions.VariableID, to term: SQLTerm) {
    variables.append((key, term))
  }

  mutating func scoped<R>(
    _ key: PredicateExpressions.VariableID, to term: SQLTerm,
    _ body: (inout Translation) throws -> R
  ) throws -> R {
    variables.append((key, term))
    defer { variables.removeLast() }
    return try body(&self)
  }

  func term(of key: PredicateExpressions.VariableID) -> SQLTerm? {
    variables.last { $0.key == key }?.term
  }

  /// A new alias for a table in a subquery.
  mutating func alias() -> String {
    aliases += 1
    return "t\(aliases)"
  }

  /// Translates what Swift evaluates only when `test` has come out as `outcome`.
  mutating func assuming<E: PredicateExpression, R>(
    _ test: E, _ outcome: Bool, _ body: (inout Translation) throws -> R
  ) throws -> R {
    assumptions.append { try $0.presences(test, outcome) }
    defer { assumptions.removeLast() }
    return try body(&self)
  }

  /// What is not nil when a node is `outcome`.
  mutating func presences<E: PredicateExpression>(
    _ expression: E, _ outcome: Bool
  ) throws -> [SQLFragment] {
    guard let node = expression as? any SQLNode else { return [] }
    return try node.presences(when: outcome, &self)
  }

  /// Whether an earlier test says that the text is not NULL here.
  mutating func isPresent(_ sql: SQLFragment) throws -> Bool {
    for assumption in assumptions.reversed() {
      if try assumption(&self).contains(sql) { return true }
    }
    return false
  }

  static func unknown<E>(_ type: E.Type) -> Untranslatable {
    Untranslatable("\(E.self) has no translation")
  }
}

/// A node of a predicate's tree that can be asked for its SQL.
///
/// Every node type conforms, without conditions: so the part that cannot be translated is found by
/// name instead of failing the cast of the whole tree.
protocol SQLNode {
  func term(_ translation: inout Translation) throws -> SQLTerm

  /// The same where it is only asked whether it is true: NULL counts as false.
  func condition(_ translation: inout Translation) throws -> SQLTerm

  /// What is not nil whenever the node is `outcome`.
  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment]

  /// Notes what the node says about the shape of the predicate.
  func inspect(_ shape: inout PredicateShape)
}

extension SQLNode {
  func condition(_ translation: inout Translation) throws -> SQLTerm { try term(&translation) }

  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] {
    []
  }
}

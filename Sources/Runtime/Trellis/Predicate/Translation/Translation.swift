import Foundation

/// The state of translating one predicate: what its variables stand for.
struct Translation {
  let layout: StoreLayout
  let marks: ColumnFlags
  let storeIdentifier: String?
  let dialect: any SQLDialect
  private var variables: [(key: PredicateExpressions.VariableID, term: SQLTerm)] = []
  private var aliases = 0
  /// The variables that stand for captured values.
  var captured = PredicateBindings()
  /// The expressions that an earlier test proves not to be NULL here.
  private var present: [SQLFragment] = []
  /// True if the translation finds out which expressions earlier tests prove not to be NULL.
  private let notesPresences: Bool
  /// Whether something was force-unwrapped that `present` does not have.
  private(set) var missesPresence = false
  /// The number of nodes around the current one.
  fileprivate var depth = 0
  /// True if the fragments say which parameters are captured values.
  let tracksCaptured: Bool
  /// True if the translation has used captured values other than as parameters.
  fileprivate(set) var computesConstants = false
  /// True if the current node depends on a row.
  fileprivate(set) var meetsRow = false

  init(_ translator: PredicateTranslator, tracksCaptured: Bool = false, notesPresences: Bool = false) {
    self.tracksCaptured = tracksCaptured
    self.notesPresences = notesPresences
    layout = translator.layout
    marks = translator.marks
    storeIdentifier = translator.storeIdentifier
    dialect = translator.dialect
  }

  /// Translates one node of a predicate's tree.
  mutating func term<E: PredicateExpression>(_ expression: E) throws -> SQLTerm {
    guard let type = E.self as? any SQLNode.Type else { throw Self.unknown(E.self) }
    return try type.term(of: expression, &self)
  }

  /// The node as a condition, where NULL counts as false.
  mutating func condition<E: PredicateExpression>(_ expression: E) throws -> SQLFragment {
    asCondition(try conditionTerm(expression)).sql
  }

  /// The same, not yet a separate text.
  mutating func conditionTerm<E: PredicateExpression>(_ expression: E) throws -> ScalarTerm {
    guard let type = E.self as? any SQLNode.Type else { throw Self.unknown(E.self) }
    return try scalar(type.condition(of: expression, &self))
  }

  /// A condition ready to stand between ANDs.
  mutating func heldCondition<E: PredicateExpression>(_ expression: E) throws -> SQLFragment {
    asCondition(try conditionTerm(expression)).held(.and)
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

  /// A bare Bool column as a comparison, which an index can answer.
  func asCondition(_ term: ScalarTerm) -> ScalarTerm {
    guard term.scalar == .boolean, case .column = term.origin else { return term }
    var condition = term
    condition.sql = dialect.isEqual(term.sql, to: true)
    condition.binding = .comparison
    condition.origin = .expression
    return condition
  }

  /// A call of a function.
  ///
  /// - Throws: ``Untranslatable`` if the database has no function with Swift's result.
  func call(_ function: SwiftFunction, _ arguments: SQLFragment...) throws -> SQLFragment {
    guard let sql = dialect.call(function, arguments) else {
      throw Untranslatable("the database has no function '\(function.name.text)'")
    }
    return sql
  }

  /// The text of a term in a form whose bytes are equal if Swift's values are equal.
  func equatable(_ term: ScalarTerm) throws -> SQLFragment {
    term.isIrregular && term.scalar.isText ? try call(.normalized, term.sql) : term.held(.atom)
  }

  /// The value of a node that depends on captured values alone; nil if it depends on a row, or cannot be computed.
  fileprivate func folded<E: PredicateExpression>(_ expression: E) -> SQLTerm? {
    // Foundation throws when it meets a variable without a value.
    guard !meetsRow, PredicateShape(expression).depth <= PredicateDepth.foundation,
      let value = try? expression.checkedValue(captured)
    else { return nil }
    return .constant(ConstantTerm(value: value, type: E.Output.self))
  }

  mutating func bind(_ key: PredicateExpressions.VariableID, to term: SQLTerm) {
    variables.append((key, term))
  }

  mutating func scoped<R>(
    _ key: PredicateExpressions.VariableID, to term: SQLTerm,
    _ body: (inout Translation) throws -> R
  ) throws -> R {
    try inScope {
      $0.bind(key, to: term)
      return try body(&$0)
    }
  }

  /// Runs `body`, and forgets the variables and presences that it adds.
  mutating func inScope<R>(_ body: (inout Translation) throws -> R) throws -> R {
    let (variableCount, presenceCount) = (variables.count, present.count)
    defer {
      variables.removeLast(variables.count - variableCount)
      present.removeLast(present.count - presenceCount)
    }
    return try body(&self)
  }

  /// Ends the scope of the variable that was bound last.
  mutating func leave() { variables.removeLast() }

  mutating func term(of key: PredicateExpressions.VariableID) -> SQLTerm? {
    let term = variables.last { $0.key == key }?.term
    if let term, !term.isConstant { meetsRow = true }
    return term
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
    try inScope {
      try $0.notePresences(test, outcome)
      return try body(&$0)
    }
  }

  /// Assumes until the end of the scope that a node has come out as `outcome`.
  mutating func notePresences<E: PredicateExpression>(_ test: E, _ outcome: Bool) throws {
    guard notesPresences else { return }
    present += try presences(test, outcome)
  }

  /// What is not nil when a node is `outcome`.
  mutating func presences<E: PredicateExpression>(
    _ expression: E, _ outcome: Bool
  ) throws -> [SQLFragment] {
    guard let node = expression as? any SQLNode else { return [] }
    return try node.presences(when: outcome, &self)
  }

  /// Whether an earlier test says that the text is not NULL here.
  mutating func isPresent(_ sql: SQLFragment) -> Bool {
    if present.contains(sql) { return true }
    missesPresence = true
    return false
  }

  /// Calls `body` with a run's operands, also inside nested predicates, until it returns false.
  mutating func walk(
    _ run: JunctionRun, _ body: (inout Translation, any PredicateExpression<Bool>) throws -> Bool
  ) throws {
    for step in run {
      switch step {
      case .operand(let operand, _): guard try body(&self, operand) else { return }
      case .enter(let nested):
        guard let call = nested as? any NestedCall else {
          throw Untranslatable("a nested predicate has no translation")
        }
        try call.enter(&self)
      case .leave: leave()
      }
    }
  }

  static func unknown<E>(_ type: E.Type) -> Untranslatable {
    Untranslatable("\(E.self) has no translation")
  }
}

/// A node of a predicate's tree that can be asked for its SQL.
///
/// Every node type conforms, without conditions: so the part that cannot be translated is found by
/// name instead of failing the cast of the whole tree.
protocol SQLNode: SendableMetatype {
  func term(_ translation: inout Translation) throws -> SQLTerm

  /// The same where it is only asked whether it is true: NULL counts as false.
  func condition(_ translation: inout Translation) throws -> SQLTerm

  /// What is not nil whenever the node is `outcome`.
  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment]

  /// Reports the parts of the node, in the order in which they are evaluated.
  func inspect(_ visitor: inout some PredicateVisitor)

  /// True for the node of a captured value.
  static var isCapturedValue: Bool { get }
}

/// A nested predicate or expression applied to one input.
protocol NestedCall<Output>: CheckedNode, NestedCondition {
  func term(_ translation: inout Translation) throws -> SQLTerm
  func condition(_ translation: inout Translation) throws -> SQLTerm
  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment]
  func inspect(_ visitor: inout some PredicateVisitor)

  /// Has the variable of the body stand for the input, until ``Translation/leave()``.
  func enter(_ translation: inout Translation) throws

  /// Reports the input.
  func inspectInput(_ visitor: inout some PredicateVisitor)
}

extension SQLNode {
  // A node holds its whole subtree, so these do not put it into an existential, which would copy it at
  // each level.

  static func term<E: PredicateExpression>(of expression: E, _ translation: inout Translation) throws -> SQLTerm {
    try visited(expression, &translation) { try $0.term(&$1) }
  }

  static func condition<E: PredicateExpression>(of expression: E, _ translation: inout Translation) throws -> SQLTerm {
    try visited(expression, &translation) { try $0.condition(&$1) }
  }

  /// Translates a node, or evaluates it if it depends on captured values alone.
  private static func visited<E: PredicateExpression>(
    _ expression: E, _ translation: inout Translation,
    _ body: (Self, inout Translation) throws -> SQLTerm
  ) throws -> SQLTerm {
    let weight = PredicateDepth.weight(of: E.self, unit: 4_096)
    translation.depth += weight
    defer { translation.depth -= weight }
    guard translation.depth <= PredicateDepth.translated else { throw Untranslatable.tooDeep }
    let outer = translation.meetsRow
    translation.meetsRow = false
    defer { if outer { translation.meetsRow = true } }
    var term: SQLTerm
    do {
      term = try withUnsafePointer(to: expression) {
        try body(UnsafeRawPointer($0).assumingMemoryBound(to: Self.self).pointee, &translation)
      }
      if !translation.meetsRow, !term.isConstant { throw Untranslatable.captured }
    } catch let error as Untranslatable {
      guard error != .tooDeep, let folded = translation.folded(expression) else { throw error.named(E.self) }
      term = folded
    }
    if case .constant(let constant) = term, !constant.isLiteral, !isCapturedValue {
      translation.computesConstants = true
    }
    return term
  }
}

extension SQLNode {
  static var isCapturedValue: Bool { false }
  func condition(_ translation: inout Translation) throws -> SQLTerm { try term(&translation) }
  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] { [] }
}

// MARK: Models

/// Properties of rows: columns, references to other rows, lists of rows.
extension Translation {
  mutating func property(
    _ keyPath: AnyKeyPath, of model: ModelTerm, type: any Any.Type
  ) throws -> SQLTerm {
    let definition = model.entity.definition
    guard
      let property = definition.layout.property(for: keyPath)
        ?? ModelPaths.of(definition.modelType).ownIdentifier(keyPath, definition)
    else {
      if let place = definition.layout.member(for: keyPath) {
        let column = try column(place.property, of: model.entity)
        var term = value(
          of: column, column.members[place.index], place.member.type, of: model)
        term.isOptional = Swift.type(of: keyPath).valueType is any OptionalValue.Type
        return .scalar(term)
      }
      guard ModelPaths.of(definition.modelType).isIdentifier(keyPath) else {
        throw Untranslatable(
          "\(definition.entityName): \(keyPath) is not stored under this key path")
      }
      return .scalar(
        ScalarTerm(
          sql: model.key, scalar: model.identifier, isOptional: model.isOptional,
          nilSource: model.nilSource))
    }
    switch property.kind {
    case .attribute(let type): return .scalar(try attribute(property, type, of: model))
    case .toOne: return .model(try reference(property, of: model))
    case .toMany: return .list(try list(property, of: model))
    }
  }

  private func attribute(
    _ property: ModelProperty, _ type: any Any.Type, of model: ModelTerm
  ) throws -> ScalarTerm {
    let column = try column(property, of: model.entity)
    if property.attribute?.options.contains(.unknown(.default)) == true {
      throw Untranslatable("\(property.name) may hold a value that reads as its default")
    }
    var scalar = ScalarKind.of(type) ?? .opaque
    if !scalar.fits(column.type) || property.isRecoded { scalar = .opaque }
    var term = value(inColumn: column.name, scalar, isUnique: property.isUnique, of: model)
    term.isOptional = property.isOptional
    if scalar == .opaque, !property.isRecoded, column.type.affinity == .text {
      term.elements = ArrayElements.of(type)
    }
    if !column.members.isEmpty { term.flattened = .init(model: model, column: column) }
    return term
  }

  /// A property of a flattened struct.
  func value(
    of column: ColumnLayout, _ member: MemberLayout, _ type: any Any.Type, of model: ModelTerm
  ) -> ScalarTerm {
    var scalar = ScalarKind.of(type) ?? .opaque
    if !scalar.fits(member.type) { scalar = .opaque }
    var term = value(inColumn: member.name, scalar, isUnique: false, of: model)
    term.isOptional = member.type.isOptional
    return term
  }

  private func value(
    inColumn name: String, _ scalar: ScalarKind, isUnique: Bool, of model: ModelTerm
  ) -> ScalarTerm {
    var term = ScalarTerm(sql: "", scalar: scalar, nilSource: model.nilSource)
    if let alias = model.alias {
      term.sql = "\(column: name, of: alias)"
      term.origin = .column
    } else {
      term.sql = valueBehind(model, column: name)
      term.origin = .behind(
        .init(
          key: model.key, isOptional: model.isOptional || model.nilSource != nil,
          entity: model.entity, column: name, isUnique: isUnique))
    }
    if scalar.isText {
      term.isIrregular = marks.mayHoldNonNFC(model.entity.table, name)
    } else if scalar.isNumberThatMayBeNaN {
      term.isIrregular = marks.mayHoldNaN(model.entity.table, name)
    }
    return term
  }

  private func reference(
    _ property: ModelProperty, of model: ModelTerm
  ) throws -> ModelTerm {
    let column = try column(property, of: model.entity)
    guard let name = column.destination, let destination = layout.entity(named: name) else {
      throw Untranslatable("\(model.entity.name).\(property.name) leads to another store")
    }
    let key: SQLFragment =
      if let alias = model.alias {
        "\(column: column.name, of: alias)"
      } else {
        valueBehind(model, column: column.name)
      }
    return ModelTerm(
      entity: destination, key: key, isOptional: property.isOptional, nilSource: model.nilSource)
  }

  private mutating func list(_ property: ModelProperty, of model: ModelTerm) throws -> ListTerm {
    guard property.slot < model.entity.lists.count else { throw missing(property, model.entity) }
    let list = model.entity.lists[property.slot]
    guard let destination = layout.entity(named: list.destination) else {
      throw Untranslatable("\(model.entity.name).\(property.name) leads to another store")
    }
    let alias = alias()
    switch list.kind {
    case .foreignKey(let column):
      return ListTerm(
        entity: destination, alias: alias,
        from: "\(name: destination.table) AS \(name: alias)",
        conditions: ["\(column: column, of: alias) = \(model.key)"])
    case .join(let table, let owner, let member, _):
      let pairs = self.alias()
      return ListTerm(
        entity: destination, alias: alias,
        from: """
          \(name: table) AS \(name: pairs) JOIN \(name: destination.table) AS \(name: alias) \
          ON \(column: destination.keyColumn, of: alias) = \(column: member, of: pairs)
          """,
        conditions: ["\(column: owner, of: pairs) = \(model.key)"])
    }
  }

  private func column(_ property: ModelProperty, of entity: EntityLayout) throws -> ColumnLayout {
    guard property.slot >= 0, property.slot < entity.columns.count else {
      throw missing(property, entity)
    }
    return entity.columns[property.slot]
  }

  private func missing(_ property: ModelProperty, _ entity: EntityLayout) -> Untranslatable {
    Untranslatable("\(entity.name).\(property.name) is not stored")
  }

  /// A column of the row a reference leads to; NULL when it leads nowhere.
  ///
  /// The alias is the same at every depth: inside, nothing refers to an outer row by it.
  func valueBehind(_ model: ModelTerm, column: String) -> SQLFragment {
    """
    (SELECT \(column: column, of: "r") FROM \(name: model.entity.table) AS "r" \
    WHERE \(column: model.entity.keyColumn, of: "r") = \(model.key))
    """
  }
}

extension ModelProperty {
  package var isUnique: Bool { attribute?.options.contains(.unique) == true }

  /// Whether an option has the column hold something that stands for the value.
  package var isRecoded: Bool {
    guard let options = attribute?.options, !options.isEmpty else { return false }
    let recoding: Set = ["externalStorage", "transformable", "codable", "json", "flattened"]
    return options.contains { recoding.contains($0.keyword) }
  }
}

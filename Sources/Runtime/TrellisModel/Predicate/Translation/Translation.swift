import Foundation

/// The state during the translation of a predicate or an entity's expressions, such as the variables' terms.
package struct Translation {
  /// The row being tested.
  let root: ModelTerm
  let layout: StoreLayout
  let marks: ColumnFlags
  let storeIdentifier: String?
  package let dialect: any SQLDialect
  private var variables: [(key: PredicateExpressions.VariableID, term: SQLTerm)] = []
  private var aliases = 0
  /// The variables with captured values.
  var captured = PredicateBindings()
  /// The expressions that an earlier test proves to be non-NULL at this point.
  private var present: [SQLFragment] = []
  /// The number of nodes that enclose the current node.
  fileprivate var depth = 0
  /// True if the translation used captured values other than as parameters.
  fileprivate(set) var computesConstants = false
  /// True if the current node depends on a row.
  fileprivate(set) var meetsRow = false

  package init(_ translator: PredicateTranslator) {
    root = translator.root
    layout = translator.layout
    marks = translator.marks
    storeIdentifier = translator.storeIdentifier
    dialect = translator.dialect
  }

  /// Translates a node in a predicate's tree.
  ///
  /// - Parameter asCondition: True if NULL may count as false, because only the node's truth matters.
  mutating func term<E: PredicateExpression>(_ expression: E, asCondition: Bool = false) throws -> SQLTerm {
    guard let type = E.self as? any SQLNode.Type else {
      throw Untranslatable("\(E.self) has no translation")
    }
    return try type.term(of: expression, asCondition: asCondition, &self)
  }

  /// Translates a node as a condition, in which NULL counts as false.
  mutating func condition<E: PredicateExpression>(_ expression: E) throws -> ScalarTerm {
    asCondition(try scalar(term(expression, asCondition: true)))
  }

  /// Returns a term as a single SQL value. A captured value becomes a parameter.
  func scalar(_ term: SQLTerm) throws -> ScalarTerm {
    switch term {
    case .scalar(let term): return term
    case .constant(let constant): return try parameter(constant)
    case .model: throw Untranslatable("a model is not a value")
    case .list: throw Untranslatable("a to-many relationship is not a value")
    }
  }

  /// Returns a bare Bool column as a comparison, which can use an index.
  func asCondition(_ term: ScalarTerm) -> ScalarTerm {
    guard term.scalar == .boolean, case .column = term.origin else { return term }
    return term.computed(dialect.isEqual(term.sql, to: true), .comparison)
  }

  /// Returns a function call.
  ///
  /// - Throws: ``Untranslatable`` if the database has no function with Swift's result.
  package func call(_ function: SwiftFunction, _ arguments: SQLFragment...) throws -> SQLFragment {
    guard let sql = dialect.call(function, arguments) else {
      throw Untranslatable("the database has no function '\(function.name.text)'")
    }
    return sql
  }

  /// Returns a term's SQL in a form with equal bytes for equal Swift values.
  package func equatable(_ term: ScalarTerm) throws -> SQLFragment {
    term.isIrregular && term.scalar.isText ? try call(.normalized, term.sql) : term.held(.atom)
  }

  /// Returns a term's SQL in a form that sorts as Swift's values do, with NaN after every number.
  func sortable(_ term: ScalarTerm) throws -> SQLFragment {
    term.scalar == .decimal ? try call(.decimalKey, term.sql) : try equatable(term)
  }

  /// Returns the value of a node that depends only on captured values; nil if it depends on a row or cannot be
  /// computed.
  fileprivate func folded<E: PredicateExpression>(_ expression: E) -> SQLTerm? {
    // Foundation throws if a variable has no value.
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

  /// Runs `body` and then removes the variables and non-NULL expressions that it added.
  mutating func inScope<R>(_ body: (inout Translation) throws -> R) throws -> R {
    let (variableCount, presenceCount) = (variables.count, present.count)
    defer {
      variables.removeLast(variables.count - variableCount)
      present.removeLast(present.count - presenceCount)
    }
    return try body(&self)
  }

  /// Ends the most recently bound variable's scope.
  mutating func leave() { variables.removeLast() }

  mutating func term(of key: PredicateExpressions.VariableID) -> SQLTerm? {
    let term = variables.last { $0.key == key }?.term
    if let term, !term.isConstant { meetsRow = true }
    return term
  }

  /// Returns a new alias for a table in a subquery.
  mutating func alias() -> String {
    aliases += 1
    return "t\(aliases)"
  }

  /// Translates an expression that Swift evaluates only if `test` results in `outcome`.
  mutating func assuming<E: PredicateExpression, R>(
    _ test: E, _ outcome: Bool, _ body: (inout Translation) throws -> R
  ) throws -> R {
    try inScope {
      try $0.recordPresences(test, outcome)
      return try body(&$0)
    }
  }

  /// Assumes until the end of the scope that a node results in `outcome`.
  mutating func recordPresences<E: PredicateExpression>(_ test: E, _ outcome: Bool) throws {
    present += try presences(test, outcome)
  }

  /// Returns the expressions that are not nil if a node results in `outcome`.
  mutating func presences<E: PredicateExpression>(
    _ expression: E, _ outcome: Bool
  ) throws -> [SQLFragment] {
    guard let node = expression as? any SQLNode else { return [] }
    return try node.presences(when: outcome, &self)
  }

  /// Returns true if an earlier test guarantees that the expression is not NULL.
  func isPresent(_ sql: SQLFragment) -> Bool { present.contains(sql) }

  /// Calls `body` with a run's operands, including those inside nested predicates, until it returns false.
  mutating func walk(
    _ run: JunctionRun, _ body: (inout Translation, any PredicateExpression<Bool>) throws -> Bool
  ) throws {
    for step in run {
      switch step {
      case .operand(let operand, _): guard try body(&self, operand) else { return }
      case .enter(let nested): try nested.enter(&self)
      case .leave: leave()
      }
    }
  }
}

/// A node in a predicate's tree that can be translated to SQL, inspected, and evaluated in memory.
///
/// Every node type conforms unconditionally. An untranslatable part can therefore be named, instead of making the cast
/// of the whole tree fail.
package protocol SQLNode: PredicateExpression, SendableMetatype {
  func term(_ translation: inout Translation) throws -> SQLTerm

  /// Translates the node as a condition, in which NULL counts as false.
  func condition(_ translation: inout Translation) throws -> SQLTerm

  /// Returns the expressions that are not nil whenever the node's result is `outcome`.
  func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment]

  /// Reports the node's parts in evaluation order.
  func inspect(_ shape: inout PredicateShape)

  /// Returns the node's value. Throws an error where Foundation's evaluation would stop the process: for an integer
  /// overflow, a division by zero, or a range with reversed bounds.
  func checked(_ bindings: PredicateBindings) throws -> Output

  /// True for a captured value's node.
  static var isCapturedValue: Bool { get }
}

/// An operator with two operands.
package protocol BinaryNode: SQLNode {
  associatedtype LHS: PredicateExpression
  associatedtype RHS: PredicateExpression
  var lhs: LHS { get }
  var rhs: RHS { get }
}

extension BinaryNode {
  package func inspect(_ shape: inout PredicateShape) { shape.visit(lhs, rhs) }
}

/// A nested predicate or expression applied to a single input.
package protocol NestedCall<Output>: SQLNode {
  /// The body as a condition; nil if the value is not a Bool.
  var condition: (any PredicateExpression<Bool>)? { get }

  /// Returns bindings in which the body's variable has the input's value.
  func bindings(_ outer: PredicateBindings) throws -> PredicateBindings

  /// Binds the body's variable to the input until ``Translation/leave()``.
  func enter(_ translation: inout Translation) throws

  /// Reports the input.
  func inspectInput(_ shape: inout PredicateShape)
}

/// A node that may be a nested predicate or expression.
protocol NestedCallNode {
  /// The predicate or expression that this node represents, with the input; nil for any other node.
  var nestedCall: (any NestedCall)? { get }
}

extension PredicateExpression {
  /// Returns the node's value.
  ///
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` if Foundation would stop the process.
  func checkedValue(_ bindings: PredicateBindings) throws -> Output {
    guard let type = Self.self as? any SQLNode.Type else { return try evaluate(bindings) }
    return try type.checked(self, bindings)
  }
}

extension SQLNode {
  // A node contains the whole subtree. These functions avoid existentials, which would copy the subtree at each level.

  static func inspect<E: PredicateExpression>(_ expression: E, _ shape: inout PredicateShape) {
    withUnsafePointer(to: expression) {
      UnsafeRawPointer($0).assumingMemoryBound(to: Self.self).pointee.inspect(&shape)
    }
  }

  fileprivate static func checked<E: PredicateExpression>(
    _ expression: E, _ bindings: PredicateBindings
  ) throws -> E.Output {
    try withUnsafePointer(to: expression) {
      let value = try UnsafeRawPointer($0).assumingMemoryBound(to: Self.self).pointee.checked(bindings)
      return unsafeBitCast(value, to: E.Output.self)
    }
  }

  /// Translates a node, or evaluates it if it depends only on captured values.
  fileprivate static func term<E: PredicateExpression>(
    of expression: E, asCondition: Bool, _ translation: inout Translation
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
        let node = UnsafeRawPointer($0).assumingMemoryBound(to: Self.self)
        return try asCondition ? node.pointee.condition(&translation) : node.pointee.term(&translation)
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
  package static var isCapturedValue: Bool { false }
  package func term(_ translation: inout Translation) throws -> SQLTerm {
    throw Untranslatable("this expression is evaluated in memory")
  }
  package func checked(_ bindings: PredicateBindings) throws -> Output { try evaluate(bindings) }
  package func condition(_ translation: inout Translation) throws -> SQLTerm { try term(&translation) }
  package func presences(when outcome: Bool, _ translation: inout Translation) throws -> [SQLFragment] { [] }
}

// MARK: Models

/// Row properties: columns, references to other rows, lists of rows.
extension Translation {
  mutating func property(_ keyPath: AnyKeyPath, of model: ModelTerm) throws -> SQLTerm {
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
      return .scalar(model.identity)
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
      throw Untranslatable("\(property.name) may contain a value that is read as the default value")
    }
    var scalar = ScalarKind.of(type) ?? .opaque
    if !scalar.fits(column.type) || property.isRecoded { scalar = .opaque }
    var term = value(inColumn: column.name, scalar, isUnique: property.isUnique, of: model)
    term.isOptional = property.isOptional
    if scalar == .opaque, !property.isRecoded, column.type.affinity == .text {
      term.elements = ScalarKind.elements(of: type)
    }
    if !column.members.isEmpty { term.flattened = (model, column) }
    return term
  }

  /// Returns a flattened struct's property.
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
    var term = ScalarTerm(sql: sql(ofColumn: name, model), scalar: scalar, nilSource: model.nilSource)
    if model.alias != nil {
      term.origin = .column
    } else if isUnique {
      term.origin = .behind(
        .init(
          key: model.key, isOptional: model.isOptional || model.nilSource != nil, entity: model.entity, column: name))
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
      throw Untranslatable("\(model.entity.name).\(property.name) refers to another store")
    }
    return ModelTerm(
      entity: destination, key: sql(ofColumn: column.name, model), isOptional: property.isOptional,
      nilSource: model.nilSource)
  }

  private mutating func list(_ property: ModelProperty, of model: ModelTerm) throws -> ListTerm {
    guard property.slot < model.entity.lists.count else { throw missing(property, model.entity) }
    let list = model.entity.lists[property.slot]
    guard let destination = layout.entity(named: list.destination) else {
      throw Untranslatable("\(model.entity.name).\(property.name) refers to another store")
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

  /// Returns a row's column; NULL if the referenced row does not exist.
  ///
  /// The alias is the same at every depth, because no nested expression refers to an outer row by this alias.
  func sql(ofColumn column: String, _ model: ModelTerm) -> SQLFragment {
    if let alias = model.alias { return "\(column: column, of: alias)" }
    return """
      (SELECT \(column: column, of: "r") FROM \(name: model.entity.table) AS "r" \
      WHERE \(column: model.entity.keyColumn, of: "r") = \(model.key))
      """
  }
}

extension ModelProperty {
  package var isUnique: Bool { attribute?.options.contains(.unique) == true }

  /// True if the storage options replace the column value with a different form.
  package var isRecoded: Bool {
    guard let options = attribute?.options, !options.isEmpty else { return false }
    let recoding: Set = ["externalStorage", "transformable", "codable", "json", "flattened"]
    return options.contains { recoding.contains($0.keyword) }
  }
}

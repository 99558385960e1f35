import Foundation

/// The properties that a predicate's nodes and captured values determine, found in a single walk from the root to the
/// leaves.
///
///     #Predicate<Trip> { $0.destination == city }   // one signature for every city except ""
///
/// Predicates with equal signatures share their statements. The expression type encodes the operators and their
/// nesting. The signature adds the remaining information: key paths, the kinds of comparisons, the positions at which
/// variables are read, and every aspect of captured values that changes a statement's text. Two captured values that
/// are equal in one predicate are equal in all predicates with the same signature, so parameters can be found by value.
package struct PredicateShape {
  // MARK: the signature

  /// The node types in visiting order.
  private(set) var nodes: [Node]
  private var visitedNodes = 0
  private(set) var words: [Int] = []
  /// The captured values in column form.
  private(set) var values: [SQLValue] = []
  /// The captured identifier, if it is the only value.
  private(set) var identifier: PersistentIdentifier?
  /// The values that a statement uses as parameters. Each is represented by the position of the first equal value.
  private(set) var parameters: [Int] = []
  /// The nested closures' variables, in order of appearance.
  private var variables: [PredicateExpressions.VariableID] = []
  /// False if the statement depends on more than the signature, or if no signature was requested.
  private(set) var isSigned: Bool
  /// Deeper predicates are composed at run time and rarely repeated.
  private static let maximumSignedLevel = 100

  // MARK: reads

  /// The properties that are read from the row and from other values.
  package private(set) var reads: [Read] = []
  /// True if a predicate part cannot be inspected and may read any property.
  package private(set) var isOpaque = false
  /// True if the predicate captures temporary identifiers.
  package private(set) var capturesTemporaryIdentifiers = false
  /// The nesting depth; the greatest integer if the visit did not reach all nodes.
  private(set) var depth = 0
  /// The number of nodes that enclose the current node.
  private var level = 0
  /// The number of enclosing nodes into which the visit does not recurse.
  private var skipped = 0
  /// The variables that represent the row itself.
  private var rows: [PredicateExpressions.VariableID] = []
  /// The number of the last visited node that represents the row.
  private var rowNode = -1

  /// A cached node type. Looking up a conformance takes longer than the rest of the walk.
  struct Node: Sendable {
    let type: ObjectIdentifier
    let node: any SQLNode.Type
  }

  /// A property that is read.
  package struct Read {
    package let keyPath: AnyKeyPath
    package let root: any Any.Type
    /// True for the row's own property.
    let isOwn: Bool

    package var model: (any PersistentModel.Type)? { root as? any PersistentModel.Type }
    fileprivate var wrapped: any Any.Type { wrappedType(of: type(of: keyPath).valueType) }
  }

  /// Creates a predicate's shape with a signature.
  ///
  /// - Parameter nodes: The node types, if they are known from an earlier predicate with the same expression type.
  init<T>(signing predicate: Predicate<T>, nodes: [Node]) {
    self.nodes = nodes
    isSigned = true
    rows = [predicate.variable.key]
    words.reserveCapacity(12)
    reads.reserveCapacity(2)
    visit(predicate.expression)
  }

  package init<T>(_ predicate: Predicate<T>) { self.init(predicate.expression, rows: [predicate.variable.key]) }

  /// Creates a shape for a predicate part, which has no row.
  init(_ expression: any PredicateExpression, rows: [PredicateExpressions.VariableID] = []) {
    nodes = []
    isSigned = false
    self.rows = rows
    visit(expression)
  }

  /// True if the result depends on other rows' values, so that pending changes in those rows matter.
  var crossesRelationships: Bool {
    isOpaque
      || reads.contains { read in
        guard let model = read.model else { return false }
        return read.isOwn ? read.wrapped is any ModelArray.Type : !ModelPaths.of(model).isIdentifier(read.keyPath)
      }
  }

  /// True if the predicate reads one of the row's own to-one relationships, which is nil if the destination is deleted.
  var readsReferences: Bool { reads.contains { $0.isOwn && $0.model != nil && $0.wrapped is any PersistentModel.Type } }
}

/// The walk. Each node reports its parts in evaluation order; see ``SQLNode/inspect(_:)``.
extension PredicateShape {
  mutating func visit<E: PredicateExpression>(_ expression: E) {
    let weight = PredicateDepth.weight(of: E.self)
    level += weight
    defer { level -= weight }
    if level > Self.maximumSignedLevel { isSigned = false }
    guard level <= PredicateDepth.maximum else {
      // The skipped part may contain anything.
      (isSigned, isOpaque, depth, capturesTemporaryIdentifiers) = (false, true, .max, true)
      return
    }
    depth = max(depth, level + skipped)
    guard let type = node(E.self) else {
      (isSigned, isOpaque) = (false, true)
      return
    }
    type.inspect(expression, &self)
  }

  mutating func visit<L: PredicateExpression, R: PredicateExpression>(_ lhs: L, _ rhs: R) {
    visit(lhs)
    visit(rhs)
  }

  /// Visits a closure that is called with a node's values.
  mutating func visit<I: PredicateExpression, T, B: PredicateExpression>(
    _ input: I, _ variable: PredicateExpressions.Variable<T>, _ body: B
  ) {
    visit(input)
    visitVariable(variable.key)
    visit(body)
  }

  /// Returns a node type as a translatable node type; nil if it has no translation.
  private mutating func node(_ type: any Any.Type) -> (any SQLNode.Type)? {
    let position = visitedNodes
    visitedNodes += 1
    if position < nodes.count, nodes[position].type == ObjectIdentifier(type) { return nodes[position].node }
    guard let node = type as? any SQLNode.Type else { return nil }
    if isSigned, position == nodes.count { nodes.append(Node(type: ObjectIdentifier(type), node: node)) }
    return node
  }

  /// Visits `&&` or `||` operands. Their number is unlimited, except in a signature.
  mutating func visitJunction(_ junction: some PredicateJunction) {
    if isSigned { return visit(junction.lhs, junction.rhs) }
    let outer = skipped
    defer { skipped = outer }
    for step in JunctionRun(junction) {
      switch step {
      case .operand(let operand, let depth):
        skipped = outer + depth - 1
        visit(operand)
      case .enter(let nested): nested.inspectInput(&self)
      case .leave: break
      }
    }
  }

  mutating func visitVariable(_ key: PredicateExpressions.VariableID) {
    let isRow = rows.contains(key)
    if isRow { rowNode = visitedNodes }
    guard isSigned else { return }
    // Each predicate numbers its variables independently, so only the order of appearance counts.
    guard !isRow else { return words.append(0) }
    let known = variables.firstIndex(of: key)
    words.append(1 + (known ?? variables.count))
    if known == nil { variables.append(key) }
  }

  /// Visits `root`, then records the property read from its value.
  mutating func visitKeyPath<R: PredicateExpression>(_ keyPath: AnyKeyPath, of root: R) {
    let isOwn = visitInput(root)
    reads.append(Read(keyPath: keyPath, root: R.Output.self, isOwn: isOwn))
  }

  /// Visits a node. Avoids a cast to the variable type, which would cost as much as the rest of a short walk.
  ///
  /// - Returns: True if the node represents the row itself.
  private mutating func visitInput<R: PredicateExpression>(_ node: R) -> Bool {
    let number = visitedNodes + 1
    visit(node)
    return rowNode == number
  }

  mutating func visitCaptured<V>(_ value: V) {
    guard isSigned, let captured = CapturedValue(value) else {
      // Statements are not shared for temporary identifiers.
      isSigned = false
      if CapturedIdentifiers.holdsTemporary(value) { capturesTemporaryIdentifiers = true }
      return
    }
    let position = values.firstIndex { $0.isIdentical(to: captured.value) } ?? values.count
    words.append(captured.kind)
    words.append(position)
    if captured.isParameter { parameters.append(position) }
    identifier = values.isEmpty ? captured.identifier : nil
    values.append(captured.value)
  }

  /// Adds an operator number that the node type does not encode.
  mutating func visitOperator(_ number: Int) {
    if isSigned { words.append(number) }
  }

  /// Visits a node that selects an operation by a value that is not reported.
  mutating func visitDynamicCall() { isSigned = false }

  /// Visits a nested predicate's input, which is represented by a variable. The nested predicate's type is not in the
  /// enclosing type.
  mutating func enter<I: PredicateExpression>(_ key: PredicateExpressions.VariableID, standingFor input: I) {
    let isRow = visitInput(input)
    isSigned = false
    rows.removeAll { $0 == key }
    if isRow { rows.append(key) }
  }
}

extension SQLValue {
  /// Returns true if both values are interchangeable in a statement. 0 and -0 are equal but not identical.
  func isIdentical(to other: SQLValue) -> Bool {
    if case .real(let number) = self, case .real(let other) = other {
      return number.bitPattern == other.bitPattern
    }
    return self == other
  }
}

// MARK: Captured values

/// A captured value in column form, and the kind that determines the statement's text.
struct CapturedValue {
  let value: SQLValue
  /// Statements for values of the same kind have the same text.
  var kind = 0
  /// False if the kind determines the value.
  var isParameter = true
  var identifier: PersistentIdentifier?
}

extension CapturedValue {
  private static let nullValue = CapturedValue(value: .null, kind: 1, isParameter: false)

  /// Creates a captured value; nil for a type that shared statements do not support.
  init?<V>(_ value: V) {
    let known =
      Self.of(value, PersistentIdentifier.self, Self.identifier) ?? Self.of(value, String.self, Self.text)
      ?? Self.of(value, Int.self) { Self.integer(Int64($0)) }
      ?? Self.of(value, Bool.self, Self.truthValue) ?? Self.of(value, Double.self, Self.number)
      ?? Self.of(value, Date.self) { Self.number($0.timeIntervalSinceReferenceDate) }
      ?? Self.of(value, UUID.self) { CapturedValue(value: .text(Hexadecimal.text($0))) }
      ?? Self.of(value, Int64.self, Self.integer)
      ?? Self.of(value, Int32.self) { Self.integer(Int64($0)) } ?? Self.rawValue(of: value)
    guard let known else { return nil }
    self = known
  }

  /// Returns the captured value if it has the given type or is an optional with that type. Comparing types costs less
  /// than a cast.
  @inline(__always) private static func of<V, K>(
    _ value: V, _: K.Type, _ captured: (K) -> CapturedValue?
  ) -> CapturedValue? {
    if V.self == K.self { return captured(unsafeBitCast(value, to: K.self)) }
    guard V.self == K?.self else { return nil }
    guard let value = unsafeBitCast(value, to: K?.self) else { return nullValue }
    return captured(value)
  }

  /// Returns an enum's or optional enum's raw value.
  private static func rawValue<V>(of value: V) -> CapturedValue? {
    let type = wrappedType(of: V.self)
    guard type is any RawRepresentable.Type else { return nil }
    // Values with equal raw values may differ in other properties.
    func open<R: RawRepresentable>(_ raw: R) -> CapturedValue? {
      var captured = CapturedValue(raw.rawValue)
      captured?.isParameter = true
      return captured
    }
    guard let raw = value as? any RawRepresentable else { return nullValue }
    return open(raw)
  }

  private static func integer(_ number: Int64) -> CapturedValue { CapturedValue(value: .integer(number)) }

  private static func number(_ number: Double) -> CapturedValue {
    let isNaN = number.isNaN
    return CapturedValue(value: SQLValue(number: number), kind: isNaN ? 2 : 0, isParameter: !isNaN)
  }

  private static func text(_ text: String) -> CapturedValue {
    let isEmpty = text.isEmpty
    return CapturedValue(
      value: .text(TextRules.normalized(text)), kind: isEmpty ? 3 : 0, isParameter: !isEmpty)
  }

  /// Bools determine which operands a statement needs.
  private static func truthValue(_ value: Bool) -> CapturedValue {
    CapturedValue(value: .integer(value ? 1 : 0), kind: value ? 5 : 4, isParameter: false)
  }

  /// The kind contains the table, because rows in other tables match nothing. Nil for a temporary identifier, because
  /// the row depends on the context.
  private static func identifier(_ identifier: PersistentIdentifier) -> CapturedValue? {
    guard !identifier.isTemporary else { return nil }
    let kind = 8 + Int(identifier.token.number) * 2 + (identifier.row == nil ? 1 : 0)
    return CapturedValue(
      value: identifier.row.map { .integer($0) } ?? .noRow, kind: kind, identifier: identifier)
  }
}

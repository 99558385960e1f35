import Foundation

/// Identifies the statements of a predicate: predicates with equal signatures share them.
///
///     #Predicate<Trip> { $0.destination == city }   // one signature, whatever the city, unless it is ""
///
/// The type of an expression spells out its operators and their nesting. The signature adds what the
/// type does not say: key paths, the kinds of comparisons, which variable is read where, and of the
/// captured values everything that changes the text of a statement. Two captured values that are equal
/// in one predicate are equal in all of the signature, so a parameter is found by its value.
struct PredicateSignature: PredicateVisitor {
  /// The types of the nodes, in the order of the walk.
  private(set) var nodes: [Node]
  private var visitedNodes = 0
  private(set) var words: [Int] = []
  private(set) var keyPaths: [AnyKeyPath] = []
  /// The captured values as columns store them.
  private(set) var values: [SQLValue] = []
  /// The captured identifier, if it is the only value.
  private(set) var identifier: PersistentIdentifier?
  /// The values that a statement takes as parameters, each by the position of the first equal value.
  private(set) var parameters: [Int] = []
  private let row: PredicateExpressions.VariableID
  var level = 0
  /// A deeper predicate is composed by a program, hardly ever twice.
  static let maximumLevel = 100
  /// The variables of nested closures, in order of appearance.
  private var variables: [PredicateExpressions.VariableID] = []
  /// False when the statement depends on more than the signature.
  private(set) var isComplete = true

  /// A node type that was looked up: the search for a conformance takes longer than the rest of the walk.
  struct Node: Sendable {
    let type: ObjectIdentifier
    let node: any SQLNode.Type
  }

  /// - Parameter nodes: the types of the nodes, if they are known from another predicate with an expression of this type.
  init<E: PredicateExpression>(_ expression: E, of row: PredicateExpressions.VariableID, nodes: [Node]) {
    self.nodes = nodes
    self.row = row
    words.reserveCapacity(12)
    keyPaths.reserveCapacity(2)
    visit(expression)
  }

  mutating func node(_ type: any Any.Type) -> (any SQLNode.Type)? {
    let position = visitedNodes
    visitedNodes += 1
    if position < nodes.count, nodes[position].type == ObjectIdentifier(type) { return nodes[position].node }
    guard let node = type as? any SQLNode.Type else { return nil }
    if position == nodes.count { nodes.append(Node(type: ObjectIdentifier(type), node: node)) }
    return node
  }

  mutating func visitUnknown() { isComplete = false }
  mutating func visitDynamicCall() { isComplete = false }

  mutating func visitVariable(_ key: PredicateExpressions.VariableID) {
    // Each predicate numbers its variables independently: only their order of appearance counts.
    guard key != row else { return words.append(0) }
    let known = variables.firstIndex(of: key)
    words.append(1 + (known ?? variables.count))
    if known == nil { variables.append(key) }
  }

  mutating func visitKeyPath<R: PredicateExpression>(
    _ keyPath: AnyKeyPath, of root: R, value: any Any.Type
  ) {
    keyPaths.append(keyPath)
  }

  mutating func visitOperator(_ number: Int) { words.append(number) }

  mutating func visitCaptured<V>(_ value: V) {
    guard let captured = CapturedValue(value) else { return isComplete = false }
    let position = values.firstIndex { $0.isIdentical(to: captured.value) } ?? values.count
    words.append(captured.kind)
    words.append(position)
    if captured.isParameter { parameters.append(position) }
    identifier = values.isEmpty ? captured.identifier : nil
    values.append(captured.value)
  }

  mutating func enter<I: PredicateExpression>(
    _ key: PredicateExpressions.VariableID, standingFor input: I
  ) {
    // The type of the nested predicate is not part of the type around it.
    isComplete = false
  }
}

extension SQLValue {
  /// Whether a statement that takes one value may take the other: 0 and -0 are equal but not identical.
  func isIdentical(to other: SQLValue) -> Bool {
    if case .real(let number) = self, case .real(let other) = other {
      return number.bitPattern == other.bitPattern
    }
    return self == other
  }
}

// MARK: Captured values

/// A captured value as a column stores it, and the kind that decides about the text of a statement.
struct CapturedValue {
  let value: SQLValue
  /// Statements for values of one kind have one text.
  let kind: Int
  /// False when the kind determines the value.
  let isParameter: Bool
  private(set) var identifier: PersistentIdentifier?

  private static let null = CapturedValue(value: .null, kind: 1, isParameter: false)

  private init(value: SQLValue, kind: Int = 0, isParameter: Bool = true) {
    self.value = value
    self.kind = kind
    self.isParameter = isParameter
  }

  /// Nil for a type whose values have no place in a shared statement.
  init?<V>(_ value: V) {
    let known =
      Self.of(value, PersistentIdentifier.self, Self.identifier) ?? Self.of(value, String.self, Self.text)
      ?? Self.of(value, Int.self) { Self.integer(Int64($0)) }
      ?? Self.of(value, Bool.self, Self.boolean) ?? Self.of(value, Double.self, Self.number)
      ?? Self.of(value, Date.self) { Self.number($0.timeIntervalSinceReferenceDate) }
      ?? Self.of(value, UUID.self) { CapturedValue(value: .text(Hexadecimal.text($0))) }
      ?? Self.of(value, Int64.self, Self.integer)
      ?? Self.of(value, Int32.self) { Self.integer(Int64($0)) } ?? Self.rawValue(of: value)
    guard let known else { return nil }
    self = known
  }

  /// The value if it is of a type, or an optional of it. Comparing types costs less than a cast.
  @inline(__always) private static func of<V, K>(
    _ value: V, _: K.Type, _ captured: (K) -> CapturedValue?
  ) -> CapturedValue? {
    if V.self == K.self { return captured(unsafeBitCast(value, to: K.self)) }
    guard V.self == K?.self else { return nil }
    guard let value = unsafeBitCast(value, to: K?.self) else { return null }
    return captured(value)
  }

  /// The raw value of an enum, or of an optional enum.
  private static func rawValue<V>(of value: V) -> CapturedValue? {
    let type = wrappedType(of: V.self)
    guard type is any RawRepresentable.Type else { return nil }
    func open<R: RawRepresentable>(_ raw: R) -> CapturedValue? { CapturedValue(raw.rawValue) }
    guard let raw = value as? any RawRepresentable else { return null }
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

  /// Bools decide which operands a statement needs.
  private static func boolean(_ value: Bool) -> CapturedValue {
    CapturedValue(value: .integer(value ? 1 : 0), kind: value ? 5 : 4, isParameter: false)
  }

  /// The kind names the table, because rows of other tables match nothing. Nil for a temporary identifier, whose row
  /// depends on the context.
  private static func identifier(_ identifier: PersistentIdentifier) -> CapturedValue? {
    guard !identifier.isTemporary else { return nil }
    let kind = 8 + Int(identifier.token.number) * 2 + (identifier.row == nil ? 1 : 0)
    var captured = CapturedValue(value: identifier.row.map { .integer($0) } ?? .noRow, kind: kind)
    captured.identifier = identifier
    return captured
  }
}

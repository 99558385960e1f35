import SchemaSyntax

/// The names that a closure of a predicate defines: parameters and constants.
struct PredicateScope {
  enum Binding {
    /// A parameter of a closure in the expansion.
    case variable(String)
    /// A constant of the source with a value of the model: the node takes its place.
    case node(PredicateEmitter.Node)
  }

  private(set) var bindings: [String: Binding] = [:]
  /// True in the body of an `if`, an `else` or a `guard`.
  private(set) var isBranch = false

  var branching: PredicateScope {
    var copy = self
    copy.isBranch = true
    return copy
  }

  /// The base of an optional chain inside the closure that unwraps it. No name is spelled so.
  static let unwrapped = "?"

  subscript(name: String) -> Binding? { bindings[name] }

  func adding(_ name: String, _ binding: Binding) -> PredicateScope {
    var copy = self
    copy.bindings[name] = binding
    return copy
  }

  func removing(_ name: String) -> PredicateScope {
    var copy = self
    copy.bindings[name] = nil
    return copy
  }

  /// True if an expression uses no name of this scope.
  func isClosed(_ expression: ExpressionSyntax, _ parser: ExpressionParser) -> Bool {
    switch expression.kind {
    case .name(let name): bindings[name] == nil
    case .nilLiteral: true
    case .literal, .opaque: !mentions(expression.range, parser)
    case .parenthesized(let content), .member(let content, _), .optional(let content), .forced(let content),
      .prefix(_, let content), .cast(let content, _, _), .effect(_, let content):
      isClosed(content, parser)
    case .call(let callee, let arguments), .subscript(let callee, let arguments):
      isClosed(callee, parser) && arguments.allSatisfy { isClosed($0.value, parser) }
    case .binary(let left, _, let right): isClosed(left, parser) && isClosed(right, parser)
    case .ternary(let condition, let first, let second):
      isClosed(condition, parser) && isClosed(first, parser) && isClosed(second, parser)
    case .closure(let closure): isClosed(closure.body, inside(closure), parser)
    case .condition(let condition): isClosed(condition, parser)
    }
  }

  /// The scope inside a closure, whose parameters hide others.
  private func inside(_ closure: ClosureSyntax) -> PredicateScope {
    (closure.parameters ?? ["$0"]).reduce(self) { $0.removing($1) }
  }

  private func isClosed(_ body: [StatementSyntax], _ scope: PredicateScope, _ parser: ExpressionParser) -> Bool {
    var scope = scope
    for statement in body {
      switch statement.kind {
      case .value(let value, _): guard scope.isClosed(value, parser) else { return false }
      case .constant(let name, _, let value):
        guard scope.isClosed(value, parser) else { return false }
        scope = scope.removing(name)
      case .condition(let condition): guard scope.isClosed(condition, parser) else { return false }
      case .guard(let conditions, let body):
        guard isClosed(conditions, body, &scope, parser) else { return false }
      }
    }
    return true
  }

  private func isClosed(_ condition: IfSyntax, _ parser: ExpressionParser) -> Bool {
    var scope = self
    return isClosed(condition.conditions, condition.otherwise ?? [], &scope, parser)
      && isClosed(condition.body, scope, parser)
  }

  /// - Parameter scope: the scope behind the conditions.
  private func isClosed(
    _ conditions: [ConditionSyntax], _ otherwise: [StatementSyntax], _ scope: inout PredicateScope,
    _ parser: ExpressionParser
  ) -> Bool {
    guard isClosed(otherwise, scope, parser) else { return false }
    for condition in conditions {
      switch condition {
      case .test(let test): guard scope.isClosed(test, parser) else { return false }
      case .binding(let name, let value):
        guard scope.isClosed(value, parser) else { return false }
        scope = scope.removing(name)
      }
    }
    return true
  }

  /// True if a range of text contains a name of this scope, also inside the interpolation of a string. The names of
  /// members and the labels of arguments are no such names.
  func mentions(_ range: Range<Int>, _ parser: ExpressionParser) -> Bool {
    for (index, token) in parser.tokens.enumerated()
    where Int(token.start) >= range.lowerBound && Int(token.end) <= range.upperBound {
      if token.kind == .identifier, bindings[parser.name(token)] != nil {
        let isMember = index > 0 && parser.tokens[index - 1].kind == .period
        if !isMember, !isLabel(index, parser) { return true }
      }
      if token.kind == .string, mentionsInterpolated(parser.text(token)) { return true }
    }
    return false
  }

  /// True for the label of an argument. The keys of a dictionary have a colon behind them as well.
  private func isLabel(_ index: Int, _ parser: ExpressionParser) -> Bool {
    guard index > 0, index + 1 < parser.tokens.count, parser.tokens[index + 1].kind == .colon,
      [.leftParen, .comma].contains(parser.tokens[index - 1].kind)
    else { return false }
    var open = 0
    for token in parser.tokens[..<index].reversed() {
      switch token.kind {
      case .rightParen, .rightBracket, .rightBrace: open += 1
      case .leftParen, .leftBracket, .leftBrace:
        guard open == 0 else {
          open -= 1
          continue
        }
        return token.kind == .leftParen
      default: break
      }
    }
    return false
  }

  /// True if an interpolation of a string contains a name of this scope.
  private func mentionsInterpolated(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let hashes = bytes.prefix { $0 == UInt8(ascii: "#") }
    let opening = [UInt8(ascii: "\\")] + hashes + [UInt8(ascii: "(")]
    var index = 0
    while index + opening.count <= bytes.count {
      guard bytes[index..<(index + opening.count)].elementsEqual(opening) else {
        index += 1
        continue
      }
      // From the parenthesis to the one that closes it.
      var inner = ExpressionParser(String(decoding: bytes[(index + opening.count - 1)...], as: UTF8.self))
      inner.skipBalanced()
      let end = inner.position > 0 ? Int(inner.tokens[inner.position - 1].end) : 0
      if mentions(0..<end, inner) { return true }
      index += opening.count
    }
    return false
  }
}

import SchemaSyntax
import SwiftSource

/// The names that a predicate's closure defines: parameters and constants.
struct PredicateScope {
  enum Binding {
    /// A closure parameter in the expansion.
    case variable(String)
    /// A source constant with a value that depends on the model. The node replaces the name.
    case node(PredicateEmitter.Node)
    /// A source constant with a captured value, by its name in the expansion. The original name could hide a name that
    /// the expansion uses.
    case value(String)
    /// A source constant after a condition, with a captured value that can stop the process. The node replaces the
    /// name. In copied text, the name of a `lazy var` in the expansion is used.
    case deferred(PredicateEmitter.Node, String)
  }

  private(set) var bindings: [String: Binding] = [:]
  /// True after a condition. A value that can stop the process is not read there when the predicate is created.
  private(set) var isConditional = false
  /// The kinds of operation that can trap and are therefore rejected in a value that is read when the predicate is
  /// created.
  private(set) var excluded = Trap.unwrapping

  var conditional: PredicateScope {
    var copy = self
    copy.isConditional = true
    return copy
  }

  /// The scope in which a constant's value is evaluated.
  var constant: PredicateScope {
    var copy = self
    if isConditional { copy.excluded = .any }
    return copy
  }

  /// The name for the base of an optional chain, inside the closure that unwraps it. No source name is spelled like
  /// this.
  static let unwrapped = "?"

  subscript(name: String) -> Binding? { bindings[name] }

  func adding(_ name: String, _ binding: Binding) -> PredicateScope {
    var copy = self
    copy.bindings[name] = binding
    return copy
  }

  /// Returns true if the name's value depends on the model.
  func isOpen(_ name: String) -> Bool {
    switch bindings[name] {
    case .variable, .node: true
    case .value, .deferred, nil: false
    }
  }

  func isDeferred(_ name: String) -> Bool { if case .deferred = bindings[name] { true } else { false } }

  /// Returns the first name with a deferred value in a text range.
  func deferred(in range: Range<Int>, _ parser: ExpressionParser) -> Range<Int>? {
    parser.names(in: range).first { isDeferred($0.name) }?.place
  }

  func removing(_ name: String) -> PredicateScope {
    var copy = self
    copy.bindings[name] = nil
    return copy
  }

  /// Returns true if an expression uses no name in this scope that depends on the model.
  func isClosed(_ expression: ExpressionSyntax, _ parser: ExpressionParser) -> Bool {
    switch expression.kind {
    case .name(let name): !isOpen(name)
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
    case .closure(let closure):
      closure.captures.allSatisfy { isClosed($0.value, parser) } && isClosed(closure.body, inside(closure), parser)
    case .condition(let condition): isClosed(condition, parser)
    }
  }

  /// Returns the scope inside a closure, in which parameters and captures hide outer names.
  private func inside(_ closure: ClosureSyntax) -> PredicateScope {
    ((closure.parameters ?? ["$0"]) + closure.captures.map(\.name)).reduce(self) { $0.removing($1) }
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

  /// - Parameter scope: The scope after the conditions.
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
}

/// Names in expression text.
extension PredicateScope {
  /// Returns true if a text range contains a name whose value depends on the model, including string interpolations.
  func mentions(_ range: Range<Int>, _ parser: ExpressionParser) -> Bool {
    parser.names(in: range).contains { isOpen($0.name) }
  }

  /// Returns the text of an expression that does not use the model, with constants renamed as in the expansion.
  func text(_ range: Range<Int>, _ parser: ExpressionParser) -> Code {
    var text = ""
    var end = range.lowerBound
    for (name, place) in parser.names(in: range) {
      switch bindings[name] {
      case .value(let own), .deferred(_, let own):
        text += parser.text(end..<place.lowerBound) + own
        end = place.upperBound
      case .variable, .node, nil: continue
      }
    }
    return "\(carried: text + parser.text(end..<range.upperBound))"
  }
}

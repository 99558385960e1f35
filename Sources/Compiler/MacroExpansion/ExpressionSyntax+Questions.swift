import SchemaSyntax
import SwiftSource

extension ExpressionSyntax {
  /// Splits an optional chain at the last `?` into the base and the remaining members; `nil` if there is no `?`.
  package var optionalChain: (base: ExpressionSyntax, rest: ExpressionSyntax)? {
    func replacing(_ base: ExpressionSyntax, _ kind: (ExpressionSyntax) -> Kind) -> (
      ExpressionSyntax, ExpressionSyntax
    )? {
      if case .optional(let content) = base.kind {
        let hole = ExpressionSyntax(range: base.range, kind: .name(PredicateScope.unwrapped))
        return (content, ExpressionSyntax(range: range, kind: kind(hole)))
      }
      guard let (content, rest) = base.optionalChain else { return nil }
      return (content, ExpressionSyntax(range: range, kind: kind(rest)))
    }
    switch kind {
    case .member(let base, let name): return replacing(base) { .member($0, name: name) }
    case .call(let callee, let arguments): return replacing(callee) { .call($0, arguments) }
    case .subscript(let base, let arguments): return replacing(base) { .subscript($0, arguments) }
    case .forced(let base): return replacing(base) { .forced($0) }
    default: return nil
    }
  }

  /// Returns true for a member chain on `self` or a type: `self.limits?.minimum`, `Config.shared.limit`.
  func isMemberOfSelfOrType(_ scope: PredicateScope) -> Bool {
    switch kind {
    case .member(let base, _): base.isSelf(scope) || base.isType(scope) || base.isMemberOfSelfOrType(scope)
    case .optional(let base): base.isMemberOfSelfOrType(scope)
    default: false
    }
  }

  private func isSelf(_ scope: PredicateScope) -> Bool {
    if case .name("self") = kind { scope["self"] == nil } else { false }
  }

  /// Returns true for a type name and for `super`, which static members can follow.
  func isType(_ scope: PredicateScope) -> Bool {
    switch kind {
    case .name(let name): scope[name] == nil && (name.first?.isUppercase == true || name == "super")
    case .member(let base, let name): base.isType(scope) && name.first?.isUppercase == true
    default: false
    }
  }

  /// True for a string literal, or a sum that contains a string literal.
  var isText: Bool {
    switch kind {
    case .literal(.text): true
    case .parenthesized(let content): content.isText
    case .binary(let left, "+", let right): left.isText || right.isText
    default: false
    }
  }

  /// True for an expression with an operator.
  var isCalculated: Bool {
    switch kind {
    case .prefix, .binary: true
    case .parenthesized(let content): content.isCalculated
    default: false
    }
  }

  /// Returns true for an array literal.
  func isList(_ parser: ExpressionParser) -> Bool {
    guard case .literal = kind, parser.text(range).hasPrefix("[") else { return false }
    return !parser.tokens.contains { $0.kind == .colon && range.contains(Int($0.start)) }
  }

  /// True if the expression contains a variable, function or type.
  var namesValue: Bool {
    switch kind {
    case .name: true
    case .nilLiteral, .literal: false
    case .opaque, .closure, .condition, .call, .subscript: true
    case .parenthesized(let content), .member(let content, _), .optional(let content), .forced(let content),
      .prefix(_, let content), .cast(let content, _, _), .effect(_, let content):
      content.namesValue
    case .binary(let left, _, let right): left.namesValue || right.namesValue
    case .ternary(let condition, let first, let second):
      condition.namesValue || first.namesValue || second.namesValue
    }
  }
}

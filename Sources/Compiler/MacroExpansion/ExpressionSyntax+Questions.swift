import SchemaSyntax
import SwiftSource

extension ExpressionSyntax {
  /// The base of the last `?` of an optional chain, and the rest of the chain as members of that; nil without `?`.
  var optionalChain: (base: ExpressionSyntax, rest: ExpressionSyntax)? {
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

  /// True for a row of members of `self` or of a type: `self.limits?.minimum`, `Config.shared.limit`.
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

  /// True for the name of a type and for `super`: what follows can be a static member.
  func isType(_ scope: PredicateScope) -> Bool {
    switch kind {
    case .name(let name): scope[name] == nil && (name.first?.isUppercase == true || name == "super")
    case .member(let base, let name): base.isType(scope) && name.first?.isUppercase == true
    default: false
    }
  }

  /// True for the literal of a text, or a sum with one.
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

  /// True for an array literal.
  func isList(_ parser: ExpressionParser) -> Bool {
    guard case .literal = kind, parser.text(range).hasPrefix("[") else { return false }
    return !parser.tokens.contains { $0.kind == .colon && range.contains(Int($0.start)) }
  }

  /// True if a variable, a function or a type is a part of it.
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

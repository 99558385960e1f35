import SchemaSyntax

/// Operations that can stop the process when a value is read.
enum Trap {
  /// `!` and `as!`.
  case unwrapping
  /// Unwrapping, subscripts and divisions.
  case any
}

extension ExpressionSyntax {
  /// Returns the first part that can stop the process; `nil` if there is none. In closures, only deferred constants
  /// are found.
  ///
  /// - Parameter parser: The parser for string literals and unparsed text; `nil` to ignore them.
  func trap(_ trap: Trap, _ scope: PredicateScope, in parser: ExpressionParser?) -> Range<Int>? {
    func first(_ parts: [ExpressionSyntax]) -> Range<Int>? {
      parts.lazy.compactMap { $0.trap(trap, scope, in: parser) }.first
    }
    switch kind {
    case .forced, .cast(_, .forced, _): return range
    case .subscript where trap == .any: return range
    case .binary(_, "/", let right) where trap == .any && !right.isNonzero: return range
    case .binary(_, "%", let right) where trap == .any && !right.isNonzero: return range
    case .name(let name): return scope.isDeferred(name) ? range : nil
    case .literal, .opaque: return parser.flatMap { scope.deferred(in: range, $0) ?? $0.trap(trap, in: range) }
    case .closure, .condition: return parser.flatMap { scope.deferred(in: range, $0) }
    case .nilLiteral: return nil
    case .parenthesized(let content), .member(let content, _), .optional(let content), .prefix(_, let content),
      .cast(let content, _, _), .effect(_, let content):
      return first([content])
    case .call(let callee, let arguments), .subscript(let callee, let arguments):
      return first([callee] + arguments.map(\.value))
    case .binary(let left, _, let right): return first([left, right])
    case .ternary(let condition, let one, let other): return first([condition, one, other])
    }
  }

  /// Returns true if evaluating the expression can stop the process, ignoring string literals and unparsed text.
  func canTrap(_ scope: PredicateScope) -> Bool { trap(.any, scope, in: nil) != nil }

  private var isNonzero: Bool { if case .literal(.nonzero) = kind { true } else { false } }
}

extension ExpressionParser {
  /// Returns the first part of a text range that can stop the process, including string interpolations.
  func trap(_ trap: Trap, in range: Range<Int>) -> Range<Int>? {
    var rest = self
    rest.position = tokens.firstIndex { Int($0.start) >= range.lowerBound } ?? 0
    while !rest.isAtEnd, Int(rest.token.end) <= range.upperBound {
      if let found = rest.trapAtPosition(trap) { return found }
      // Key path components are not evaluated.
      if rest.token.kind == .backslash { rest.skipKeyPath() } else { rest.advance() }
    }
    return nil
  }

  private func trapAtPosition(_ trap: Trap) -> Range<Int>? {
    if token.kind == .string {
      for (content, start) in interpolations(of: token) {
        guard let place = content.trap(trap, in: 0..<content.end) else { continue }
        return place.lowerBound + start..<place.upperBound + start
      }
    }
    guard position > 0 else { return nil }
    let previous = tokens[position - 1]
    switch token.kind {
    case .exclamation where isAdjacent(position) && previous.endsValue:
      // `a!=b` is a comparison.
      guard peek().kind != .equal || !isAdjacent(position + 1) else { return nil }
      return Int(previous.start)..<Int(token.end)
    case .leftBracket where trap == .any && isSubscript(position):
      var rest = self
      rest.skipBalanced()
      return Int(previous.start)..<rest.end
    case .operatorSign where trap == .any && ["/", "%"].contains(text(token)) && previous.endsValue:
      return isNonzero(peek()) ? nil : Int(previous.start)..<Int(peek().end)
    default: return nil
    }
  }

  /// Returns true for a nonzero numeric literal.
  func isNonzero(_ token: Token) -> Bool {
    [.integer, .float].contains(token.kind) && text(token).contains { $0.isNumber && $0 != "0" }
  }
}

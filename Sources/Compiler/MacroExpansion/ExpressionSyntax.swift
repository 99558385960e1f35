import SchemaSyntax

/// An expression inside the closure of `#Predicate` or `#Expression`.
package struct ExpressionSyntax: Sendable {
  /// The expression's byte range in the parsed text.
  package var range: Range<Int>
  package var kind: Kind

  package indirect enum Kind: Sendable {
    /// A variable, a function, a type, `self` or `$0`.
    case name(String)
    case nilLiteral
    /// A literal token, a bracketed literal, `.member` or `.member(…)`. The type depends on the context.
    case literal(Literal)
    /// An expression that predicates do not support: it can only be captured.
    case opaque
    case parenthesized(ExpressionSyntax)
    case member(ExpressionSyntax, name: String)
    case call(ExpressionSyntax, [Argument])
    case `subscript`(ExpressionSyntax, [Argument])
    /// `base?`, which begins an optional chain.
    case optional(ExpressionSyntax)
    case forced(ExpressionSyntax)
    case prefix(String, ExpressionSyntax)
    case binary(ExpressionSyntax, String, ExpressionSyntax)
    case ternary(ExpressionSyntax, ExpressionSyntax, ExpressionSyntax)
    case cast(ExpressionSyntax, Cast, type: String)
    case closure(ClosureSyntax)
    case condition(IfSyntax)
    /// `try` or `await` before an expression.
    case effect(String, ExpressionSyntax)
  }

  package enum Literal: Sendable { case text, nonzero, other }

  package enum Cast: Sendable { case check, conditional, forced, coercion }

  package struct Argument: Sendable {
    package var label: String?
    package var value: ExpressionSyntax
    /// True for a trailing closure.
    package var isTrailing = false
  }
}

/// A closure with parameters and statements.
package struct ClosureSyntax: Sendable {
  package var range: Range<Int>
  /// Parameter names; `nil` if the closure uses `$0`.
  package var parameters: [String]?
  /// The values in the capture list. A name with no explicit value captures the variable of the same name.
  package var captures: [Capture] = []
  package var body: [StatementSyntax]

  package struct Capture: Sendable {
    package var name: String
    package var type: String?
    package var value: ExpressionSyntax
  }
}

/// A statement in a closure.
package struct StatementSyntax: Sendable {
  package var range: Range<Int>
  package var kind: Kind

  package enum Kind: Sendable {
    /// An expression, with or without `return`.
    case value(ExpressionSyntax, isReturn: Bool)
    /// `let name: type = value`; the type is `nil` if it is inferred.
    case constant(name: String, type: String?, ExpressionSyntax)
    case condition(IfSyntax)
    case `guard`([ConditionSyntax], [StatementSyntax])
  }
}

/// An `if`, as a statement or as an expression.
package struct IfSyntax: Sendable {
  package var conditions: [ConditionSyntax]
  package var body: [StatementSyntax]
  /// `nil` if there is no `else`.
  package var otherwise: [StatementSyntax]?

  /// True if every branch ends with a value.
  var hasValue: Bool { body.haveValue && otherwise?.haveValue == true }
}

extension [StatementSyntax] {
  /// True if the statements end with a value.
  fileprivate var haveValue: Bool {
    switch last?.kind {
    case .value: true
    case .condition(let condition): condition.hasValue
    case .constant, .guard, nil: false
    }
  }
}

/// A condition in an `if` or `guard`.
package enum ConditionSyntax: Sendable {
  case test(ExpressionSyntax)
  /// `let name = value`
  case binding(name: String, ExpressionSyntax)
}

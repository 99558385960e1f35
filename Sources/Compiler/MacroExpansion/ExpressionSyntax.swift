import SchemaSyntax

/// An expression inside the closure of `#Predicate` or `#Expression`.
struct ExpressionSyntax: Sendable {
  /// The bytes of the expression in the text that was parsed.
  var range: Range<Int>
  var kind: Kind

  indirect enum Kind: Sendable {
    /// A variable, a function, a type, `self` or `$0`.
    case name(String)
    case nilLiteral
    /// A literal of one token or in brackets, `.member` or `.member(…)`: its type depends on its context.
    case literal(Literal)
    /// An expression that no predicate contains: it can only be captured.
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

  enum Literal: Sendable { case text, nonzero, other }

  enum Cast: Sendable { case check, conditional, forced, coercion }

  struct Argument: Sendable {
    var label: String?
    var value: ExpressionSyntax
    /// True for a closure behind the parentheses.
    var isTrailing = false
  }
}

/// A closure: its parameters and statements.
struct ClosureSyntax: Sendable {
  var range: Range<Int>
  /// The names of the parameters; nil for a closure with `$0`.
  var parameters: [String]?
  /// The values of the capture list. A name without a value has the same value inside of the closure.
  var captures: [Capture] = []
  var body: [StatementSyntax]

  struct Capture: Sendable {
    var name: String
    var type: String?
    var value: ExpressionSyntax
  }
}

/// A statement of a closure.
struct StatementSyntax: Sendable {
  var range: Range<Int>
  var kind: Kind

  enum Kind: Sendable {
    /// An expression, with or without `return`.
    case value(ExpressionSyntax, isReturn: Bool)
    /// `let name: type = value`; the type is nil if it is not written.
    case constant(name: String, type: String?, ExpressionSyntax)
    case condition(IfSyntax)
    case `guard`([ConditionSyntax], [StatementSyntax])
  }
}

/// An `if`, as a statement or as an expression.
struct IfSyntax: Sendable {
  var conditions: [ConditionSyntax]
  var body: [StatementSyntax]
  /// Nil without `else`.
  var otherwise: [StatementSyntax]?

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

/// A part of the condition of an `if` or a `guard`.
enum ConditionSyntax: Sendable {
  case test(ExpressionSyntax)
  /// `let name = value`
  case binding(name: String, ExpressionSyntax)
}

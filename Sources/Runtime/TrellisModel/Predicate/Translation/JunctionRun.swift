import Foundation

/// `&&` or `||`.
package protocol PredicateJunction: PredicateExpression {
  associatedtype LHS: PredicateExpression<Bool>
  associatedtype RHS: PredicateExpression<Bool>
  static var isConjunction: Bool { get }
  var lhs: LHS { get }
  var rhs: RHS { get }
}

extension PredicateExpressions.Conjunction: PredicateJunction {
  package static var isConjunction: Bool { true }
}

extension PredicateExpressions.Disjunction: PredicateJunction {
  package static var isConjunction: Bool { false }
}

/// The operands of a run of `&&` or `||` from left to right, including operands in nested predicates.
///
///     #Predicate { a || (b || c) || earlier[$0] }   // of earlier = { d || e }: a, b, c, d, e
///
/// A condition that is composed in a loop has a tree whose depth is the run's length. Iteration uses the heap, so the
/// stack does not limit the length.
package struct JunctionRun: Sequence, IteratorProtocol {
  package enum Step<Operand> {
    /// An operand, and the number of nodes that enclose it.
    case operand(Operand, depth: Int)
    /// The steps up to the matching ``leave`` are in a nested predicate.
    case enter(any NestedCall)
    case leave

    func map<Other>(_ transform: (Operand) -> Other) -> Step<Other> {
      switch self {
      case .operand(let operand, let depth): .operand(transform(operand), depth: depth)
      case .enter(let nested): .enter(nested)
      case .leave: .leave
      }
    }
  }

  package let isConjunction: Bool
  private var pending: [Step<any PredicateExpression<Bool>>]

  package init<J: PredicateJunction>(_ junction: J) {
    isConjunction = J.isConjunction
    pending = [.operand(junction.rhs, depth: 1), .operand(junction.lhs, depth: 1)]
  }

  /// Creates a run with the `&&` operands, or with the expression itself if it is not a conjunction.
  init(conjunction expression: any PredicateExpression<Bool>) {
    isConjunction = true
    pending = [.operand(expression, depth: 0)]
  }

  package mutating func next() -> Step<any PredicateExpression<Bool>>? {
    while let step = pending.popLast() {
      guard case .operand(let node, let depth) = step else { return step }
      if let junction = node as? any PredicateJunction, type(of: junction).isConjunction == isConjunction {
        pending += [.operand(junction.rhs, depth: depth + 1), .operand(junction.lhs, depth: depth + 1)]
      } else if let nested = (node as? any NestedCallNode)?.nestedCall, let body = nested.condition,
        continues(body)
      {
        pending += [.leave, .operand(body, depth: depth + 1)]
        return .enter(nested)
      } else {
        return step
      }
    }
    return nil
  }

  /// Returns true for a nested predicate with operands that belong to the run.
  private func continues(_ body: any PredicateExpression<Bool>) -> Bool {
    if let junction = body as? any PredicateJunction { return type(of: junction).isConjunction == isConjunction }
    return (body as? any NestedCallNode)?.nestedCall != nil
  }
}

extension JunctionRun {
  /// Returns the value of `&&` or `||`, with each nested predicate's variable bound to the input.
  ///
  /// - Parameter operand: Returns an operand's value.
  static func value<Operand>(
    of steps: some Sequence<Step<Operand>>, _ isConjunction: Bool, _ bindings: PredicateBindings,
    _ operand: (Operand, PredicateBindings) throws -> Bool
  ) throws -> Bool {
    var bindings = bindings
    var outer: [PredicateBindings] = []
    for step in steps {
      switch step {
      case .operand(let node, _):
        guard try operand(node, bindings) == isConjunction else { return !isConjunction }
      case .enter(let nested):
        outer.append(bindings)
        bindings = try nested.bindings(bindings)
      case .leave: bindings = outer.removeLast()
      }
    }
    return isConjunction
  }
}

/// The recursion limits for a predicate's tree, in nested nodes. A run of `&&` or `||` counts as one node.
enum PredicateDepth {
  /// The limit for in-memory evaluation.
  static let maximum = 1_000

  /// The limit for evaluating a node in Foundation, which also recurses into runs.
  static let foundation = 3_000

  /// The limit for translation to SQL, which needs more stack. Databases limit expressions as well.
  static let translated = 200

  /// Returns a node's weight as a number of ordinary nodes. Functions copy the node to the stack together with the
  /// operands, so a large node counts more than once.
  static func weight<E>(of _: E.Type, unit: Int = 1_024) -> Int { 1 + MemoryLayout<E>.size / unit }

  static var refusal: SwiftDataError {
    .unsupportedPredicate.explained(
      "the predicate nests more than \(maximum) expressions, or has more than \(foundation) operands of '&&' or '||' "
        + "inside another expression; a predicate that is a single run of '&&' or '||' has no limit")
  }
}

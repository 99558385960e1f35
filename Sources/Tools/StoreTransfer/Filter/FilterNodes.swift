import Foundation
import Trellis

// Creates the same nodes as `#Predicate`, for types that are determined when the text is read.

extension FilterReader {
  /// Returns an optional chain's value: nil if the base is nil.
  static func flattened<Base: FilterValue>(
    _ result: TypedNode, _ base: FilterNode<Base?>, _ variable: FilterVariable<Base>
  ) -> TypedNode? {
    func open<Value: FilterValue>(_: Value.Type) -> TypedNode? {
      let type = result.type.optional
      if let body = result.node as? FilterNode<Value?> {
        let node = PredicateExpressions.OptionalFlatMap<FilterNode<Base?>, Base, FilterNode<Value?>, Value>(base) {
          variable.enter($0, body)
        }
        return TypedNode(type, FilterNode(node))
      }
      guard let body = result.node as? FilterNode<Value> else { return nil }
      let node = PredicateExpressions.OptionalFlatMap<FilterNode<Base?>, Base, FilterNode<Value>, Value>(base) {
        variable.enter($0, body)
      }
      return TypedNode(type, FilterNode(node))
    }
    return open(result.type.unwrapped.swiftType)
  }

  /// Wraps a value in an optional.
  func wrapped(_ typed: TypedNode, _ range: Range<Int>) throws -> TypedNode {
    func open<Value: FilterValue>(_: Value.Type) throws -> TypedNode {
      let value: FilterNode<Value> = try node(typed, range)
      return TypedNode(
        typed.type.optional, FilterNode(PredicateExpressions.ForceCast<FilterNode<Value>, Value?>(value)))
    }
    return try open(typed.type.swiftType)
  }

  func nilNode(_ type: FilterType) -> TypedNode {
    func open<Value: FilterValue>(_: Value.Type) -> TypedNode {
      TypedNode(type.optional, FilterNode(PredicateExpressions.NilLiteral<Value>()))
    }
    return open(type.unwrapped.swiftType)
  }

  /// Returns a constant, or an optional constant for an optional type.
  func constant<Value: FilterScalar>(_ value: Value, _ type: FilterType) -> TypedNode {
    type.isOptional
      ? TypedNode(type, FilterNode(PredicateExpressions.Value<Value?>(value)), constant: value)
      : TypedNode(type, FilterNode(PredicateExpressions.Value<Value>(value)), constant: value)
  }

  /// Returns the same node under a different type, for an enum's raw value.
  func retyped(_ typed: TypedNode, _ type: FilterType, _ range: Range<Int>) throws -> TypedNode {
    func open<Value: FilterValue>(_: Value.Type) throws -> TypedNode {
      TypedNode(type, try node(typed, Value.self, range))
    }
    return try open(type.swiftType)
  }

  func equality(_ left: TypedNode, _ right: TypedNode, isNegated: Bool, _ range: Range<Int>) throws -> TypedNode {
    func open<Value: FilterValue>(_: Value.Type) throws -> TypedNode {
      let (lhs, rhs): (FilterNode<Value>, FilterNode<Value>) = (try node(left, range), try node(right, range))
      return TypedNode(
        .bool,
        isNegated
          ? FilterNode(PredicateExpressions.NotEqual(lhs: lhs, rhs: rhs))
          : FilterNode(PredicateExpressions.Equal(lhs: lhs, rhs: rhs)))
    }
    return try open(left.type.swiftType)
  }

  func comparison(
    _ left: TypedNode, _ right: TypedNode, _ sign: String, _ range: Range<Int>
  ) throws -> TypedNode {
    func open<Value: FilterValue & Comparable>(_: Value.Type) throws -> TypedNode {
      let (lhs, rhs): (FilterNode<Value>, FilterNode<Value>) = (try node(left, range), try node(right, range))
      let op: PredicateExpressions.ComparisonOperator =
        switch sign {
        case "<": .lessThan
        case "<=": .lessThanOrEqual
        case ">": .greaterThan
        default: .greaterThanOrEqual
        }
      return TypedNode(.bool, FilterNode(PredicateExpressions.Comparison(lhs: lhs, rhs: rhs, op: op)))
    }
    guard case .scalar(_, nil) = left.type, let type = left.type.swiftType as? any (FilterValue & Comparable).Type
    else {
      var hint = ""
      if case .scalar(_, _?) = left.type { hint = "; compare 'rawValue'" }
      throw error("values of '\(left.type)' have no order in a filter\(hint)", range)
    }
    return try open(type)
  }

  func arithmetic(_ left: TypedNode, _ right: TypedNode, _ sign: String, _ range: Range<Int>) throws -> TypedNode {
    func sides<Value: FilterValue>(_: Value.Type) throws -> (FilterNode<Value>, FilterNode<Value>) {
      (try node(left, range), try node(right, range))
    }
    func compute<Value: FilterValue & Numeric>(_: Value.Type) throws -> TypedNode {
      let (lhs, rhs) = try sides(Value.self)
      let op: PredicateExpressions.ArithmeticOperator = sign == "+" ? .add : sign == "-" ? .subtract : .multiply
      return TypedNode(left.type, FilterNode(PredicateExpressions.Arithmetic(lhs: lhs, rhs: rhs, op: op)))
    }
    func integer<Value: FilterValue & BinaryInteger>(_: Value.Type) throws -> TypedNode {
      let (lhs, rhs) = try sides(Value.self)
      return TypedNode(
        left.type,
        sign == "/"
          ? FilterNode(PredicateExpressions.IntDivision(lhs: lhs, rhs: rhs))
          : FilterNode(PredicateExpressions.IntRemainder(lhs: lhs, rhs: rhs)))
    }
    func fraction<Value: FilterValue & FloatingPoint>(_: Value.Type) throws -> TypedNode {
      let (lhs, rhs) = try sides(Value.self)
      return TypedNode(left.type, FilterNode(PredicateExpressions.FloatDivision(lhs: lhs, rhs: rhs)))
    }
    if case .scalar(_, nil) = left.type {
      let type = left.type.swiftType
      if sign == "/" || sign == "%" {
        if let type = type as? any (FilterValue & BinaryInteger).Type { return try integer(type) }
        if sign == "/", let type = type as? any (FilterValue & FloatingPoint).Type { return try fraction(type) }
      } else if let type = type as? any (FilterValue & Numeric).Type {
        return try compute(type)
      }
    }
    throw error("'\(sign)' is not possible with '\(left.type)' in a filter", range)
  }

  func negative(_ value: TypedNode, _ range: Range<Int>) throws -> TypedNode {
    func open<Value: FilterValue & SignedNumeric>(_: Value.Type) throws -> TypedNode {
      let operand: FilterNode<Value> = try node(value, range)
      return TypedNode(value.type, FilterNode(PredicateExpressions.UnaryMinus(operand)))
    }
    guard case .scalar(_, nil) = value.type,
      let type = value.type.swiftType as? any (FilterValue & SignedNumeric).Type
    else { throw error("'-' is not possible with '\(value.type)' in a filter", range) }
    return try open(type)
  }

  /// Returns the node for `??`.
  func coalesced(_ optional: TypedNode, _ other: TypedNode, _ range: Range<Int>) throws -> TypedNode {
    func open<Value: FilterValue>(_: Value.Type) throws -> TypedNode {
      let lhs: FilterNode<Value?> = try node(optional, range)
      if other.type.isOptional {
        // Foundation's node returns the right side's type, so that the result would be optional.
        throw error("the right side of '??' may be nil, which is not supported in a filter", range)
      }
      let rhs: FilterNode<Value> = try node(other, range)
      // The runtime inspects the constant in order to omit `?? false`.
      if let value = other.constant as? Value, Value.self == Bool.self {
        return TypedNode(
          other.type, FilterNode(PredicateExpressions.NilCoalesce(lhs: lhs, rhs: PredicateExpressions.Value(value))))
      }
      return TypedNode(other.type, FilterNode(PredicateExpressions.NilCoalesce(lhs: lhs, rhs: rhs)))
    }
    return try open(other.type.unwrapped.swiftType)
  }

  func unwrapped(_ optional: TypedNode, _ range: Range<Int>) throws -> TypedNode {
    func open<Value: FilterValue>(_: Value.Type) throws -> TypedNode {
      let value: FilterNode<Value?> = try node(optional, range)
      return TypedNode(optional.type.unwrapped, FilterNode(PredicateExpressions.ForcedUnwrap(value)))
    }
    return try open(optional.type.unwrapped.swiftType)
  }

  func choice(
    _ test: FilterNode<Bool>, _ first: TypedNode, _ second: TypedNode, _ range: Range<Int>
  ) throws -> TypedNode {
    func open<Value: FilterValue>(_: Value.Type) throws -> TypedNode {
      let (yes, no): (FilterNode<Value>, FilterNode<Value>) = (try node(first, range), try node(second, range))
      return TypedNode(
        first.type,
        FilterNode(PredicateExpressions.Conditional(test: test, trueBranch: yes, falseBranch: no)))
    }
    return try open(first.type.swiftType)
  }

  // MARK: && and ||

  /// Joins conditions as a tree of logarithmic depth. The runtime reads the operands from left to right.
  static func joined(_ operands: ArraySlice<FilterNode<Bool>>, isConjunction: Bool) -> FilterNode<Bool>? {
    guard operands.count > 1 else { return operands.first }
    let middle = operands.startIndex + operands.count / 2
    guard let first = joined(operands[..<middle], isConjunction: isConjunction),
      let second = joined(operands[middle...], isConjunction: isConjunction)
    else { return nil }
    return junction(first.operand, second.operand, isConjunction)
  }
}

// Opens the existential operand types in turn.

private func junction<First: StandardPredicateExpression<Bool>>(
  _ first: First, _ second: any StandardPredicateExpression<Bool>, _ isConjunction: Bool
) -> FilterNode<Bool> { opened(first, second, isConjunction) }

private func opened<First: StandardPredicateExpression<Bool>, Second: StandardPredicateExpression<Bool>>(
  _ first: First, _ second: Second, _ isConjunction: Bool
) -> FilterNode<Bool> {
  isConjunction
    ? FilterNode(PredicateExpressions.Conjunction(lhs: first, rhs: second))
    : FilterNode(PredicateExpressions.Disjunction(lhs: first, rhs: second))
}

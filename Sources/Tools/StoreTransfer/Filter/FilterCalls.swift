import Foundation
import MacroExpansion
import SchemaDiagnostics
import SchemaFacts
import SchemaSyntax
import Trellis

extension FilterReader {
  mutating func call(
    _ callee: FilterExpression, _ arguments: [FilterExpression.Argument], _ range: Range<Int>
  ) throws -> TypedNode {
    guard case .member(let base, let name) = callee.kind else {
      throw error("'\(source(callee).prefix(40))(…)' is not supported; \(Self.supported)", range)
    }
    let place = (callee.range.upperBound - name.utf8.count)..<callee.range.upperBound
    let label = arguments.first?.label
    guard arguments.count == 1, let argument = arguments.first?.value else {
      throw error(Self.refusal(of: name), place)
    }
    if name == "contains", label == nil {
      if isList(base) { return try membership(of: argument, inList: base, range) }
      if Self.isRange(base) { return try membership(of: argument, inRange: base, range) }
    }
    let owner = try read(base, expecting: nil)
    if case .optional = owner.type {
      throw error("'\(owner.type)' may be nil: write '?.\(name)' or '!.\(name)'", place)
    }
    switch (owner.type, name, label) {
    case (.scalar(.string, nil), "contains", nil): return try text(owner, argument, range) { .contains($0, $1) }
    case (.scalar(.string, nil), "starts", "with"): return try text(owner, argument, range) { .starts($0, $1) }
    case (.scalar(.string, nil), "localizedStandardContains", nil):
      return try text(owner, argument, range) { .localizedContains($0, $1) }
    case (.list(let element, _), "contains", nil): return try membership(of: argument, in: owner, element, range)
    case (.rows, "contains", nil) where !isClosure(argument): return try membership(of: argument, inRows: owner, range)
    case (.rows(let entity), "contains", "where"), (.rows(let entity), "contains", nil),
      (.rows(let entity), "allSatisfy", nil), (.rows(let entity), "filter", nil):
      return try search(name, in: owner, entity, argument, range)
    case (.list(let element, let isSet), "contains", "where"), (.list(let element, let isSet), "contains", nil),
      (.list(let element, let isSet), "allSatisfy", nil):
      return try search(name, in: owner, element, isSet: isSet, argument, range)
    default: throw error(Self.refusal(of: name), place)
    }
  }

  /// Returns the message for an unsupported function.
  private static func refusal(of name: String) -> String {
    let known = ["contains", "starts", "localizedStandardContains", "allSatisfy", "filter"]
    let help: String =
      switch name {
      case "hasPrefix": "write 'starts(with:)'"
      case "hasSuffix", "lowercased", "uppercased": "a predicate has no such function; use 'localizedStandardContains'"
      case "first", "last", "min", "max", "map", "reduce", "sorted": "write 'contains(where:)' with the condition"
      default: NearestName.find(name, in: known).map { "did you mean '\($0)'?" } ?? Self.supported
      }
    return known.contains(name)
      ? "'\(name)' needs other arguments: write 'contains(value)', 'starts(with: text)', 'contains(where: { … })', "
        + "'allSatisfy { … }' or 'filter { … }.count'"
      : "'\(name)(…)' is not supported in a filter: \(help)"
  }

  private func isClosure(_ expression: FilterExpression) -> Bool {
    if case .closure = expression.kind { true } else { false }
  }

  // MARK: text

  /// The nodes for functions with two text arguments.
  fileprivate enum TextNode {
    case contains(FilterNode<String>, FilterNode<String>)
    case starts(FilterNode<String>, FilterNode<String>)
    case localizedContains(FilterNode<String>, FilterNode<String>)

    var node: FilterNode<Bool> {
      switch self {
      case .contains(let base, let other):
        FilterNode(PredicateExpressions.CollectionContainsCollection(base: base, other: other))
      case .starts(let base, let prefix):
        FilterNode(PredicateExpressions.SequenceStartsWith(base: base, prefix: prefix))
      case .localizedContains(let base, let other):
        FilterNode(PredicateExpressions.build_localizedStandardContains(base, other))
      }
    }
  }

  private mutating func text(
    _ base: TypedNode, _ argument: FilterExpression, _ range: Range<Int>,
    _ make: (FilterNode<String>, FilterNode<String>) -> TextNode
  ) throws -> TypedNode {
    let other = try read(argument, as: .string)
    return TypedNode(.bool, make(try node(base, range), try node(other, argument.range)).node)
  }

  // MARK: members

  func member(_ name: String, ofScalar scalar: ScalarType, _ base: TypedNode, _ range: Range<Int>) throws -> TypedNode {
    func value<Base: FilterValue, Value: FilterValue>(
      _ path: any KeyPath<Base, Value> & Sendable, _ type: FilterType
    ) throws -> TypedNode {
      let root: FilterNode<Base> = try node(base, range)
      return TypedNode(type, FilterNode(PredicateExpressions.KeyPath(root: root, keyPath: path)))
    }
    switch (scalar, name) {
    case (.string, "isEmpty"): return try value(\String.isEmpty, .bool)
    case (.string, "count"): return try value(\String.count, .int)
    case (.string, "first"): return try value(\String.first, .optional(.scalar(.character)))
    case (.string, "last"): return try value(\String.last, .optional(.scalar(.character)))
    case (.string, "localizedLowercase"): return try value(\String.localizedLowercase, .string)
    case (.string, "localizedUppercase"): return try value(\String.localizedUppercase, .string)
    case (.data, "isEmpty"): return try value(\Data.isEmpty, .bool)
    case (.data, "count"): return try value(\Data.count, .int)
    case (.uuid, "uuidString"): return try value(\UUID.uuidString, .string)
    case (.url, "absoluteString"): return try value(\URL.absoluteString, .string)
    case (.date, "timeIntervalSinceReferenceDate"):
      return try value(\Date.timeIntervalSinceReferenceDate, .scalar(.double))
    case (.date, "timeIntervalSince1970"): return try value(\Date.timeIntervalSince1970, .scalar(.double))
    default:
      throw error("'\(name)' of '\(base.type)' is not supported in a filter; \(Self.supported)", range)
    }
  }

  /// Returns a list's `isEmpty` or `count`, otherwise `nil`.
  func collectionMember(_ name: String, _ base: TypedNode, _ range: Range<Int>) throws -> TypedNode? {
    // The runtime recognizes key paths of concrete collections only.
    func array<Element: FilterElement>(_: Element.Type) throws -> TypedNode? {
      try collectionMember(name, node(base, [Element].self, range), \[Element].isEmpty, \[Element].count)
    }
    func set<Element: FilterScalar>(_: Element.Type) throws -> TypedNode? {
      try collectionMember(name, node(base, Set<Element>.self, range), \Set<Element>.isEmpty, \Set<Element>.count)
    }
    switch base.type {
    case .rows: return try array(FilterRow.self)
    case .list(.scalar(let scalar, _), let isSet):
      return isSet ? try set(scalar.filterType) : try array(scalar.filterType)
    default: return nil
    }
  }

  private func collectionMember<Values>(
    _ name: String, _ values: FilterNode<Values>, _ isEmpty: any KeyPath<Values, Bool> & Sendable,
    _ count: any KeyPath<Values, Int> & Sendable
  ) -> TypedNode? {
    switch name {
    case "isEmpty": TypedNode(.bool, FilterNode(PredicateExpressions.KeyPath(root: values, keyPath: isEmpty)))
    case "count": TypedNode(.int, FilterNode(PredicateExpressions.KeyPath(root: values, keyPath: count)))
    default: nil
    }
  }

  // MARK: closures

  private mutating func search(
    _ name: String, in base: TypedNode, _ entity: String, _ argument: FilterExpression, _ range: Range<Int>
  ) throws -> TypedNode {
    let rows: FilterNode<[FilterRow]> = try node(base, range)
    let variable = FilterVariable<FilterRow>()
    let test = try body(of: argument, TypedNode(.row(entity), variable.node), name)
    guard name == "filter" else { return Self.search(name, rows, variable, test) }
    return TypedNode(
      base.type, FilterNode(PredicateExpressions.Filter(rows) { variable.enter($0, test) }))
  }

  private mutating func search(
    _ name: String, in base: TypedNode, _ element: FilterType, isSet: Bool, _ argument: FilterExpression,
    _ range: Range<Int>
  ) throws -> TypedNode {
    func open<Value: FilterScalar>(_: Value.Type) throws -> TypedNode {
      let variable = FilterVariable<Value>()
      let test = try body(of: argument, TypedNode(element, variable.node), name)
      return isSet
        ? Self.search(name, try node(base, Set<Value>.self, range), variable, test)
        : Self.search(name, try node(base, [Value].self, range), variable, test)
    }
    guard case .scalar(let scalar, _) = element else { throw error(Self.refusal(of: name), range) }
    return try open(scalar.filterType)
  }

  private static func search<Values: Sequence>(
    _ name: String, _ values: FilterNode<Values>, _ variable: FilterVariable<Values.Element>, _ test: FilterNode<Bool>
  ) -> TypedNode {
    TypedNode(
      .bool,
      name == "allSatisfy"
        ? FilterNode(PredicateExpressions.SequenceAllSatisfy(values) { variable.enter($0, test) })
        : FilterNode(PredicateExpressions.SequenceContainsWhere(values) { variable.enter($0, test) }))
  }

  /// Reads a closure's condition.
  private mutating func body(
    of argument: FilterExpression, _ variable: TypedNode, _ name: String
  ) throws -> FilterNode<Bool> {
    guard case .closure(let closure) = argument.kind else {
      throw error("'\(name)' needs a closure: '\(name)\(name == "contains" ? "(where:)" : "") { … }'", argument.range)
    }
    let (body, parameter): (FilterExpression, String?)
    do {
      (body, parameter) = try FilterSyntax.body(of: closure)
    } catch {
      throw self.error(error.message, error.range)
    }
    let outer = names
    // Inside a closure, `$0` is the closure's own element.
    names[parameter ?? "$0"] = variable
    defer { names = outer }
    return try condition(body)
  }

  // MARK: contains

  private mutating func membership(
    of argument: FilterExpression, in base: TypedNode, _ element: FilterType, _ range: Range<Int>
  ) throws -> TypedNode {
    if isClosure(argument) {
      guard case .list(_, let isSet) = base.type else { throw error(Self.refusal(of: "contains"), range) }
      return try search("contains", in: base, element, isSet: isSet, argument, range)
    }
    let wanted = try read(argument, as: element)
    func open<Values: FilterValue & Sequence>(_: Values.Type) throws -> TypedNode where Values.Element: FilterValue {
      let (values, value): (FilterNode<Values>, FilterNode<Values.Element>) = (
        try node(base, range), try node(wanted, argument.range)
      )
      return TypedNode(.bool, FilterNode(PredicateExpressions.SequenceContains(sequence: values, element: value)))
    }
    func elements<Value: FilterScalar>(_: Value.Type) throws -> TypedNode {
      if case .list(_, true) = base.type { return try open(Set<Value>.self) }
      return try open([Value].self)
    }
    guard case .scalar(let scalar, _) = element else { throw error(Self.refusal(of: "contains"), range) }
    return try elements(scalar.filterType)
  }

  private mutating func membership(
    of argument: FilterExpression, inRows base: TypedNode, _ range: Range<Int>
  ) throws -> TypedNode {
    guard case .rows(let entity) = base.type else { throw error(Self.refusal(of: "contains"), range) }
    let row = try read(argument, as: .row(entity))
    let (rows, value): (FilterNode<[FilterRow]>, FilterNode<FilterRow>) = (
      try node(base, range), try node(row, argument.range)
    )
    return TypedNode(.bool, FilterNode(PredicateExpressions.SequenceContains(sequence: rows, element: value)))
  }

  /// Tests whether a list literal contains a value.
  private mutating func membership(
    of argument: FilterExpression, inList list: FilterExpression, _ range: Range<Int>
  ) throws -> TypedNode {
    let element = try read(argument, expecting: nil)
    guard case .scalar(let scalar, _) = element.type.unwrapped else {
      throw error("'\(element.type)' cannot be an element of a list in a filter", argument.range)
    }
    let constants = try elements(of: list, element.type)
    func open<Value: FilterScalar>(_: Value.Type) throws -> TypedNode {
      func contains<Element: FilterValue>(_ values: [Element]) throws -> TypedNode {
        TypedNode(
          .bool,
          FilterNode(
            PredicateExpressions.SequenceContains(
              sequence: PredicateExpressions.Value(values), element: try node(element, Element.self, argument.range))))
      }
      let values = constants.map { $0 as? Value }
      return element.type.isOptional ? try contains(values) : try contains(values.compactMap { $0 })
    }
    return try open(scalar.filterType)
  }

  fileprivate mutating func bound(_ expression: FilterExpression, _ type: FilterType) throws -> any FilterScalar {
    guard let value = try read(expression, as: type).constant else {
      throw error("the bounds of a range must be literals", expression.range)
    }
    return value
  }

  /// Tests whether a range contains a value.
  mutating func membership(
    of argument: FilterExpression, inRange expression: FilterExpression, _ range: Range<Int>
  ) throws -> TypedNode {
    guard case .binary(let low, let sign, let high) = Self.unparenthesized(expression).kind, Self.isRange(expression)
    else { throw error("'~=' needs a range on its left side", expression.range) }
    let element = try read(argument, expecting: nil)
    guard case .scalar(_, nil) = element.type,
      let type = element.type.swiftType as? any (FilterScalar & Comparable).Type
    else {
      let hint = element.type.isOptional ? ": write '??' with a value, or '!'" : ""
      throw error("a range cannot contain '\(element.type)'\(hint)", argument.range)
    }
    let (lower, upper) = (try bound(low, element.type), try bound(high, element.type))
    func open<Value: FilterScalar & Comparable>(_: Value.Type) throws -> TypedNode {
      guard let lower = lower as? Value, let upper = upper as? Value, lower <= upper else {
        throw error("the lower bound of a range exceeds its upper bound", expression.range)
      }
      let value: FilterNode<Value> = try node(element, argument.range)
      return TypedNode(
        .bool,
        sign == "..."
          ? FilterNode(
            PredicateExpressions.RangeExpressionContains(
              range: PredicateExpressions.Value(lower...upper), element: value))
          : FilterNode(
            PredicateExpressions.RangeExpressionContains(
              range: PredicateExpressions.Value(lower..<upper), element: value)))
    }
    return try open(type)
  }

  private static func unparenthesized(_ expression: FilterExpression) -> FilterExpression {
    var expression = expression
    while case .parenthesized(let content) = expression.kind { expression = content }
    return expression
  }

  static func isRange(_ expression: FilterExpression) -> Bool {
    if case .binary(_, let sign, _) = unparenthesized(expression).kind { sign == "..." || sign == "..<" } else { false }
  }

  private func isList(_ expression: FilterExpression) -> Bool {
    let expression = Self.unparenthesized(expression)
    if case .literal = expression.kind { return source(expression).hasPrefix("[") }
    return false
  }

  /// Reads a list literal's elements. Elements can be nil only if the type is optional.
  private mutating func elements(
    of list: FilterExpression, _ type: FilterType
  ) throws -> [(any FilterScalar)?] {
    let list = Self.unparenthesized(list)
    let text = source(list)
    guard text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count >= 2 else {
      throw error("expected ']'", list.range)
    }
    var inner = self
    inner.offset += list.range.lowerBound + 1
    inner.parser = ExpressionParser(String(text.dropFirst().dropLast()))
    var values: [(any FilterScalar)?] = []
    while !inner.parser.isAtEnd {
      let element: FilterExpression
      do {
        element = try inner.parser.expression()
      } catch let error as MacroError {
        throw inner.error(error.message, error.range)
      }
      if case .nilLiteral = element.kind, type.isOptional {
        values.append(nil)
      } else {
        guard let value = try inner.read(element, as: type).constant else {
          throw inner.error("the elements of a list must be literals", element.range)
        }
        values.append(value)
      }
      guard !inner.parser.isAtEnd else { break }
      guard inner.parser.token.kind == .comma else {
        throw inner.error("expected ',' or ']'", Int(inner.parser.token.start)..<Int(inner.parser.token.end))
      }
      inner.parser.advance()
    }
    return values
  }
}

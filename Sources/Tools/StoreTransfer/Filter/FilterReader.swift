import Foundation
import MacroExpansion
import SchemaDiagnostics
import SchemaFacts
import SchemaModel
import Trellis

/// A typed expression.
struct TypedNode {
  let type: FilterType
  /// A ``FilterNode`` of the type's ``FilterType/swiftType``.
  let node: any Sendable
  /// The value, if the expression is constant.
  var constant: (any FilterScalar)?

  init<Value>(_ type: FilterType, _ node: FilterNode<Value>, constant: (any FilterScalar)? = nil) {
    self.type = type
    self.node = node
    self.constant = constant
  }
}

/// Reads a filter's expressions, resolves names and types, and creates Foundation's expression nodes.
///
/// Types follow Swift's rules: a literal takes the opposite operand's type, `==` accepts optional operands, and
/// comparisons and arithmetic require non-optional values.
struct FilterReader {
  let model: FilterModel
  let text: String
  var parser: ExpressionParser
  /// The parser text's offset within the filter.
  var offset = 0
  var names: [String: TypedNode]
  var depth = 0
  /// Limits the stack depth, both here and when the runtime evaluates the tree.
  private static let mostLevels = 60
  /// The name for an optional chain's base.
  private static let chained = "?"

  func error(_ message: String, _ range: Range<Int>) -> FilterError {
    FilterError(message, at: offset + range.lowerBound, in: text)
  }

  func source(_ expression: FilterExpression) -> String { parser.text(expression.range) }

  /// Returns an expression's node for a Swift type.
  func node<Value>(_ typed: TypedNode, _ range: Range<Int>) throws -> FilterNode<Value> {
    guard let node = typed.node as? FilterNode<Value> else {
      throw error("'\(typed.type)' cannot be used here", range)
    }
    return node
  }

  func node<Value>(_ typed: TypedNode, _: Value.Type, _ range: Range<Int>) throws -> FilterNode<Value> {
    try node(typed, range)
  }

  // MARK: expressions

  /// Reads an expression whose type is known.
  mutating func read(_ expression: FilterExpression, as type: FilterType) throws -> TypedNode {
    let found = try read(expression, expecting: type)
    if found.type == type { return found }
    guard found.type.optional == type else {
      let hint = found.type.isOptional && found.type.unwrapped == type ? "; use '??', '!' or '==' with a value" : ""
      throw error("this is '\(found.type)', and '\(type)' is needed\(hint)", expression.range)
    }
    return try wrapped(found, expression.range)
  }

  mutating func condition(_ expression: FilterExpression) throws -> FilterNode<Bool> {
    let found = try read(expression, expecting: .bool)
    guard found.type == .bool else {
      let hint = found.type == .optional(.bool) ? ": write '== true' or '?? false' after it" : ""
      throw error("a condition is needed here, and this is '\(found.type)'\(hint)", expression.range)
    }
    return try node(found, expression.range)
  }

  /// Reads an expression.
  ///
  /// - Parameter expected: The type for literals; `nil` if the context does not determine it.
  mutating func read(_ expression: FilterExpression, expecting expected: FilterType?) throws -> TypedNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.mostLevels else { throw error("the condition is nested too deeply", expression.range) }
    if let constant = try constructed(expression) { return constant }
    if let (base, rest) = expression.optionalChain { return try chain(base, rest, expression.range) }
    switch expression.kind {
    case .name(let name):
      if let known = names[Self.plain(name)] { return known }
      throw error(unknown(name), expression.range)
    case .nilLiteral:
      guard let expected else { throw error("'nil' needs a property to compare with", expression.range) }
      guard expected.isOptional else {
        throw error("'\(expected)' is never nil here: the other side is not optional", expression.range)
      }
      return nilNode(expected)
    case .literal: return try literal(expression, expected)
    case .parenthesized(let content): return try read(content, expecting: expected)
    case .member(let base, let name): return try member(Self.plain(name), of: base, expression.range)
    case .call(let callee, let arguments): return try call(callee, arguments, expression.range)
    case .forced(let content): return try forced(content, expected)
    case .prefix(let sign, let content): return try prefix(sign, content, expression.range, expected)
    case .binary(let left, let sign, let right): return try binary(left, sign, right, expression, expected)
    case .ternary(let test, let first, let second):
      return try conditional(test, first, second, expected, expression.range)
    case .closure:
      throw error("a closure is only possible after 'contains', 'allSatisfy' and 'filter'", expression.range)
    case .subscript: throw error("subscripts are not supported; \(Self.supported)", expression.range)
    case .cast: throw error("'as' and 'is' are not supported: filter the entity of the subclass", expression.range)
    case .condition: throw error("'if' is not supported; write 'test ? first : second'", expression.range)
    case .effect(let word, _): throw error("'\(word)' is not supported in a filter", expression.range)
    case .optional: throw error("'?' needs a member after it, as in '$0.trip?.name'", expression.range)
    case .opaque:
      throw error("'\(source(expression).prefix(40))' is not supported; \(Self.supported)", expression.range)
    }
  }

  /// The supported operations, for messages.
  static let supported = """
    a filter knows the operators of Swift, 'contains', 'starts(with:)', 'localizedStandardContains', \
    'contains(where:)', 'allSatisfy', 'filter', 'isEmpty' and 'count'
    """

  /// Removes backticks around a name.
  static func plain(_ name: String) -> String {
    name.hasPrefix("`") && name.hasSuffix("`") && name.count > 2 ? String(name.dropFirst().dropLast()) : name
  }

  private func unknown(_ name: String) -> String {
    if case .row(let entity)? = names.values.first(where: { if case .row = $0.type { true } else { false } })?.type,
      model.entities[entity]?.properties[name] != nil
    {
      let variable = names.keys.filter { $0 != Self.chained }.sorted().first ?? "$0"
      return "unknown name '\(name)': write '\(variable).\(name)'"
    }
    let row = names.keys.filter { $0 != Self.chained }.sorted().first ?? "$0"
    return "unknown name '\(name)': a filter knows the row as '\(row)'"
  }

  // MARK: members

  private mutating func member(_ name: String, of base: FilterExpression, _ range: Range<Int>) throws -> TypedNode {
    let base = try read(base, expecting: nil)
    // The member name's position.
    let place = (range.upperBound - min(range.count, name.utf8.count))..<range.upperBound
    switch base.type {
    case .row(let entity): return try property(name, of: entity, base, place)
    case .structure(let structure): return try field(name, of: structure, base, place)
    case .scalar(let scalar, let type):
      if type != nil {
        guard name == "rawValue" else {
          throw error("only 'rawValue' of '\(base.type)' can be used in a filter", place)
        }
        return try retyped(base, .scalar(scalar), place)
      }
      return try member(name, ofScalar: scalar, base, place)
    case .rows, .list:
      if let found = try collectionMember(name, base, place) { return found }
      throw error("'\(name)' of a list is not supported: use 'isEmpty', 'count' or 'contains'", place)
    case .optional(let wrapped):
      throw error("'\(wrapped)?' may be nil: write '?.\(name)' or '!.\(name)'", place)
    case .hidden(let type):
      throw error("'\(type)' cannot be read in a filter; it can only be compared with nil", place)
    }
  }

  private func property(
    _ name: String, of entity: String, _ base: TypedNode, _ range: Range<Int>
  ) throws -> TypedNode {
    guard let properties = model.entities[entity]?.properties, let property = properties[name] else {
      let nearest = NearestName.find(name, in: (model.entities[entity]?.properties.keys.sorted() ?? []))
      let help = nearest.map { ": did you mean '\($0)'?" } ?? Self.listing(model.entities[entity])
      throw error("'\(entity)' has no stored property '\(name)'\(help)", range)
    }
    let row = try node(base, FilterRow.self, range)
    func open<Value: FilterValue>(_: Value.Type) -> TypedNode {
      TypedNode(property.type, FilterNode(PropertyNode<Value>(row, name)))
    }
    return open(property.type.swiftType)
  }

  /// Lists an entity's first properties, for messages.
  private static func listing(_ entity: FilterEntity?) -> String {
    guard let names = entity?.properties.keys.sorted(), !names.isEmpty else { return "" }
    return ": it has \(names.prefix(12).map { "'\($0)'" }.joined(separator: ", "))\(names.count > 12 ? ", …" : "")"
  }

  private func field(
    _ name: String, of structure: String, _ base: TypedNode, _ range: Range<Int>
  ) throws -> TypedNode {
    guard let (type, key) = model.types.field(name, of: structure) else {
      let names = model.types.structs[structure]?.parameters.map(\.name) ?? []
      let help = NearestName.find(name, in: names).map { ": did you mean '\($0)'?" } ?? ""
      throw error("'\(structure)' has no stored property '\(name)'\(help)", range)
    }
    let value = try node(base, FilterStructure.self, range)
    func open<Value: FilterValue>(_: Value.Type) -> TypedNode {
      TypedNode(type, FilterNode(FieldNode<Value>(value, name, key: key)))
    }
    return open(type.swiftType)
  }

  /// Reads an optional chain. The members after `?` become a closure over the unwrapped value.
  private mutating func chain(
    _ base: FilterExpression, _ rest: FilterExpression, _ range: Range<Int>
  ) throws -> TypedNode {
    let optional = try read(base, expecting: nil)
    guard case .optional(let wrapped) = optional.type else {
      throw error("'\(optional.type)' is never nil: write '.' instead of '?.'", base.range)
    }
    func open<Value: FilterValue>(_: Value.Type) throws -> TypedNode {
      let variable = FilterVariable<Value>()
      let base: FilterNode<Value?> = try node(optional, base.range)
      let outer = names.updateValue(TypedNode(wrapped, variable.node), forKey: Self.chained)
      let result = try read(rest, expecting: nil)
      names[Self.chained] = outer
      guard let found = Self.flattened(result, base, variable) else {
        throw error("this chain is not supported", range)
      }
      return found
    }
    return try open(wrapped.swiftType)
  }
}

import Foundation
import MacroExpansion
import SchemaDiagnostics
import SchemaFacts
import SchemaModel
import SchemaSyntax
import Trellis

extension FilterReader {
  /// Reads a literal, whose type depends on the context.
  func literal(_ expression: FilterExpression, _ expected: FilterType?) throws -> TypedNode {
    let text = source(expression)
    let range = expression.range
    switch text.first {
    case "\"", "#": return try string(text, expected, range)
    case ".": return try caseOrStatic(text, expected, range)
    case "[" where !text.hasSuffix("]"): throw error("expected ']'", range)
    case "[": throw error("a list is only possible before 'contains', as in '[1, 2].contains($0.count)'", range)
    case _ where text == "true" || text == "false":
      let type = expected ?? .bool
      guard type.unwrapped == .bool else { throw mismatch("'\(text)' is a 'Bool'", type, range) }
      return constant(text == "true", type)
    default: return try number(text, expected ?? (Literal.integer(text) == nil ? .scalar(.double) : .int), range)
    }
  }

  /// Returns the error for a literal with the wrong type.
  private func mismatch(_ found: String, _ type: FilterType, _ range: Range<Int>) -> FilterError {
    var help = ""
    switch type.unwrapped {
    case .scalar(_, let name?):
      let cases = model.types.enums[name]?.cases.map { "'.\($0.name)'" } ?? []
      help =
        cases.isEmpty
        ? ": compare 'rawValue'" : ": write \(cases.prefix(8).joined(separator: ", ")), or compare 'rawValue'"
    case .scalar(.date, _): help = ": write 'Date(\"2026-01-31T00:00:00Z\")' or 'Date.now'"
    case .scalar(.uuid, _): help = ": write 'UUID(\"…\")'"
    case .scalar(.url, _): help = ": write 'URL(\"…\")'"
    case .scalar(.data, _): help = ": compare 'count'"
    case .scalar, .structure, .hidden, .row, .rows, .list, .optional: break
    }
    return error("\(found), and '\(type.unwrapped)' is needed\(help)", range)
  }

  private func string(_ text: String, _ expected: FilterType?, _ range: Range<Int>) throws -> TypedNode {
    guard let value = Literal.string(text) else {
      throw error("a text needs quotes at both ends, on one line and without interpolation", range)
    }
    let type = expected ?? .string
    switch type.unwrapped {
    case .scalar(.string, nil): return constant(value, type)
    case .scalar(.character, nil):
      guard let character = value.first, value.count == 1 else {
        throw error("a 'Character' is a text with exactly one character", range)
      }
      return constant(character, type)
    default: throw mismatch("this is a text", type, range)
    }
  }

  func number(_ text: String, _ type: FilterType, _ range: Range<Int>) throws -> TypedNode {
    guard case .scalar(let scalar, nil) = type.unwrapped, scalar.traits.number != nil else {
      throw mismatch("'\(text.prefix(40))' is a number", type, range)
    }
    guard let value = try Self.number(text, scalar) else {
      throw error("'\(text.prefix(40))' is not a value of '\(scalar.rawValue)'", range)
    }
    return constant(value, type)
  }

  /// Parses a number as Swift reads the literal. Returns `nil` if the type cannot represent it.
  private static func number(_ text: String, _ scalar: ScalarType) throws -> (any FilterScalar)? {
    let integer = Literal.integer(text)
    let digits = text.replacing("_", with: "")
    let real = digits.contains(where: \.isNumber) ? integer.map { Double($0) } ?? Double(digits) : nil
    switch scalar {
    case .double: return real
    case .float: return integer.map { Float($0) } ?? (real == nil ? nil : Float(digits))
    case .decimal:
      guard let integer else { return real.flatMap { $0.isFinite ? Decimal($0) : nil } }
      return Decimal(string: "\(integer)")
    default:
      func open<Value: FilterScalar & FixedWidthInteger>(_: Value.Type) -> Value? {
        integer.flatMap { Value(exactly: $0) }
      }
      return (scalar.filterType as? any (FilterScalar & FixedWidthInteger).Type).flatMap { open($0) }
    }
  }

  /// Reads `.business` or `.now`.
  private func caseOrStatic(_ text: String, _ expected: FilterType?, _ range: Range<Int>) throws -> TypedNode {
    let name = Self.plain(String(text.dropFirst()))
    guard let expected else {
      throw error("'\(text.prefix(40))' needs a property to compare with", range)
    }
    switch expected.unwrapped {
    case .scalar(_, let type?): return try enumCase(name, of: type, expected, range)
    case .scalar(.date, nil):
      guard let date = Self.date(named: name) else { break }
      return constant(date, expected)
    case .hidden(let type):
      throw error("'\(type)' cannot be read in a filter; it can only be compared with nil", range)
    default: break
    }
    if name == "none", expected.isOptional { return nilNode(expected) }
    throw error("'\(text.prefix(40))' is not a value of '\(expected.unwrapped)' that a filter knows", range)
  }

  private func enumCase(
    _ name: String, of type: String, _ expected: FilterType, _ range: Range<Int>
  ) throws -> TypedNode {
    let cases = model.types.enums[type]?.cases ?? []
    guard let found = cases.first(where: { Self.plain($0.name) == name }) else {
      let names = cases.map(\.name)
      let help =
        NearestName.find(name, in: names).map { ": did you mean '.\($0)'?" }
        ?? (names.isEmpty
          ? ": compare 'rawValue'" : ": it has \(names.prefix(12).map { "'.\($0)'" }.joined(separator: ", "))")
      throw error("'\(type)' has no case '\(name.prefix(40))'\(help)", range)
    }
    guard case .scalar(let scalar, _) = expected.unwrapped, let value = try Self.rawValue(found.rawValue, scalar) else {
      throw error("the raw value of '.\(name)' is not known", range)
    }
    func open<Value: FilterScalar>(_ value: Value) -> TypedNode { constant(value, expected) }
    return open(value)
  }

  private static func rawValue(_ value: ResolvedEnum.RawValue?, _ scalar: ScalarType) throws -> (any FilterScalar)? {
    switch value {
    case .string(let text): scalar == .character ? text.first.map { $0 as any FilterScalar } : text
    case .integer(let number): try number < 0 ? Self.number("\(number)", scalar) : Self.number("\(number)", scalar)
    case .other(let text): try Self.number(text, scalar)
    case nil: nil
    }
  }

  // MARK: constants of types without literals

  /// Reads `Date("2026-01-31")`, `Date.now`, `TripKind.business` and similar constants; otherwise returns `nil`.
  mutating func constructed(_ expression: FilterExpression) throws -> TypedNode? {
    switch expression.kind {
    case .member(let base, let name):
      guard let type = typeName(base) else { return nil }
      if type == "Date", let date = Self.date(named: name) { return constant(date, .scalar(.date)) }
      guard case .scalar(let scalar, let enumeration?)? = declaredType(type) else { return nil }
      return try enumCase(
        Self.plain(name), of: enumeration, .scalar(scalar, named: enumeration), expression.range)
    case .call(let callee, let arguments):
      if case .name(let name) = callee.kind, names[name] == nil, let scalar = ScalarType(rawValue: name) {
        return try construct(scalar, arguments, expression.range)
      }
      guard case .member(let base, "addingTimeInterval") = callee.kind, arguments.count == 1,
        arguments[0].label == nil
      else { return nil }
      guard let date = try read(base, expecting: .scalar(.date)).constant as? Date else {
        throw error("'addingTimeInterval' is only possible with a date in the text, such as 'Date.now'", base.range)
      }
      return constant(date.addingTimeInterval(try interval(arguments[0].value)), .scalar(.date))
    default: return nil
    }
  }

  /// Returns the expression as a type name, if it begins with a capital letter.
  private func typeName(_ expression: FilterExpression) -> String? {
    switch expression.kind {
    case .name(let name): return names[name] == nil && name.first?.isUppercase == true ? name : nil
    case .member(let base, let name):
      guard name.first?.isUppercase == true, let outer = typeName(base) else { return nil }
      return "\(outer).\(name)"
    default: return nil
    }
  }

  private func declaredType(_ name: String) -> FilterType? {
    guard model.types.enums[name] != nil else { return nil }
    return model.types.type(.enumeration(name))
  }

  private static func date(named name: String) -> Date? {
    switch name {
    case "now": .now
    case "distantPast": .distantPast
    case "distantFuture": .distantFuture
    default: nil
    }
  }

  private func interval(_ expression: FilterExpression) throws -> Double {
    guard let seconds = seconds(expression), seconds.isFinite else {
      throw error("a number of seconds is needed here, such as '-7 * 86_400'", expression.range)
    }
    return seconds
  }

  /// Evaluates constant arithmetic. Returns `nil` for any other expression.
  private func seconds(_ expression: FilterExpression) -> Double? {
    switch expression.kind {
    case .literal:
      return (try? number(source(expression), .scalar(.double), expression.range))?.constant as? Double
    case .parenthesized(let content): return seconds(content)
    case .prefix("-", let content): return seconds(content).map { -$0 }
    case .binary(let left, let sign, let right):
      guard isLiteral(expression), let left = seconds(left), let right = seconds(right) else { return nil }
      switch sign {
      case "+": return left + right
      case "-": return left - right
      case "*": return left * right
      case "/": return left / right
      default: return nil
      }
    default: return nil
    }
  }

  private mutating func construct(
    _ scalar: ScalarType, _ arguments: [FilterExpression.Argument], _ range: Range<Int>
  ) throws -> TypedNode {
    let type = FilterType.scalar(scalar)
    guard arguments.count <= 1 else { throw error(Self.forms(scalar), range) }
    let argument = arguments.first
    switch (scalar, argument?.label, argument) {
    case (.date, nil, nil): return constant(Date.now, type)
    case (.date, "timeIntervalSinceReferenceDate", let argument?):
      return constant(Date(timeIntervalSinceReferenceDate: try interval(argument.value)), type)
    case (.date, "timeIntervalSince1970", let argument?):
      return constant(Date(timeIntervalSince1970: try interval(argument.value)), type)
    case (.date, "timeIntervalSinceNow", let argument?):
      return constant(Date(timeIntervalSinceNow: try interval(argument.value)), type)
    case (.date, nil, let argument?):
      return constant(try parsed(argument, range, scalar, Self.date(text:)), type)
    case (.uuid, nil, let argument?), (.uuid, "uuidString", let argument?):
      let value = try parsed(argument, range, scalar) { UUID(uuidString: $0) }
      return constant(value, argument.label == nil ? type : type.optional)
    case (.url, nil, let argument?), (.url, "string", let argument?):
      let value = try parsed(argument, range, scalar) { URL(string: $0) }
      return constant(value, argument.label == nil ? type : type.optional)
    case (.decimal, nil, let argument?), (.decimal, "string", let argument?):
      if argument.label == nil, !source(argument.value).hasPrefix("\"") {
        return try read(argument.value, as: type)
      }
      let value = try parsed(argument, range, scalar, Self.decimal(text:))
      return constant(value, argument.label == nil ? type : type.optional)
    case (.data, "base64Encoded", let argument?):
      return constant(try parsed(argument, range, scalar) { Data(base64Encoded: $0) }, type.optional)
    default: throw error(Self.forms(scalar), range)
    }
  }

  private mutating func parsed<Value>(
    _ argument: FilterExpression.Argument, _ range: Range<Int>, _ scalar: ScalarType, _ parse: (String) -> Value?
  ) throws -> Value {
    guard let text = try read(argument.value, as: .string).constant as? String, let value = parse(text) else {
      throw error("this text is not a '\(scalar.rawValue)': \(Self.forms(scalar))", argument.value.range)
    }
    return value
  }

  /// Lists the accepted constants for a type that has no literals.
  private static func forms(_ scalar: ScalarType) -> String {
    switch scalar {
    case .date:
      "write 'Date(\"2026-01-31T00:00:00Z\")', 'Date(\"2026-01-31\")', 'Date.now' or "
        + "'Date(timeIntervalSinceReferenceDate: 0)'"
    case .uuid: "write 'UUID(\"00000000-0000-0000-0000-000000000000\")'"
    case .url: "write 'URL(\"https://example.com\")'"
    case .decimal: "write 'Decimal(\"12.30\")'"
    case .data: "write 'Data(base64Encoded: \"…\")!'"
    default: "values of '\(scalar.rawValue)' are written as literals"
    }
  }

  /// Parses ISO 8601 text. A date with no time is midnight in UTC.
  private static func date(text: String) -> Date? {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
    return (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (text.utf8.count == 10 ? try? Date.ISO8601FormatStyle().year().month().day().parse(text) : nil)
  }

  /// Parses text that consists only of a decimal number.
  private static func decimal(text: String) -> Decimal? {
    let characters = Set("0123456789+-.eE")
    guard !text.isEmpty, text.utf8.count < 200, text.allSatisfy(characters.contains) else { return nil }
    return Decimal(string: text)
  }
}

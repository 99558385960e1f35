import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import SwiftSource

/// The emission plan for a default value.
///
/// A plain value is repeated wherever it is needed. Any other value becomes a static function, so that the compiler
/// reports errors in the schema file, and a public initializer can use the value even if the expression contains
/// internal names.
struct DefaultPlan {
  let name: String
  /// The value's source text, with the name of an enum removed.
  let text: SwiftText
  let type: TypeRef
  /// The type that contains the static function; `nil` if the value is plain.
  let owner: TypeRef?

  init(_ text: SwiftText, of name: String, _ type: ValueType, in owner: TypeRef, types: TypeTable) {
    var text = text
    text.text = Self.withoutEnum(text.text, type, types)
    self.text = text
    self.name = name
    self.type = types.swift(type)
    self.owner = Self.isPlain(text.text, type, types) ? nil : owner
  }

  var value: Code { owner.map { "\($0).\(function)()" } ?? "\(carried: text.text)" }

  /// The value with an explicit type, for places where the type cannot be inferred.
  var typedValue: Code { owner == nil ? "(\(value) as \(type))" : value }

  func declaration(_ schema: SchemaPlan, access: Access) -> Declaration? {
    guard owner != nil else { return nil }
    // Always on a single line, so that line numbers match the schema file.
    let level = access == .internal ? "" : access.rawValue + " "
    let code: Code =
      "\(carried: level)static func \(function)() -> \(type) { \(carried: text.text) }"
    return .carried(schema.carried(text, adapted: code.text))
  }

  private var function: Code { "\(name: "_$default_" + name)" }

  /// Shortens `Kind.personal` to `.personal`, because `Kind` may not be visible where the value is needed. Keeps the
  /// name before `.none` and `.some` of an optional type, which would otherwise refer to `Optional`.
  private static func withoutEnum(_ text: String, _ type: ValueType, _ types: TypeTable) -> String {
    guard case .enumeration(let name) = type.unwrapped else { return text }
    let isOptional = type.isOptional
    let file = SourceFile(path: "", text: text)
    let tokens = Lexer.lex(file, index: 0).0.dropLast()
    let kinds: Set<TokenKind> = [.identifier, .period]
    guard tokens.count > 2, tokens.allSatisfy({ kinds.contains($0.kind) }), let last = tokens.last,
      last.kind == .identifier
    else { return text }
    let type = tokens.dropLast(2).last.map { file.text(from: Int($0.start), to: Int($0.end)) }
    let member = file.text(from: Int(last.start), to: Int(last.end))
    guard type == name.parts(separatedBy: ".").last, types.cases[name]?.contains(member) == true,
      !isOptional || !["none", "some"].contains(member)
    else { return text }
    return "." + member
  }

  /// Returns true if an expression is valid everywhere and always means the same: a literal, an enum case or a common
  /// call.
  static func isPlain(_ text: String, _ type: ValueType, _ types: TypeTable) -> Bool {
    // Other types may be `ExpressibleByNilLiteral` and create a value from `nil`.
    if text == "nil" { return type.isOptional }
    // If the property's type is different, the app declares a type of this name.
    if let scalar = calls[text], type.unwrapped == .scalar(scalar) { return true }
    let file = SourceFile(path: "", text: text)
    var tokens = Lexer.lex(file, index: 0).0.dropLast()[...]
    if let first = tokens.first, first.kind == .period { return isMember(tokens, file, type, types) }
    if let first = tokens.first, first.kind == .leftBracket, tokens.last?.kind == .rightBracket {
      let isDictionary = tokens.contains { $0.kind == .colon }
      let elements = tokens.dropFirst().dropLast().split { $0.kind == .comma || $0.kind == .colon }
      return elements.allSatisfy { isLiteral($0, file) } && !(isDictionary && elements.count > 8)
    }
    if tokens.first?.kind == .operatorSign { tokens = tokens.dropFirst() }
    return isLiteral(tokens, file)
  }

  private static let calls: [String: ScalarType] = [
    "Date()": .date, "Date.now": .date, "UUID()": .uuid, "UUID().uuidString": .string, "Data()": .data,
  ]

  private static func isLiteral(_ tokens: ArraySlice<Token>, _ file: SourceFile) -> Bool {
    guard tokens.count == 1, let token = tokens.first else { return false }
    switch token.kind {
    case .integer, .float: return true
    case .string:
      return !file.bytes[Int(token.start)..<Int(token.end)].contains {
        $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "(")
      }
    case .identifier: return [.nil, .true, .false].contains(token.keyword)
    default: return false
    }
  }

  /// Returns true for a case or a standard member of the type. Other static members may be private.
  private static func isMember(
    _ tokens: ArraySlice<Token>, _ file: SourceFile, _ type: ValueType, _ types: TypeTable
  ) -> Bool {
    guard tokens.count == 2, let last = tokens.last, last.kind == .identifier else { return false }
    let member = file.text(from: Int(last.start), to: Int(last.end))
    switch type {
    case .scalar(let scalar): return scalar.members.contains(member)
    case .enumeration(let name):
      return types.cases[name]?.contains(member.replacing("`", with: "")) == true
    case .optional(let wrapped): return isMember(tokens, file, wrapped, types)
    case .structure, .opaque, .array, .set, .dictionary: return false
    }
  }
}

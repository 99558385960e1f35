import SchemaDiagnostics
import SchemaSyntax

/// Checks literal default values against the property type. Other expressions are left to the Swift compiler.
struct DefaultCheck {
  let names: SchemaNames

  func check(_ value: ExpressionSyntax, of type: ReferencedType) -> [Diagnostic] {
    // The lexer has already reported curly quotation marks.
    if value.constructedType != nil || value.tree.tokens[value.firstToken].kind == .curlyString { return [] }
    let isOptional = if case .optional = type { true } else { false }
    let shape = value.shape
    if shape == .null {
      // In a Swift file, the type may be an alias of an optional type.
      if case .opaque = type, value.tree.file.swift != nil { return [] }
      // The parser has already reported `null`.
      return isOptional || value.text == "null" ? [] : [mismatch(value, type)]
    }
    switch type.unwrapped {
    case .scalar(let scalar): return check(value, shape, scalar, type)
    case .enumeration(let name): return check(value, shape, enumeration: name, type)
    case .structure: return isLiteral(shape) ? [mismatch(value, type)] : []
    case .array, .set:
      return isCollectionMismatch(shape, array: true) ? [mismatch(value, type)] : []
    case .dictionary:
      return isCollectionMismatch(shape, array: false) ? [mismatch(value, type)] : []
    case .model, .opaque, .optional, .unstorable: return []
    }
  }

  private func isLiteral(_ shape: ExpressionSyntax.Shape) -> Bool {
    switch shape {
    case .boolean, .integer, .float, .string, .emptyArray, .emptyDictionary, .array, .dictionary:
      true
    case .null, .member, .call, .typeMember, .other: false
    }
  }

  private func isCollectionMismatch(_ shape: ExpressionSyntax.Shape, array: Bool) -> Bool {
    switch shape {
    case .boolean, .integer, .float, .string: true
    case .emptyArray, .array: !array
    case .emptyDictionary, .dictionary: array
    case .null, .member, .call, .typeMember, .other: false
    }
  }

  private func check(
    _ value: ExpressionSyntax, _ shape: ExpressionSyntax.Shape, _ scalar: ScalarType, _ type: ReferencedType
  ) -> [Diagnostic] {
    let fits: Bool
    switch shape {
    case .integer(let text):
      guard scalar.traits.number != nil else { return [mismatch(value, type)] }
      return isInRange(text, scalar) ? [] : [.outOfRange(value, scalar)]
    case .float: fits = scalar.traits.number != nil && scalar.integer == nil
    case .boolean: fits = scalar == .bool
    case .string(let text):
      if scalar == .character {
        let isOne = Literal.string(text).map { $0.count == 1 } ?? true
        fits = isOne
      } else {
        // A Swift file may extend the type to be `ExpressibleByStringLiteral`.
        fits = scalar == .string || value.tree.file.isSwift && scalar.traits.number == nil && scalar != .bool
      }
    case .emptyArray, .emptyDictionary, .array, .dictionary: fits = false
    case .null, .member, .call, .typeMember, .other: fits = true
    }
    return fits ? [] : [mismatch(value, type)]
  }

  private func mismatch(_ value: ExpressionSyntax, _ type: ReferencedType) -> Diagnostic {
    let text = value.text
    let shown = text.count > 40 || text.contains(where: \.isNewline) ? "this literal" : "'\(text)'"
    let message = "\(shown) is not a value of type '\(type.spelling)'"
    if let meant = meant(by: value, type.unwrapped) {
      return Diagnostic(
        .defaultTypeMismatch, at: value.range, message, help: "write '\(meant)'",
        fixIts: [.replace(value.range, with: meant, title: "write '\(meant)'")])
    }
    return Diagnostic(
      .defaultTypeMismatch, at: value.range, message,
      help: example(of: type.unwrapped).map { example in
        value.shape == .null
          ? "write a value such as '\(example)', or '\(type.spelling)?' as the type"
          : "write a value such as '\(example)'"
      })
  }

  /// Returns the intended value of a literal with the wrong type, such as `false` for `"no"`.
  private func meant(by value: ExpressionSyntax, _ type: ReferencedType) -> String? {
    var word: String?
    if case .string(let text) = value.shape { word = Literal.string(text) }
    switch type {
    case .scalar(.bool):
      switch word?.lowercased() ?? value.text {
      case "true", "yes", "on", "1": return "true"
      case "false", "no", "off", "0", "": return "false"
      default: return nil
      }
    case .scalar(.string):
      switch value.shape {
      case .integer, .float, .boolean: return "\"\(value.text)\""
      default: return nil
      }
    case .scalar(let scalar):
      guard let word, scalar.traits.number != nil else { return nil }
      let parts = word.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
      else { return nil }
      let fits = parts.count == 1 ? isInRange(word, scalar) : parts.count == 2 && scalar.integer == nil
      return fits ? word : nil
    case .enumeration(let name): return word.flatMap { names.isCase($0, of: name) ? ".\(Keyword.name($0))" : nil }
    case .array, .set: return [.null, .emptyDictionary].contains(value.shape) ? "[]" : nil
    case .dictionary: return [.null, .emptyArray].contains(value.shape) ? "[:]" : nil
    default: return nil
    }
  }

  /// Returns an example of a default value, as written in source.
  private func example(of type: ReferencedType) -> String? {
    switch type {
    case .scalar(let scalar): scalar.traits.example
    case .enumeration(let name): names.cases(of: name).first.map { ".\(Keyword.name($0))" }
    case .structure(let name): "\(name)(…)"
    case .array, .set: "[]"
    case .dictionary: "[:]"
    default: nil
    }
  }

  private func isInRange(_ text: String, _ scalar: ScalarType) -> Bool {
    guard let (isSigned, bits) = scalar.integer else { return true }
    guard let value = Literal.integer(text) else {
      // A literal with invalid digits or with more than 128 bits is never in range.
      return false
    }
    let limit = Int128(1) << (isSigned ? bits - 1 : bits)
    return value < limit && value >= (isSigned ? -limit : 0)
  }

  private func check(
    _ value: ExpressionSyntax, _ shape: ExpressionSyntax.Shape, enumeration name: String, _ type: ReferencedType
  ) -> [Diagnostic] {
    // The Swift compiler checks the cases of enums in Swift files.
    guard names.types[name] != nil else { return [] }
    let member: String
    switch shape {
    case .member(let word, _): member = word
    case .typeMember(let parts, let word) where parts.last == name: member = word
    default: return isLiteral(shape) ? [mismatch(value, type)] : []
    }
    if names.isCase(member, of: name) || names.enumMembers[name]?.contains(member) ?? false { return [] }
    if ["init", "none", "some", "allCases"].contains(member) { return [] }
    let cases = names.cases(of: name)
    return [.notACase(member, name, cases, names.suggestions.nearest(to: member, in: Array(cases.prefix(300))), value)]
  }
}

extension ReferencedType {
  /// The type as written in source.
  var spelling: String {
    switch self {
    case .scalar(let scalar): scalar.rawValue
    case .enumeration(let name), .structure(let name), .model(let name), .opaque(let name, _),
      .unstorable(let name):
      name
    case .optional(let type): type.spelling + "?"
    case .array(let type): "[\(type.spelling)]"
    case .set(let type): "Set<\(type.spelling)>"
    case .dictionary(let key, let value): "[\(key.spelling): \(value.spelling)]"
    }
  }
}

extension Diagnostic {
  fileprivate static func outOfRange(_ value: ExpressionSyntax, _ scalar: ScalarType) -> Self {
    let bounds = scalar.integer.map { isSigned, bits in
      let limit = Int128(1) << (isSigned ? bits - 1 : bits)
      return "write a number from \(isSigned ? -limit : 0) to \(limit - 1)"
    }
    return Self(
      .defaultOutOfRange, at: value.range, "'\(value.text)' does not fit into '\(scalar.rawValue)'", help: bounds)
  }

  fileprivate static func notACase(
    _ member: String, _ name: String, _ cases: [String], _ nearest: String?, _ value: ExpressionSyntax
  ) -> Self {
    Self(
      .defaultNotACase, at: value.range, "'\(member)' is not a case of '\(name)'",
      help: nearest.map { "did you mean '.\($0)'?" }
        ?? "cases are \(cases.prefix(8).map { "'.\($0)'" }.joined(separator: ", "))",
      fixIts: nearest.map {
        [.replace(value.range, with: ".\($0)", title: "replace it with '.\($0)'")]
      } ?? [])
  }
}

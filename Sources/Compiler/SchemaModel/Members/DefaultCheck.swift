import SchemaDiagnostics
import SchemaSyntax

/// Holds literal default values against the type they are for. What is not a literal is Swift's.
struct DefaultCheck {
  let names: SchemaNames

  func check(_ value: ExpressionSyntax, of type: ReferencedType) -> [Diagnostic] {
    if value.constructedType != nil { return [] }
    let isOptional = if case .optional = type { true } else { false }
    let shape = value.shape
    if shape == .null {
      // The type may be an alias of an optional type, where Swift sees the declaration of the property.
      if case .opaque = type, value.tree.file.swift != nil { return [] }
      return isOptional ? [] : [.mismatch(value, type)]
    }
    switch type.unwrapped {
    case .scalar(let scalar): return check(value, shape, scalar, type)
    case .enumeration(let name): return check(value, shape, enumeration: name, type)
    case .structure: return isLiteral(shape) ? [.mismatch(value, type)] : []
    case .array, .set:
      return isCollectionMismatch(shape, array: true) ? [.mismatch(value, type)] : []
    case .dictionary:
      return isCollectionMismatch(shape, array: false) ? [.mismatch(value, type)] : []
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
      guard scalar.traits.number != nil else { return [.mismatch(value, type)] }
      return isInRange(text, scalar) ? [] : [.outOfRange(value, scalar)]
    case .float: fits = scalar.traits.number != nil && scalar.integer == nil
    case .boolean: fits = scalar == .bool
    case .string(let text):
      if scalar == .character {
        let isOne = Literal.string(text).map { $0.count == 1 } ?? true
        fits = isOne
      } else {
        // An extension in a Swift file may make the type `ExpressibleByStringLiteral`.
        fits = scalar == .string || value.tree.file.isSwift && scalar.traits.number == nil && scalar != .bool
      }
    case .emptyArray, .emptyDictionary, .array, .dictionary: fits = false
    case .null, .member, .call, .typeMember, .other: fits = true
    }
    return fits ? [] : [.mismatch(value, type)]
  }

  private func isInRange(_ text: String, _ scalar: ScalarType) -> Bool {
    guard let (isSigned, bits) = scalar.integer else { return true }
    guard let value = Literal.integer(text) else {
      // More digits than 128 bits hold, or letters that are no digits: never in range.
      return false
    }
    let limit = Int128(1) << (isSigned ? bits - 1 : bits)
    return value < limit && value >= (isSigned ? -limit : 0)
  }

  private func check(
    _ value: ExpressionSyntax, _ shape: ExpressionSyntax.Shape, enumeration name: String, _ type: ReferencedType
  ) -> [Diagnostic] {
    // Cases of an enum in a Swift file are the compiler's to check.
    guard names.types[name] != nil else { return [] }
    let member: String
    switch shape {
    case .member(let word, _): member = word
    case .typeMember(let parts, let word) where parts.last == name: member = word
    default: return isLiteral(shape) ? [.mismatch(value, type)] : []
    }
    if names.isCase(member, of: name) || names.enumMembers[name]?.contains(member) ?? false { return [] }
    if ["init", "none", "some", "allCases"].contains(member) { return [] }
    let cases = names.cases(of: name)
    return [.notACase(member, name, cases, names.suggestions.nearest(to: member, in: Array(cases.prefix(300))), value)]
  }
}

extension ReferencedType {
  /// As a person would write it.
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
  fileprivate static func mismatch(_ value: ExpressionSyntax, _ type: ReferencedType) -> Self {
    let text = value.text
    let shown = text.count > 40 || text.contains(where: \.isNewline) ? "this literal" : "'\(text)'"
    return Self(
      .defaultTypeMismatch, at: value.range, "\(shown) is no value of type '\(type.spelling)'")
  }

  fileprivate static func outOfRange(_ value: ExpressionSyntax, _ scalar: ScalarType) -> Self {
    Self(
      .defaultOutOfRange, at: value.range, "'\(value.text)' does not fit into '\(scalar.rawValue)'")
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

import SchemaFacts
import SchemaModel
import SchemaSyntax
import SwiftSource

/// Spells names, types and copied text in Swift source.
enum SwiftNames {
  /// The maximum line width in a class, excluding the indentation.
  static let lineLength = 110

  /// Adds backticks to a name if Swift requires them. In `Trip.Kind`, each part is a separate name.
  static func escaped(_ name: String) -> String {
    name.split(separator: ".").map { part in
      let word = String(part)
      return Lexer.isPlainName("`\(word)`") ? SwiftKeyword.escaped(word) : "`\(word)`"
    }.joined(separator: ".")
  }

  /// Splits copied text into lines and removes the common indentation. The text starts after the first line's
  /// indentation, so that line is ignored.
  static func shifted(_ text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .map(String.init)
    let margin =
      lines.dropFirst().filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix { $0 == " " || $0 == "\t" }.count }
      .min() ?? 0
    for index in lines.indices.dropFirst() {
      lines[index] = String(lines[index].dropFirst(margin))
    }
    return lines
  }

  /// Splits a member's copied expression into lines. Only the member's indentation is removed, because multi-line
  /// string literals must keep the rest.
  static func outdented(_ text: String) -> [String] {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .map(String.init)
    let isInside = lines.dropFirst().allSatisfy { $0.hasPrefix("    ") || $0.allSatisfy(\.isWhitespace) }
    return lines.enumerated().map { $0 > 0 && isInside ? String($1.dropFirst(4)) : $1 }
  }

  static func documentation(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "///" : "/// \($0)" } }
}

/// Spells property types in Swift.
struct SwiftTypeNames {
  /// The schema's own type names, which may shadow scalar types.
  private let shadowed: Set<String>

  init(_ schema: ResolvedSchema) {
    shadowed = Set(schema.entities.map(\.name) + schema.enums.map(\.name) + schema.structs.map(\.name))
  }

  func spelling(_ type: ValueType) -> String {
    switch type {
    case .scalar(let scalar):
      shadowed.contains(scalar.rawValue) ? "\(scalar.module).\(scalar.rawValue)" : scalar.rawValue
    case .enumeration(let name), .structure(let name): SwiftNames.escaped(name)
    case .opaque(let text): text
    case .optional(let type): "\(spelling(type))?"
    case .array(let type): "[\(spelling(type))]"
    case .set(let type): "Set<\(spelling(type))>"
    case .dictionary(let key, let value): "[\(spelling(key)): \(spelling(value))]"
    }
  }

  func spelling(_ relationship: ResolvedRelationship) -> String {
    let model = SwiftNames.escaped(relationship.destination)
    return (relationship.isToMany ? "[\(model)]" : model) + (relationship.isOptional ? "?" : "")
  }
}

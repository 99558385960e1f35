import SchemaFacts
import SchemaModel
import SchemaSyntax
import SwiftSource

/// Spells names, types and copied text in Swift source.
enum SwiftNames {
  /// The width of a line in a class, without its indentation.
  static let lineLength = 110

  /// Returns a name in backticks if Swift requires them. The parts of `Trip.Kind` are separate names.
  static func escaped(_ name: String) -> String {
    name.split(separator: ".").map { part in
      let word = String(part)
      return Lexer.isPlainName("`\(word)`") ? SwiftKeyword.escaped(word) : "`\(word)`"
    }.joined(separator: ".")
  }

  /// Returns the lines of a copied text, shifted to the left margin. The text begins behind its first line's
  /// indentation, which is therefore unknown.
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

  /// Returns the lines of a copied expression, which starts in a class's member. Its text can contain string literals
  /// whose lines must keep their indentation, so it is moved only by the member's own indentation.
  static func outdented(_ text: String) -> [String] {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .map(String.init)
    let isInside = lines.dropFirst().allSatisfy { $0.hasPrefix("    ") || $0.allSatisfy(\.isWhitespace) }
    return lines.enumerated().map { $0 > 0 && isInside ? String($1.dropFirst(4)) : $1 }
  }

  static func documentation(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "///" : "/// \($0)" } }
}

/// The types of properties as Swift spells them.
struct SwiftTypeNames {
  /// The scalar types whose names the schema uses for its own types.
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

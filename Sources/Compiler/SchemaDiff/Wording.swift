import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// Formats values for change descriptions.
enum Wording {
  static func quoted(_ text: String?) -> String { text.map { "'\($0)'" } ?? "none" }

  /// `access changed from 'internal' to none`
  static func change(_ what: String, from old: String?, to new: String?) -> String {
    "\(what) changed from \(quoted(old)) to \(quoted(new))"
  }

  static func list(_ names: [String]) -> String {
    "[" + names.joined(separator: ", ") + "]"
  }

  /// Returns an expression on a single line, with whitespace collapsed.
  static func line(_ text: SwiftText?) -> String? {
    text?.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns true if two expressions have the same tokens.
  static func isSame(_ lhs: SwiftText?, _ rhs: SwiftText?) -> Bool {
    tokens(lhs) == tokens(rhs)
  }

  private static func tokens(_ text: SwiftText?) -> [String]? {
    guard let text else { return nil }
    let file = SourceFile(path: "", text: text.text)
    return Lexer.lex(file, index: 0).0.filter { $0.kind != .endOfFile }.map {
      file.text(from: Int($0.start), to: Int($0.end))
    }
  }
}

extension ValueType {
  /// The type's Swift spelling.
  var text: String {
    switch self {
    case .scalar(let scalar): scalar.rawValue
    case .enumeration(let name), .structure(let name), .opaque(let name): name
    case .optional(let wrapped): "\(wrapped.text)?"
    case .array(let element): "[\(element.text)]"
    case .set(let element): "Set<\(element.text)>"
    case .dictionary(let key, let value): "[\(key.text): \(value.text)]"
    }
  }
}

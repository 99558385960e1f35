import SchemaDiagnostics
import SchemaSyntax

/// Converts names and strings from a model to Swift syntax.
package enum CoreDataSpelling {
  /// Returns the Swift identifier; nil if the text is not a valid name.
  package static func name(_ text: String) -> String? {
    let file = SourceFile(path: "", text: text)
    let tokens = Lexer.lex(file, index: 0).0
    guard tokens.count == 2, tokens[0].kind == .identifier, !tokens[0].isQuoted, tokens[0].start == 0,
      Int(tokens[0].end) == file.bytes.count
    else { return nil }
    return tokens[0].keyword?.isReserved ?? false ? "`\(text)`" : text
  }

  /// Returns the text as a string literal.
  package static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns the text on a single line, for a comment.
  package static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

import SchemaDiagnostics
import SchemaSyntax

/// Finds a `static let` or `static var` in a type.
enum StaticMember {
  /// Returns the declaration's range, starting at `static`.
  static func find(_ name: String, in file: SwiftFile, _ tokens: Range<Int>) -> Range<Int>? {
    var token = tokens.lowerBound
    while token < tokens.upperBound {
      switch file.tokens[token].kind {
      case .leftBrace, .leftParen, .leftBracket: token = (file.closing(token) ?? tokens.upperBound) + 1
      case .identifier where file.text(token) == "static":
        let words: Set = ["var", "let", "nonisolated", "private", "fileprivate", "public", "internal", "package"]
        var next = token + 1
        while next < tokens.upperBound, words.contains(file.text(next)) { next += 1 }
        if next < tokens.upperBound, file.name(next) == name, ["var", "let"].contains(file.text(next - 1)) {
          return Int(file.tokens[token].start)..<Int(file.tokens[end(file, next, tokens.upperBound)].end)
        }
        token = next
      default: token += 1
      }
    }
    return nil
  }

  /// Returns the last token of the value, or the closing brace of the body.
  private static func end(_ file: SwiftFile, _ name: Int, _ limit: Int) -> Int {
    var last = name
    while last + 1 < limit {
      let next = last + 1
      if [.leftParen, .leftBracket, .leftBrace].contains(file.tokens[next].kind) {
        guard let close = file.closing(next), close < limit else { return last }
        last = close
      } else if file.tokens[next].startsLine
        && ![.period, .operatorSign, .equal, .colon].contains(file.tokens[next].kind)
        && ![.equal, .operatorSign, .colon].contains(file.tokens[last].kind) || file.tokens[next].kind == .semicolon
      {
        return last
      } else {
        last = next
      }
    }
    return last
  }
}

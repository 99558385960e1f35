import SchemaDiagnostics
import SchemaSyntax

/// The spaces between tokens in a declaration on a single line.
///
/// Expressions and bodies are not covered, because their layout remains as written.
enum Spacing {
  static func gap(_ index: Int, in tree: SyntaxTree, _ facts: GapFacts) -> Gap {
    let tokens = tree.tokens
    let (left, right) = (tokens[index - 1], tokens[index])
    let written: Gap = facts.isDisjoint(with: [.space, .lineBreak, .comment]) ? .nothing : .space
    if right.kind == .colon, left.kind == .colon { return written }
    // Keep the source: two periods would form an operator, and `1.a` would be parsed as a number with a fraction.
    if right.kind == .period, [.period, .operatorSign, .integer, .float, .version].contains(left.kind) {
      return written
    }
    switch left.kind {
    case .leftParen, .leftBracket, .leftAngle, .period, .at, .backslash: return .nothing
    case .comma, .colon, .semicolon, .equal, .leftBrace: return .space
    case .operatorSign: return isBinary(index - 1, tree) ? .space : written
    default: break
    }
    switch right.kind {
    case .rightParen, .rightBracket, .rightAngle, .comma, .colon, .semicolon, .question, .exclamation,
      .period, .leftAngle:
      return .nothing
    case .equal, .leftBrace, .rightBrace, .at, .backslash, .directive: return .space
    case .operatorSign: return isBinary(index, tree) ? .space : written
    case .leftParen: return beforeParenthesis(index, tree, written)
    case .leftBracket: return written
    case .identifier, .integer, .float, .version, .string:
      switch left.kind {
      case .identifier, .integer, .float, .version, .string, .rightParen, .rightBracket, .rightAngle,
        .directive, .rightBrace, .question:
        return .space
      default: return written
      }
    default: return written
    }
  }

  /// Returns no space for `Set<Int>(`, `#Unique(` and `case a(`; returns the original gap for `@Sendable (Int)` and
  /// `any (P & Q)`.
  private static func beforeParenthesis(_ index: Int, _ tree: SyntaxTree, _ written: Gap) -> Gap {
    let left = tree.tokens[index - 1]
    switch left.kind {
    case .rightAngle, .directive: return .nothing
    case .identifier:
      if index > 1, tree.tokens[index - 2].kind == .at { return written }
      return left.keyword.map(wordsOfTypes.contains) ?? false ? written : .nothing
    default: return written
    }
  }

  private static let wordsOfTypes: Set<Keyword> = [
    .any, .some, .inout, .async, .throws, .rethrows, .borrowing, .consuming,
  ]

  /// Returns true for `->`, `&` and `==`. The remaining operators can be prefix or postfix operators.
  private static func isBinary(_ index: Int, _ tree: SyntaxTree) -> Bool {
    let start = Int(tree.tokens[index].start)
    let bytes = tree.file.bytes
    switch Int(tree.tokens[index].end) - start {
    case 1: return bytes[start] == 0x26
    case 2: return bytes[start + 1] == 0x3E && bytes[start] == 0x2D || bytes[start] == 0x3D && bytes[start + 1] == 0x3D
    default: return false
    }
  }
}

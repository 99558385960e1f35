import SchemaDiagnostics
import SchemaSyntax

/// Verifies that formatted text parses to the original declarations.
enum FormatCheck {
  static func isSame(_ text: [UInt8], as tree: SyntaxTree) -> Bool {
    let (other, diagnostics) = Parser.parse(
      SourceFile(path: tree.file.path, bytes: text), index: tree.fileIndex)
    guard !diagnostics.hasErrors, other.hasSameNodes(as: tree) else { return false }
    return haveSameTokens(other, tree)
  }

  /// Returns true if a file parses without errors.
  static func isWhole(_ tree: SyntaxTree) -> Bool {
    !Parser.parse(tree.file, index: tree.fileIndex).1.hasErrors
  }

  /// Returns true if both trees have equal tokens, except for superfluous semicolons and commas.
  private static func haveSameTokens(_ new: SyntaxTree, _ old: SyntaxTree) -> Bool {
    old.file.bytes.withUnsafeBufferPointer { oldBytes in
      new.file.bytes.withUnsafeBufferPointer { newBytes in
        var next = 0
        for token in new.tokens {
          while next < old.tokens.count, !isEqual(token, newBytes, old.tokens[next], oldBytes) {
            guard old.tokens[next].kind == .semicolon || isTrailingComma(next, old) else { return false }
            next += 1
          }
          guard next < old.tokens.count else { return false }
          next += 1
        }
        return next == old.tokens.count
      }
    }
  }

  private static func isTrailingComma(_ index: Int, _ tree: SyntaxTree) -> Bool {
    guard tree.tokens[index].kind == .comma, index + 1 < tree.tokens.count else { return false }
    return [.rightParen, .rightBracket].contains(tree.tokens[index + 1].kind)
  }

  private static func isEqual(
    _ left: Token, _ leftBytes: UnsafeBufferPointer<UInt8>, _ right: Token,
    _ rightBytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard left.kind == right.kind, left.end - left.start == right.end - right.start else { return false }
    return leftBytes[Int(left.start)..<Int(left.end)].elementsEqual(
      rightBytes[Int(right.start)..<Int(right.end)])
  }
}

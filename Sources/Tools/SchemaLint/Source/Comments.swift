import SchemaDiagnostics
import SchemaSyntax

/// Finds comments in a file.
enum Comments {
  /// Returns the lines that contain text in all comments, excluding delimiters and surrounding spaces.
  static func lines(of tree: SyntaxTree) -> [(range: SourceRange, text: Substring)] {
    var lines: [(range: SourceRange, text: Substring)] = []
    for token in tree.tokens.indices {
      let start = tree.triviaStart(ofToken: token)
      let end = Int(tree.tokens[token].start)
      // Most trivia is a single space.
      guard end - start > 2, tree.file.bytes[start..<end].contains(0x2F) else { continue }
      add(tree, start, end, &lines)
    }
    return lines
  }

  private static func add(
    _ tree: SyntaxTree, _ start: Int, _ end: Int, _ lines: inout [(range: SourceRange, text: Substring)]
  ) {
    let bytes = tree.file.bytes
    var offset = start
    while offset < end {
      var lineEnd = offset
      while lineEnd < end, bytes[lineEnd] != 0x0A, bytes[lineEnd] != 0x0D { lineEnd += 1 }
      var first = offset
      var last = lineEnd
      // Remove slashes, asterisks and spaces.
      while first < last, [0x20, 0x09, 0x2F, 0x2A].contains(bytes[first]) { first += 1 }
      while last > first, [0x20, 0x09, 0x2F, 0x2A].contains(bytes[last - 1]) { last -= 1 }
      if first < last {
        let range = SourceRange(file: tree.fileIndex, start: first, end: last)
        lines.append((range, tree.file.text(from: first, to: last)[...]))
      }
      offset = lineEnd + 1
    }
  }
}

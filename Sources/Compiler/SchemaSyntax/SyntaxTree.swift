package import SchemaDiagnostics

/// A file's tokens and the nodes that contain them. The complete text is preserved.
///
/// Tokens and nodes are two flat arrays, with nodes in preorder. The tree is an immutable class, so that its many small
/// views share a single reference.
package final class SyntaxTree: Sendable {
  struct Node: Sendable {
    var kind: SyntaxKind
    /// Index of the first token.
    var first: Int32
    /// Index after the last token.
    var end: Int32
    /// Index after the last descendant.
    var nodeEnd: Int32
  }

  package let file: SourceFile
  package let fileIndex: Int
  package let tokens: [Token]
  let nodes: [Node]
  /// True if every `{` in the file has a matching `}`. Otherwise a member may be read as part of a body.
  package let isBalanced: Bool

  init(file: SourceFile, fileIndex: Int, tokens: [Token], nodes: [Node], isBalanced: Bool) {
    self.isBalanced = isBalanced
    self.file = file
    self.fileIndex = fileIndex
    self.tokens = tokens
    self.nodes = nodes
  }

  package var root: SyntaxNode { SyntaxNode(tree: self, index: 0) }

  package func text(ofToken index: Int) -> String {
    file.text(from: Int(tokens[index].start), to: Int(tokens[index].end))
  }

  /// Returns the source between two tokens, with line breaks and comments between tokens replaced by a space, so that
  /// comparisons do not depend on the layout.
  package func lineText(ofTokens range: Range<Int>) -> String {
    guard let first = range.first, let last = range.last else { return "" }
    let bytes = file.bytes
    var result: [UInt8] = []
    var start = Int(tokens[first].start)
    for index in range.dropFirst() {
      let gap = triviaStart(ofToken: index)..<Int(tokens[index].start)
      guard bytes[gap].contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x2F }) else { continue }
      result += bytes[start..<gap.lowerBound]
      result.append(0x20)
      start = gap.upperBound
    }
    let end = Int(tokens[last].end)
    return result.isEmpty
      ? file.text(from: start, to: end) : String(decoding: result + bytes[start..<end], as: UTF8.self)
  }

  /// Returns the name that a token spells, excluding backticks.
  package func name(ofToken index: Int) -> String {
    let token = tokens[index]
    let inset = token.isQuoted ? 1 : 0
    return file.text(from: Int(token.start) + inset, to: Int(token.end) - inset)
  }

  package func range(ofToken index: Int) -> SourceRange {
    SourceRange(file: fileIndex, start: Int(tokens[index].start), end: Int(tokens[index].end))
  }

  /// Returns the offset of the trivia before a token.
  package func triviaStart(ofToken index: Int) -> Int {
    index == 0 ? 0 : Int(tokens[index - 1].end)
  }

  /// True if both trees have the same nodes in the same order, regardless of tokens.
  package func hasSameNodes(as other: SyntaxTree) -> Bool {
    guard nodes.count == other.nodes.count else { return false }
    for index in nodes.indices {
      let (node, counterpart) = (nodes[index], other.nodes[index])
      guard node.kind == counterpart.kind, node.nodeEnd == counterpart.nodeEnd else { return false }
    }
    return true
  }

  /// Reassembles the file's bytes from the nodes, tokens and trivia.
  package func printed() -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(file.bytes.count)
    var next = 0
    func take(upTo end: Int) {
      while next < end {
        result.append(contentsOf: file.bytes[triviaStart(ofToken: next)..<Int(tokens[next].end)])
        next += 1
      }
    }
    // Preorder traversal with an explicit stack of pending ends, because a tree may be deep.
    var ends: [(node: Int, token: Int)] = []
    for (index, node) in nodes.enumerated() {
      while let last = ends.last, last.node <= index {
        take(upTo: last.token)
        ends.removeLast()
      }
      take(upTo: Int(node.first))
      ends.append((Int(node.nodeEnd), Int(node.end)))
    }
    while let last = ends.popLast() { take(upTo: last.token) }
    return result
  }
}

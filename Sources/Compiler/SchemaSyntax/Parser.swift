package import SchemaDiagnostics

/// Parses a file into a tree. Never fails: invalid text becomes a diagnostic and a node of unexpected tokens, and
/// parsing continues at the next declaration.
package struct Parser {
  /// Larger files are not parsed. A schema with a hundred thousand properties is a tenth of this size.
  package static let maximumFileSize = 64 << 20

  let file: SourceFile
  let fileIndex: Int
  let tokens: [Token]
  var position = 0
  var builder: TreeBuilder
  var diagnostics: [Diagnostic]
  /// Greater than zero during speculative parsing.
  var silence = 0
  /// True if every `{` in the file has a matching `}`. Otherwise a declaration that cannot be nested closes the open
  /// blocks.
  let isBalanced: Bool
  /// The position of the last reported error. A second error at the same token is ignored as a follow-up.
  var lastErrorPosition = -1

  package static func parse(_ file: SourceFile, index: Int) -> (SyntaxTree, [Diagnostic]) {
    guard file.bytes.count <= maximumFileSize else { return tooLarge(file, index: index) }
    let (tokens, problems) = Lexer.lex(file, index: index)
    var parser = Parser(file: file, index: index, tokens: tokens, diagnostics: problems)
    parser.parseFile()
    let tree = SyntaxTree(
      file: file, fileIndex: index, tokens: tokens, nodes: parser.builder.nodes, isBalanced: parser.isBalanced)
    return (tree, parser.diagnostics)
  }

  private init(file: SourceFile, index: Int, tokens: [Token], diagnostics: [Diagnostic]) {
    self.file = file
    fileIndex = index
    self.tokens = tokens
    self.diagnostics = diagnostics
    builder = TreeBuilder(tokenCount: tokens.count)
    var depth = 0
    for token in tokens {
      if token.kind == .leftBrace { depth += 1 }
      if token.kind == .rightBrace { depth -= 1 }
    }
    isBalanced = depth == 0
  }

  private static func tooLarge(_ file: SourceFile, index: Int) -> (SyntaxTree, [Diagnostic]) {
    let size = file.bytes.count
    let end = Token(kind: .endOfFile, start: size, end: size, startsLine: true)
    var builder = TreeBuilder(tokenCount: 1)
    let root = builder.open(.file, at: 0)
    builder.close(root, at: 1)
    let tree = SyntaxTree(file: file, fileIndex: index, tokens: [end], nodes: builder.nodes, isBalanced: true)
    return (tree, [.fileTooLarge(SourceRange(file: index, start: 0, end: 0), size: size)])
  }

  // The current token.

  var token: Token { tokens[position] }
  var kind: TokenKind { tokens[position].kind }
  var keyword: Keyword? { tokens[position].keyword }

  func at(_ kind: TokenKind) -> Bool { tokens[position].kind == kind }
  func at(_ keyword: Keyword) -> Bool { tokens[position].keyword == keyword }

  /// Returns the token at a distance ahead, or the last token.
  func peek(_ distance: Int = 1) -> Token { tokens[min(position + distance, tokens.count - 1)] }

  /// Moves to the next token. The end of the file is never passed.
  mutating func advance() {
    if tokens[position].kind != .endOfFile { position += 1 }
  }

  mutating func take(_ kind: TokenKind) -> Bool {
    guard at(kind) else { return false }
    advance()
    return true
  }

  /// True if a token directly follows the previous token.
  func isAdjacent(_ index: Int) -> Bool {
    index > 0 && tokens[index].start == tokens[index - 1].end
  }

  // Diagnostics.

  mutating func report(_ diagnostic: Diagnostic) {
    guard silence == 0 else { return }
    // The lexer has already reported these tokens, so the parser's errors about them are follow-ups.
    let isKnown =
      switch kind {
      case .unknown, .curlyString, .mergeMarker: true
      default: false
      }
    // A warning does not suppress an error at the same position.
    if diagnostic.severity == .error {
      guard lastErrorPosition != position else { return }
      lastErrorPosition = position
    }
    if !isKnown { diagnostics.append(diagnostic) }
  }

  func range(ofToken index: Int) -> SourceRange {
    SourceRange(file: fileIndex, start: Int(tokens[index].start), end: Int(tokens[index].end))
  }

  var currentRange: SourceRange { range(ofToken: position) }

  /// The empty range after the previous token, where something is missing.
  var gapRange: SourceRange {
    let end = position > 0 ? Int(tokens[position - 1].end) : 0
    return SourceRange(file: fileIndex, start: end, end: end)
  }

  func text(ofToken index: Int) -> String {
    file.text(from: Int(tokens[index].start), to: Int(tokens[index].end))
  }

  /// The current token as shown in messages: its text, or a description if the text may be long.
  var found: String {
    switch kind {
    case .endOfFile: "the end of the file"
    case .string, .regex: "a literal"
    default: "'\(text(ofToken: position).prefix(40))'"
    }
  }
}

extension Diagnostic {
  fileprivate static func fileTooLarge(_ range: SourceRange, size: Int) -> Self {
    Self(
      .unexpectedToken, at: range,
      "the file has \(size) bytes, more than the maximum of \(Parser.maximumFileSize)")
  }
}

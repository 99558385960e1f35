package import SchemaDiagnostics

/// Reads a file into a tree. Never fails: what it cannot read becomes a diagnostic and a node of
/// unexpected tokens, and reading goes on at the next declaration.
package struct Parser {
  /// Larger files are not read at all; a schema of a hundred thousand properties is a tenth of this.
  package static let maximumFileSize = 64 << 20

  let file: SourceFile
  let fileIndex: Int
  let tokens: [Token]
  var position = 0
  var builder: TreeBuilder
  var diagnostics: [Diagnostic]
  /// Above zero while something is only tried.
  var silence = 0
  /// Whether every `{` of the file has its `}`. When not, a declaration that can only stand outside
  /// ends the blocks that are open.
  let isBalanced: Bool
  /// Where the last error was reported; a second one at the same token would be an echo.
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

  // What is at the current position.

  var token: Token { tokens[position] }
  var kind: TokenKind { tokens[position].kind }
  var keyword: Keyword? { tokens[position].keyword }

  func at(_ kind: TokenKind) -> Bool { tokens[position].kind == kind }
  func at(_ keyword: Keyword) -> Bool { tokens[position].keyword == keyword }

  /// The token some places ahead, the last one when there are not so many.
  func peek(_ distance: Int = 1) -> Token { tokens[min(position + distance, tokens.count - 1)] }

  /// Takes one token; the end of the file is never taken.
  mutating func advance() {
    if tokens[position].kind != .endOfFile { position += 1 }
  }

  mutating func take(_ kind: TokenKind) -> Bool {
    guard at(kind) else { return false }
    advance()
    return true
  }

  /// Whether nothing lies between a token and the one before it.
  func isAdjacent(_ index: Int) -> Bool {
    index > 0 && tokens[index].start == tokens[index - 1].end
  }

  // Reporting.

  mutating func report(_ diagnostic: Diagnostic) {
    guard silence == 0 else { return }
    // The lexer has said what is wrong with these, and the parser stumbles over them again.
    let isKnown =
      switch kind {
      case .unknown, .curlyString, .mergeMarker: true
      default: false
      }
    // A warning in front of an error is none of it.
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

  /// The empty range behind the previous token, where something is missing.
  var gapRange: SourceRange {
    let end = position > 0 ? Int(tokens[position - 1].end) : 0
    return SourceRange(file: fileIndex, start: end, end: end)
  }

  func text(ofToken index: Int) -> String {
    file.text(from: Int(tokens[index].start), to: Int(tokens[index].end))
  }

  /// The current token for a message: its text, or what it is when that is long.
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
      "file of \(size) bytes is larger than the \(Parser.maximumFileSize) a schema file may have")
  }
}

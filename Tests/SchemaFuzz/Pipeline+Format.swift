import SchemaDiagnostics
import SchemaEmitter
import SchemaFormat
import SchemaModel
import SchemaSyntax

extension Pipeline {
  /// Checks that the canonical layout preserves the meaning, all tokens and comments, and does not change when
  /// formatted again.
  ///
  /// - Parameter emits: True to compare the generated Swift, too.
  mutating func checkFormat(of tree: SyntaxTree, _ compilation: SchemaCompilation, emits: Bool) {
    guard let formatted = SchemaFormatter.format(tree) else {
      let problems = Parser.parse(tree.file, index: 0).1
      if !problems.hasErrors { fail("a text that parses is not formatted") }
      return
    }
    countFormatted()
    let file = SourceFile(path: tree.file.path, bytes: formatted)
    let second = SchemaCompiler.compile([file])
    if second.schemas.map({ $0.fingerprint() }) != compilation.schemas.map({ $0.fingerprint() }) {
      fail("formatting changes the fingerprint")
    }
    if Self.kinds(second) != Self.kinds(compilation) { fail("formatting changes what is wrong") }
    if let tree = second.trees.first, SchemaFormatter.format(tree) != formatted {
      fail("formatting twice is not formatting once")
    }
    if emits, !compilation.hasErrors, Self.swift(compilation) != Self.swift(second) {
      fail("formatting changes the generated Swift")
    }
    let (old, new) = (TextParts(tree.file), TextParts(file))
    if old.tokens != new.tokens { fail("formatting changes tokens") }
    if old.comments != new.comments { fail("formatting changes comments") }
  }

  /// The diagnostics without those about semicolons, which the formatter removes.
  private static func kinds(_ compilation: SchemaCompilation) -> [String] {
    compilation.diagnostics.filter { $0.message != "';' at the end of a line has no effect" }
      .map { $0.id.code }.sorted()
  }
}

extension Pipeline {
  /// The tokens and comments of the generated Swift without line numbers and the copy of the schema.
  private static func swift(_ compilation: SchemaCompilation) -> [[UInt8]] {
    let input = EmissionInput(
      schemas: compilation.schemas, files: compilation.trees.map(\.file), module: "M", target: "M", access: .internal,
      root: "")
    return SchemaEmitter.emit(input).flatMap { file -> [[UInt8]] in
      let parts = TextParts(SourceFile(path: file.name, bytes: file.bytes))
      var result: [[UInt8]] = [parts.comments]
      var isPlace = false
      for token in parts.tokens {
        if token.elementsEqual("#sourceLocation".utf8) { isPlace = true }
        let isCopy =
          (token.first == 0x22 || token.starts(with: [0x23, 0x22]))
          && result.suffix(2).elementsEqual([Array("text".utf8), [0x3A]])
        if !isPlace, !isCopy { result.append(Array(token)) }
        if isPlace, token.elementsEqual(")".utf8) { isPlace = false }
      }
      return result
    }
  }
}

/// The parts of a source file that a change of layout must preserve.
struct TextParts {
  private(set) var tokens: [ArraySlice<UInt8>] = []
  /// The comments without spaces around their lines.
  private(set) var comments: [UInt8] = []

  init(_ file: SourceFile) {
    let all = Lexer.lex(file, index: 0).0
    let bytes = file.bytes
    var start = 0
    for (index, token) in all.enumerated() {
      addComments(bytes[start..<Int(token.start)])
      start = Int(token.end)
      let isComma =
        token.kind == .comma && index + 1 < all.count
        && [.rightParen, .rightBracket].contains(all[index + 1].kind)
      if token.kind != .semicolon, !isComma { tokens.append(bytes[Int(token.start)..<start]) }
    }
  }

  private mutating func addComments(_ trivia: ArraySlice<UInt8>) {
    guard trivia.contains(0x2F) else { return }
    // Ignore the byte order mark, which the formatter removes.
    for byte in trivia where byte > 0x20 && ![0xEF, 0xBB, 0xBF].contains(byte) { comments.append(byte) }
    comments.append(0x0A)
  }
}

import SchemaDiagnostics
import SchemaSyntax
import TestSupport

/// Generates source text that is nearly a valid schema.
struct Mutation {
  let corpus: Corpus
  var random: SeededGenerator

  /// A small schema and its mutation. Most mutations replace syntax with syntax of the same kind, so that about half of
  /// the results are valid schemas.
  mutating func text() -> (origin: [UInt8], text: [UInt8]) {
    guard Int.random(in: 0..<10, using: &random) > 0 else {
      let text = wildText()
      return (text, text)
    }
    let origin = corpus.origins.randomElement(using: &random) ?? []
    var text = origin
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      text = Int.random(in: 0..<14, using: &random) == 0 ? wild(text) : gentle(text)
    }
    return (origin, text)
  }

  // MARK: Replacements of equal kind

  private mutating func gentle(_ text: [UInt8]) -> [UInt8] {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: return relaid(text)
    case 2: return renamed(text)
    default: break
    }
    let tree = Parser.parse(SourceFile(path: "", bytes: text), index: 0).0
    var nodes: [SyntaxNode] = []
    Self.collect(tree.root, &nodes)
    guard let node = nodes.randomElement(using: &random) else { return text }
    let range = node.range.start..<node.range.end
    var text = text
    // Replace a type by another kind of type.
    let kind = node.kind.isType && Bool.random(using: &random) ? SyntaxKind.namedType : node.kind
    let other = corpus.likes[kind]?.randomElement(using: &random) ?? []
    switch (node.kind, Int.random(in: 0..<6, using: &random)) {
    case (.propertyDeclaration, 0), (.macroDeclaration, 0), (.verbatimDeclaration, 0):
      text.insert(contentsOf: other + [0x0A], at: range.lowerBound)
    case (.propertyDeclaration, 1), (.attribute, 0...1), (.initializerClause, 0), (.modifier, 0...2),
      (.macroDeclaration, 1):
      text.removeSubrange(range)
    case (_, 2) where node.kind.isType:
      text.insert(UInt8(ascii: "?"), at: range.upperBound)
    case (.namedType, 3):
      text.replaceSubrange(range, with: [UInt8(ascii: "[")] + text[range] + [UInt8(ascii: "]")])
    case (.argument, 0):
      text.insert(contentsOf: other + Array(", ".utf8), at: range.lowerBound)
    case (.enumCase, 0...1):
      text.insert(contentsOf: other + Array(", ".utf8), at: range.lowerBound)
    default:
      // Syntax from the same schema is more likely to refer to declared names.
      let own = nodes.filter { $0.kind == node.kind }.randomElement(using: &random) ?? node
      let isOwn = Bool.random(using: &random) && own.range != node.range
      text.replaceSubrange(range, with: isOwn ? Array(text[own.range.start..<own.range.end]) : other)
    }
    return text
  }

  private static func collect(_ node: SyntaxNode, _ nodes: inout [SyntaxNode]) {
    if Corpus.isExchanged(node.kind), node.hasTokens { nodes.append(node) }
    for child in node.children { collect(child, &nodes) }
  }

  private static let gaps = [
    " ", "  ", "\t", "\n", "\n\n", "\n\n\n", "\r\n", "\r", " /* c */ ", "/*c*/", " // c\n", "\n// c \n", "\n/// d\n",
    "\n\n/// d\n", "\n/** d\n   * e\n */\n", "\n  /* c */ ", "\n// schema:ignore NAM001 -- c\n",
    "\n// schema:ignore REL010\n",
    "\n// schema:ignore-file SYN014 -- c\n", "// schema:ignore TYP010, REL022 -- d\n", "", "", ";", "; ",
  ]

  /// Line endings, indentation and spaces of other editors and styles.
  private static let layouts = [
    ("\n", "\r\n"), ("    ", "\t"), ("    ", "  "), ("\n    ", "\n"), (", ", ","), (": ", " :\t"), ("{", "{ "),
    ("\n}", " }"),
  ]

  /// Changes a gap between two tokens, or all spaces.
  private mutating func relaid(_ text: [UInt8]) -> [UInt8] {
    let tokens = Lexer.lex(SourceFile(path: "", bytes: text), index: 0).0
    let index = Int.random(in: 0..<tokens.count, using: &random)
    let (start, end) = (index == 0 ? 0 : Int(tokens[index - 1].end), Int(tokens[index].start))
    let gap = Self.gaps[Int.random(in: 0..<Self.gaps.count, using: &random)]
    let isCloser = [.rightParen, .rightBracket].contains(tokens[index].kind)
    var text = text
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: text.replaceSubrange(start..<end, with: gap.utf8)
    case 3...5: text.insert(contentsOf: gap.utf8, at: start)
    case 6...8: text.insert(contentsOf: gap.utf8, at: end)
    case 9 where isCloser: text.insert(UInt8(ascii: ","), at: start)
    default:
      let (old, new) = Self.layouts.randomElement(using: &random) ?? ("\n", "\n")
      text = text.replacing(Array(old.utf8), with: Array(new.utf8))
    }
    return text
  }

  /// Renames all occurrences of a name.
  private mutating func renamed(_ text: [UInt8]) -> [UInt8] {
    let tokens = Lexer.lex(SourceFile(path: "", bytes: text), index: 0).0
    let names = tokens.filter { $0.kind == .identifier && $0.keyword == nil }
    guard let name = names.randomElement(using: &random) else { return text }
    let old = text[Int(name.start)..<Int(name.end)]
    let new =
      [
        old + [0x73], [0x5F] + old, old + Array("_x".utf8), Array("`class`".utf8), [old.first ?? 0x61],
        Array("größe".utf8),
        Array("aVeryLongNameOfSomethingThatNobodyWouldEverWriteButSomebodyMayGenerateFromSomethingElse".utf8),
        Array("id".utf8),
      ].randomElement(using: &random) ?? []
    var result: [UInt8] = []
    var offset = 0
    for token in names where text[Int(token.start)..<Int(token.end)] == old {
      result += text[offset..<Int(token.start)] + new
      offset = Int(token.end)
    }
    return result + text[offset...]
  }
}

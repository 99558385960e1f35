import Foundation
import SchemaDiagnostics
import SchemaLint
import SchemaModel
import SchemaSyntax

/// The schemas of the package and of the rule documentation, and their parts.
struct Corpus: Sendable {
  /// Small schemas that compile: a declaration with all declarations that it refers to.
  private(set) var origins: [[UInt8]] = []
  /// Complete declarations, from the documentation to the closing brace.
  private(set) var declarations: [[UInt8]] = []
  /// All distinct tokens.
  private(set) var words: [[UInt8]] = []
  /// Replacements by kind of syntax.
  private(set) var likes: [SyntaxKind: [[UInt8]]] = [:]

  private var known: Set<[UInt8]> = []
  private static let largest = 1_500

  /// Fragments that no schema of the package contains.
  private static let oddities = [
    "\"", "\\(", "\"\"\"", "/*", "*/", "#if", "#endif", "#\"", "`", "@", "@@", "\\.", "<<<<<<< HEAD",
    "// schema:ignore",
    "// schema:ignore-file REL001 --", "9223372036854775808", "-1", "1.0.0.0", "0x", "\u{1F98A}", "e\u{301}", "\u{0}",
    "T??", "[[", "]]", "{{{{{{{{", "}}}}}}}}", "((((((((", "migration from", "accept MIG011 A.b --", "fill A.b = old.",
    "dedupe A on [\\.b] keep newest", "custom x", "inverse: \\Self.self", "= nil", "= []", "indirect", "\r", "\r\n",
    "\t", "\u{2028}",
  ]

  /// Types that are rare in the schemas.
  private static let types = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt64", "Float", "Double", "Decimal", "Bool", "String",
    "Character",
    "Date", "UUID", "URL", "Data", "Int?", "String?", "Date?", "Data?", "[Int]", "[String]", "[String]?", "Set<Int>",
    "[String: Int]",
    "Foundation.Date", "TimeInterval", "Strnig", "Any",
  ]

  init(root: String) {
    for folder in ["Schemas", "Tests", "Sources", "Benchmarks"] {
      let paths = FileManager.default.enumerator(atPath: root + "/" + folder)?.compactMap { $0 as? String } ?? []
      for path in paths.sorted() where path.hasSuffix(".schema") {
        guard let data = FileManager.default.contents(atPath: "\(root)/\(folder)/\(path)") else { continue }
        read(SourceFile(path: path, bytes: Array(data)))
      }
    }
    for example in RuleCatalogue.all.compactMap({ $0.example }) {
      for text in [example.bad, example.good] { read(SourceFile(path: "S.schema", text: text)) }
    }
    words += Self.oddities.map { Array($0.utf8) }
    likes[.namedType, default: []] += Self.types.map { Array($0.utf8) }
  }

  private mutating func read(_ file: SourceFile) {
    let tree = Parser.parse(file, index: 0).0
    for node in tree.root.children where node.hasTokens && node.kind != .schemaLine {
      let range = node.range
      if range.end - range.start < 4_000 { declarations.append(Array(file.bytes[range.start..<range.end])) }
    }
    for token in tree.tokens {
      if let word = unknown(file, Int(token.start)..<Int(token.end)) { words.append(word) }
    }
    for node in tree.root.children { collect(node, file) }
    addOrigins(tree)
  }

  private mutating func collect(_ node: SyntaxNode, _ file: SourceFile) {
    if Self.isExchanged(node.kind), node.hasTokens, let text = unknown(file, node.range.start..<node.range.end) {
      likes[node.kind, default: []].append(text)
    }
    for child in node.children { collect(child, file) }
  }

  /// True for syntax that is replaced as a whole by syntax of its kind.
  static func isExchanged(_ kind: SyntaxKind) -> Bool {
    switch kind {
    case .attribute, .argument, .namedType, .arrayType, .dictionaryType, .optionalType, .memberValue, .literalValue,
      .keyPathValue,
      .arrayValue, .initializerClause, .propertyDeclaration, .macroDeclaration, .verbatimDeclaration, .enumCase,
      .modifier,
      .inheritanceClause:
      true
    default: false
    }
  }

  /// Returns the source text if it is short and new.
  private mutating func unknown(_ file: SourceFile, _ range: Range<Int>) -> [UInt8]? {
    let text = Array(file.bytes[range])
    return text.count < 300 && known.insert(text).inserted ? text : nil
  }

  /// Adds each declaration with all declarations that it refers to, directly and indirectly.
  private mutating func addOrigins(_ tree: SyntaxTree) {
    let nodes = tree.root.children.filter { $0.hasTokens && $0.kind != .schemaLine && $0.kind != .migration }
    var places: [String: Int] = [:]
    for (place, node) in nodes.enumerated() {
      if let name = DeclarationSyntax(node).name { places[name] = place }
    }
    let mentioned = nodes.map { node in
      Set((node.firstToken..<node.tokenEnd).compactMap { places[tree.name(ofToken: $0)] })
    }
    for start in nodes.indices where nodes[start].kind != .importDeclaration {
      var chosen: Set<Int> = [start]
      var waiting = [start]
      while let place = waiting.popLast(), chosen.count < 12 {
        for other in mentioned[place] where chosen.insert(other).inserted { waiting.append(other) }
      }
      var text = Array("schema S 1.0.0\n".utf8)
      for place in nodes.indices where chosen.contains(place) || nodes[place].kind == .importDeclaration {
        // Include the preceding comment.
        let start = tree.triviaStart(ofToken: nodes[place].firstToken)
        text += tree.file.bytes[start..<nodes[place].range.end] + [0x0A]
      }
      guard text.count <= Self.largest, known.insert(text).inserted else { continue }
      if !SchemaCompiler.compile([SourceFile(path: "S.schema", bytes: text)]).hasErrors { origins.append(text) }
    }
  }
}

import SchemaDiagnostics
import SchemaSyntax

/// A type declaration in Swift source, as far as the import needs it.
struct SwiftDeclaration: Sendable {
  enum Kind: Sendable, Equatable { case model, valueEnum, structure, otherClass, extensionOf, other }

  var kind: Kind
  /// The name; for an extension, the extended type with periods.
  var name: String
  /// The names of the enclosing types, including extended types.
  var scopes: [String]
  /// The names in the inheritance clause.
  var conformances: [String]
  /// The index of the file in the list of sources.
  var file: Int
  /// The byte range from the documentation to the closing brace.
  var range: Range<Int>
  /// The byte range between the braces.
  var body: Range<Int>
  /// The tokens between the braces.
  var bodyTokens: Range<Int>
  /// The enclosing condition such as `#if DEBUG`; nil without one.
  var condition: String?

  /// The qualified name.
  var path: [String] {
    kind == .extensionOf ? scopes + name.split(separator: ".").map(String.init) : scopes + [name]
  }
}

/// A type alias such as `typealias Money = Decimal`.
struct SwiftAlias: Sendable {
  var name: String
  var scopes: [String]
  /// The source text of the type.
  var target: String
  var file: Int
  var offset: Int
}

/// The tokens of a Swift file.
struct SwiftFile: Sendable {
  let file: SourceFile
  let tokens: [Token]

  init(_ file: SourceFile) {
    self.file = file
    tokens = Lexer.lex(file, index: 0).0
  }

  func text(_ token: Int) -> String {
    file.text(from: Int(tokens[token].start), to: Int(tokens[token].end))
  }

  /// The name in a token, without backticks.
  func name(_ token: Int) -> String {
    text(token).replacing("`", with: "")
  }

  /// The token that closes an opening token.
  func closing(_ open: Int) -> Int? {
    var depth = 0
    for index in open..<tokens.count {
      switch tokens[index].kind {
      case .leftBrace, .leftParen, .leftBracket: depth += 1
      case .rightBrace, .rightParen, .rightBracket:
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return nil
  }
}

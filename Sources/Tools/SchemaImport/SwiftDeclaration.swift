import SchemaDiagnostics
import SchemaSyntax

/// A type declared in Swift source, as far as an import looks at it.
struct SwiftDeclaration: Sendable {
  enum Kind: Sendable, Equatable { case model, valueEnum, structure, otherClass, extensionOf, other }

  var kind: Kind
  /// Of an extension what it extends, with dots.
  var name: String
  /// The names of the types it is declared in, those of extensions spelled out.
  var scopes: [String]
  /// The words of the inheritance clause.
  var conformances: [String]
  /// Place of the file in the list that was given.
  var file: Int
  /// From its documentation to the brace that closes it.
  var range: Range<Int>
  /// What is between its braces.
  var body: Range<Int>
  /// The tokens between its braces.
  var bodyTokens: Range<Int>
  /// `#if DEBUG`, where it stands inside of one.
  var condition: String?

  /// What names it from outside: the types around it and its own name.
  var path: [String] {
    kind == .extensionOf ? scopes + name.split(separator: ".").map(String.init) : scopes + [name]
  }
}

/// `typealias Money = Decimal`
struct SwiftAlias: Sendable {
  var name: String
  var scopes: [String]
  /// As written.
  var target: String
  var file: Int
  var offset: Int
}

/// A Swift file cut into tokens.
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

  /// The name a token spells, without back-ticks.
  func name(_ token: Int) -> String {
    text(token).replacing("`", with: "")
  }

  /// The token that closes what a token opens.
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

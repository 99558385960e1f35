package import SchemaDiagnostics

/// A type declaration in Swift source.
package struct SwiftDeclaration: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case model, valueEnum, structure, otherClass, extensionOf, other }

  package var kind: Kind
  /// The name. For an extension, the extended type, including periods.
  package var name: String
  /// The names of the enclosing types. An enclosing extension counts as the extended type.
  package var scopes: [String]
  /// The names in the inheritance clause.
  package var conformances: [String]
  /// The index of the file in the list of sources.
  package var file: Int
  /// The byte range from the documentation to the closing brace.
  package var range: Range<Int>
  /// The byte range between the braces.
  package var body: Range<Int>
  /// The tokens between the braces.
  package var bodyTokens: Range<Int>
  /// The enclosing condition, such as `#if DEBUG`, or nil if there is none.
  package var condition: String?
  /// The stated access level, or the enclosing extension's access level.
  package var access: String?

  /// True if the type is private to its file. False for an extension, whose access level does not apply to the type.
  package var isHidden: Bool { kind != .extensionOf && ["private", "fileprivate"].contains(access) }
  package var isPublic: Bool { ["public", "package", "open"].contains(access) }

  /// The qualified name.
  package var path: [String] {
    kind == .extensionOf ? scopes + name.split(separator: ".").map(String.init) : scopes + [name]
  }
}

/// A type alias such as `typealias Money = Decimal`.
package struct SwiftAlias: Sendable {
  package var name: String
  package var scopes: [String]
  /// The source text of the type.
  package var target: String
  package var file: Int
  package var offset: Int
}

/// The tokens of a Swift file.
package struct SwiftFile: Sendable {
  package let file: SourceFile
  package let tokens: [Token]
  /// True if the value of a condition around a model applies only to language mode 6.
  package internal(set) var assumesLatestMode = false

  package init(_ file: SourceFile) {
    self.file = file
    tokens = Self.joiningConditions(Lexer.lex(file, index: 0).0, file)
  }

  /// Treats an `#if` condition that continues in parentheses on the next line as a single line.
  private static func joiningConditions(_ tokens: [Token], _ file: SourceFile) -> [Token] {
    var tokens = tokens
    for token in tokens.indices where tokens[token].kind == .directive {
      let word = file.text(from: Int(tokens[token].start), to: Int(tokens[token].end))
      guard word == "#if" || word == "#elseif" else { continue }
      var (next, depth) = (token + 1, 0)
      while ![.directive, .endOfFile].contains(tokens[next].kind), depth > 0 || !tokens[next].startsLine {
        tokens[next].startsLine = false
        depth += tokens[next].kind == .leftParen ? 1 : tokens[next].kind == .rightParen ? -1 : 0
        next += 1
      }
    }
    return tokens
  }

  /// Returns the file with ranges replaced by spaces. Line breaks are preserved.
  package func blanking(_ ranges: [Range<Int>]) -> SwiftFile {
    guard !ranges.isEmpty else { return self }
    var bytes = file.bytes
    for range in ranges {
      for index in range where bytes[index] != 0x0A && bytes[index] != 0x0D { bytes[index] = 0x20 }
    }
    return SwiftFile(SourceFile(path: file.path, bytes: bytes, swift: file.swift))
  }

  package func text(_ token: Int) -> String {
    file.text(from: Int(tokens[token].start), to: Int(tokens[token].end))
  }

  /// Returns the name in a token, excluding backticks.
  package func name(_ token: Int) -> String {
    text(token).replacing("`", with: "")
  }

  /// Returns the index of the token that closes a bracket.
  package func closing(_ open: Int) -> Int? {
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

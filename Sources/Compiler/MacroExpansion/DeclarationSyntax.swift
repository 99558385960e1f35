import SchemaDiagnostics
import SchemaSyntax

/// The parts of a declaration that attached macros read: its modifiers, its keyword, its name and its members.
struct DeclarationSyntax {
  private let file: SourceFile
  private let tokens: [Token]
  /// `public`, `final` and others, without their arguments.
  private(set) var modifiers: [String] = []
  /// `class`, `actor`, `var`, `init` and others; empty if the text is no declaration.
  private(set) var keyword = ""
  /// The bytes of the keyword.
  private(set) var keywordRange = 0..<0
  private(set) var name = ""
  /// The index of the token behind the name.
  private var rest = 0

  init(_ source: String) {
    file = SourceFile(path: "", text: source)
    tokens = Lexer.lex(file, index: 0).0
    var index = 0
    while index < tokens.count {
      switch tokens[index].kind {
      case .at: index = afterAttribute(index)
      case .identifier where Self.modifierNames.contains(text(index)) && !isKeyword(index):
        modifiers.append(text(index))
        index = afterArguments(index + 1)
      case .identifier where isKeyword(index):
        keyword = text(index)
        keywordRange = Int(tokens[index].start)..<Int(tokens[index].end)
        if index + 1 < tokens.count, tokens[index + 1].kind == .identifier { name = text(index + 1) }
        rest = index + (name.isEmpty ? 1 : 2)
        return
      default: return
      }
    }
  }

  /// The access that members need to be as visible as the type; nil if no word is needed.
  var memberAccess: String? {
    let level = modifiers.first { ["open", "public", "package"].contains($0) }
    return level == "open" ? "public" : level
  }

  /// True if the declaration has an initializer with these labels and no others.
  func declaresInitializer(labels: [String]) -> Bool {
    members.contains { index in
      guard text(index) == "init", index + 1 < tokens.count, tokens[index + 1].kind == .leftParen else { return false }
      return self.labels(index + 1) == labels
    }
  }

  // MARK: tokens

  private static let modifierNames: Set<String> = [
    "open", "public", "package", "internal", "fileprivate", "private", "final", "nonisolated", "isolated",
    "distributed",
    "static", "class", "override", "required", "convenience", "lazy", "weak", "unowned", "mutating", "nonmutating",
    "dynamic", "indirect",
  ]
  private static let keywords: Set<String> = [
    "class", "actor", "struct", "enum", "protocol", "extension", "var", "let", "func", "init", "deinit", "subscript",
    "typealias", "case",
  ]

  private func text(_ index: Int) -> String {
    file.text(from: Int(tokens[index].start), to: Int(tokens[index].end))
  }

  /// True for the keyword of the declaration: `class func` and `class var` have a modifier first.
  private func isKeyword(_ index: Int) -> Bool {
    let word = text(index)
    guard word == "class", index + 1 < tokens.count else { return Self.keywords.contains(word) }
    return !Self.keywords.contains(text(index + 1)) && !Self.modifierNames.contains(text(index + 1))
  }

  private func afterAttribute(_ index: Int) -> Int {
    var index = index + 2
    while index + 1 < tokens.count, tokens[index].kind == .period { index += 2 }
    return afterArguments(index)
  }

  /// Behind the parentheses at an index, or the index.
  private func afterArguments(_ index: Int) -> Int {
    guard index < tokens.count, tokens[index].kind == .leftParen else { return index }
    return afterBrackets(index)
  }

  private func afterBrackets(_ start: Int) -> Int {
    var open = 0
    for index in start..<tokens.count {
      switch tokens[index].kind {
      case .leftParen, .leftBracket, .leftBrace: open += 1
      case .rightParen, .rightBracket, .rightBrace: open -= 1
      default: break
      }
      if open == 0 { return index + 1 }
    }
    return tokens.count
  }

  /// The tokens directly inside the braces of the declaration.
  private var members: [Int] {
    guard let opening = tokens.indices.dropFirst(rest).first(where: { tokens[$0].kind == .leftBrace }) else {
      return []
    }
    var found: [Int] = []
    var index = opening + 1
    while index < tokens.count, tokens[index].kind != .rightBrace {
      found.append(index)
      index = [.leftParen, .leftBracket, .leftBrace].contains(tokens[index].kind) ? afterBrackets(index) : index + 1
    }
    return found
  }

  /// The labels of the parameters in the parentheses at an index.
  private func labels(_ start: Int) -> [String] {
    var found: [String] = []
    var index = start + 1
    let end = afterBrackets(start) - 1
    while index < end {
      found.append(text(index))
      while index < end, tokens[index].kind != .comma {
        index = [.leftParen, .leftBracket, .leftBrace].contains(tokens[index].kind) ? afterBrackets(index) : index + 1
      }
      index += 1
    }
    return found
  }
}

import Foundation
import SchemaDiagnostics
import SchemaSyntax

/// What may be written at an offset, as far as the tokens around it tell.
struct CompletionPlace {
  enum Kind {
    case none
    case suppression
    /// After an at sign: before a class, or before a property.
    case attributeName(isOnClass: Bool)
    case macro
    /// The model in the angle brackets of a macro.
    case macroModel
    /// An argument of an attribute.
    case option(of: String)
    case deleteRule, conflictPolicy, unknownPolicy
    case inverse
    case originalName(isOfModel: Bool)
    /// A property of a model, after a period.
    case property(of: String)
    /// A key path in a list; nil for the enclosing model, whose constraint it belongs to.
    case keyPath(of: String?)
    /// A list of key paths.
    case keyPaths
    case type
    /// A type in the inheritance clause of a class, struct or enum.
    case conformance(to: Keyword)
    case value(of: TypeSyntax)
    case step, stepSubject, acceptedRule
    /// The change that is accepted under a rule.
    case acceptedSubject(rule: String)
    case acceptedProperty(of: String)
    /// A property of the row in the older version.
    case oldProperty(of: String)
    case version
    case declaration, classMember, structMember, enumMember
    /// The class after `@Model`.
    case modelClass
  }

  private(set) var kind = Kind.none
  /// The punctuation before the word, which is already written and belongs to the proposed text.
  private(set) var typed = ""
  /// The enclosing model.
  private(set) var model: String?
  /// The property of the attribute in which the offset lies.
  private(set) var property: String?
  /// The type before the period of a default value.
  private(set) var qualifier: String?
  /// The version of the enclosing migration, as written.
  private(set) var version: String?
  /// The options, labels or types that are already written. For types, also the declared name.
  private(set) var written: Set<String> = []
  /// True if a label precedes the offset. Options come before labels.
  private(set) var followsLabel = false
  /// The edit after which the file compiles as if the text at the offset were complete.
  private(set) var repair: (range: Range<Int>, text: String)?

  let tree: SyntaxTree
  let offset: Int
  /// The index after the last token before the word at the offset.
  private(set) var end: Int
  /// True if a word is being written.
  private let isInWord: Bool

  init(_ offset: Int, in tree: SyntaxTree) {
    self.tree = tree
    self.offset = offset
    // The word that is being written is not read.
    let index = tree.tokens.firstIndex { Int($0.end) >= offset } ?? tree.tokens.count
    let isInToken = index < tree.tokens.count && Int(tree.tokens[index].start) < offset
    let token = isInToken ? tree.tokens[index].kind : .unknown
    isInWord = token == .identifier || token == .directive
    end = isInToken && !isInWord ? index + 1 : index
    if let comment {
      kind = comment
      return
    }
    let (container, model, isCode) = self.container
    self.model = model
    guard !isCode else { return }
    if token == .string {
      readString(index)
    } else if token == .directive || text(1) == "#" {
      typed = "#"
      if container?.kind == .classDeclaration { kind = .macro }
    } else if !isInToken || isInWord || token.isPunctuation {
      // Nothing is proposed in a number.
      kind = read(container)
    }
  }

  /// True if the text after the word continues with a character.
  func isFollowed(by character: Character) -> Bool {
    let rest = tree.file.bytes[offset...].drop { byte in
      byte == 0x5F || byte >= 0x80 || Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
    }
    return rest.first == character.asciiValue
  }

  func token(_ distance: Int) -> Token? { end >= distance ? tree.tokens[end - distance] : nil }
  func text(_ distance: Int) -> String { end >= distance ? tree.text(ofToken: end - distance) : "" }

  private var lineStart: Int {
    tree.file.bytes[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
  }

  private var lineEnd: Int {
    tree.file.bytes[offset...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? tree.file.bytes.count
  }

  /// True if only spaces precede the word in its line.
  private var startsLine: Bool {
    tree.file.bytes[lineStart..<offset].drop { $0 == 0x20 || $0 == 0x09 }.allSatisfy { $0 != 0x20 && $0 != 0x2E }
  }

  /// The kind in a comment: a suppression, or nothing.
  private var comment: Kind? {
    let start = lineStart
    let line = tree.file.text(from: start, to: offset)
    guard let slashes = line.range(of: "//") else { return nil }
    let place = start + line[..<slashes.lowerBound].utf8.count
    guard !tree.tokens.contains(where: { Int($0.start) <= place && place < Int($0.end) }) else { return nil }
    let text = line[slashes.upperBound...]
    return text.contains("schema:ignore") && !text.contains("--") ? .suppression : Kind.none
  }
}

// MARK: Containers

extension CompletionPlace {
  /// The innermost type or migration around the offset, the innermost model, and whether the offset lies in Swift code.
  private var container: (node: SyntaxNode?, model: String?, isCode: Bool) {
    let kinds: Set<SyntaxKind> = [.classDeclaration, .migration, .structDeclaration, .enumDeclaration]
    var container: SyntaxNode?
    var model: String?
    var nodes = Array(tree.root.children)
    while let node = nodes.last(where: { $0.range.start < offset }) {
      guard kinds.contains(node.kind) else { return (container, model, isCode(node)) }
      guard let block = node.first(.memberBlock), contains(block) else { break }
      container = node
      if node.kind == .classDeclaration { model = DeclarationSyntax(node).name }
      nodes = Array(block.children)
    }
    return (container, model, false)
  }

  /// True if the offset lies between the braces of a block. The closing brace may be missing.
  private func contains(_ block: SyntaxNode) -> Bool {
    block.range.start < offset && (!isClosed(block) || offset < block.range.end)
  }

  private func isClosed(_ block: SyntaxNode) -> Bool {
    guard let last = block.ownTokens.last else { return false }
    return last > block.firstToken && tree.tokens[last].kind == .rightBrace
  }

  /// True if the offset lies in a function or in accessors.
  private func isCode(_ member: SyntaxNode) -> Bool {
    switch member.kind {
    case .verbatimDeclaration: offset < member.range.end
    case .propertyDeclaration:
      member.children(.binding).compactMap { $0.first(.accessorBlock) }
        .contains { $0.range.start < offset && offset < $0.range.end }
    default: false
    }
  }
}

// MARK: Declarations

extension CompletionPlace {
  private mutating func read(_ container: SyntaxNode?) -> Kind {
    let last = token(1)?.kind
    let outer = container?.kind
    if last == .at {
      typed = "@"
      return outer == nil || outer == .classDeclaration ? .attributeName(isOnClass: outer == nil) : .none
    }
    if last == .leftAngle, token(2)?.kind == .directive { return outer == .classDeclaration ? .macroModel : .none }
    if let attribute = openAttribute {
      repair = closing(attribute.paren)
      return argument(of: attribute, last)
    }
    if outer == .migration, let container { return step(container) }
    if let keyword = inheritance { return .conformance(to: keyword) }
    if let type = defaultType { return .value(of: type) }
    if last == .colon, container != nil || text(3) == "var" { return .type }
    if [.leftBracket, .question].contains(last), token(2)?.kind == .colon { return .type }
    if text(1) == "from", text(2) == "migration" { return .version }
    switch (precedingAttribute, outer) {
    case ("Model", nil): return .modelClass
    // A property follows the attributes of a property.
    case ("Attribute", .classDeclaration), ("Relationship", .classDeclaration), ("Transient", .classDeclaration):
      return .structMember
    default: break
    }
    guard startsLine else { return .none }
    switch outer {
    case .classDeclaration: return .classMember
    case .structDeclaration: return .structMember
    case .enumDeclaration: return .enumMember
    default: return .declaration
    }
  }

  /// The name of the attribute that ends before the word.
  private var precedingAttribute: String? {
    var depth = 0
    for index in (0..<end).reversed() {
      switch tree.tokens[index].kind {
      case .rightParen: depth += 1
      case .leftParen where depth > 0: depth -= 1
      case .leftBrace, .rightBrace: return nil
      case .identifier where depth == 0:
        return index > 0 && tree.tokens[index - 1].kind == .at ? tree.text(ofToken: index) : nil
      default: if depth == 0 { return nil }
      }
    }
    return nil
  }

  /// The keyword of the declaration in whose inheritance clause the offset lies.
  private var inheritance: Keyword? {
    mutating get {
      guard [.colon, .comma].contains(token(1)?.kind) else { return nil }
      let kinds: Set<TokenKind> = [.identifier, .comma, .period]
      guard let colon = tree.tokens[..<end].lastIndex(where: { !kinds.contains($0.kind) }), colon >= 2,
        tree.tokens[colon].kind == .colon, let keyword = tree.tokens[colon - 2].keyword,
        [.class, .struct, .enum].contains(keyword)
      else { return nil }
      written = Set((colon - 1..<end).map { tree.text(ofToken: $0) })
      let next = tree.tokens[min(isInWord ? end + 1 : end, tree.tokens.count - 1)]
      if next.kind != .leftBrace {
        let place = isInWord ? Int(tree.tokens[end].end) : offset
        repair = (place..<place, isInWord ? " {}" : "X {}")
      }
      return keyword
    }
  }

  /// The type of the property whose default value begins at the offset.
  private var defaultType: TypeSyntax? {
    mutating get {
      let isMember = token(1)?.kind == .period
      let isQualified = isMember && token(2)?.kind == .identifier
      let distance = isQualified ? 3 : isMember ? 2 : 1
      guard token(distance)?.kind == .equal, let type = binding(ofEqual: end - distance)?.type else { return nil }
      if isMember { typed = "." }
      if isQualified { qualifier = text(2) }
      return type
    }
  }

  private func binding(ofEqual index: Int) -> BindingSyntax? {
    var node: SyntaxNode? = tree.root
    while let current = node {
      let child = current.children.first { $0.firstToken <= index && index < $0.tokenEnd }
      if current.kind == .binding, child?.kind == .initializerClause, child?.firstToken == index {
        return BindingSyntax(current)
      }
      node = child
    }
    return nil
  }
}

// MARK: Attributes and macros

extension CompletionPlace {
  /// The attribute or macro whose parenthesis is open: its name, and the index of the parenthesis.
  private var openAttribute: (name: String, paren: Int)? {
    var depth = 0
    var index = end - 1
    while index > 0 {
      switch tree.tokens[index].kind {
      case .rightParen, .rightBracket, .rightBrace: depth += 1
      case .leftBrace: return nil
      case .leftBracket: depth = max(0, depth - 1)
      case .leftParen where depth > 0: depth -= 1
      case .leftParen:
        let name = tree.tokens[index - 1]
        if name.kind == .identifier, index >= 2, tree.tokens[index - 2].kind == .at {
          return (tree.text(ofToken: index - 1), index)
        }
        // `#Unique<Trip>(`
        if let macro = tree.tokens[..<index].lastIndex(where: { $0.kind == .directive }), index - macro <= 4 {
          return (tree.text(ofToken: macro), index)
        }
        guard index >= 2, tree.tokens[index - 2].kind == .period else { return nil }
        if name.kind == .identifier, tree.text(ofToken: index - 1) == "unknown" { return (".unknown", index) }
      default: break
      }
      index -= 1
    }
    return nil
  }

  /// The arguments end at the latest where a declaration begins.
  private func argumentsEnd(_ paren: Int) -> Int {
    tree.tokens[(paren + 1)...].firstIndex { token in
      switch token.kind {
      case .at, .directive, .leftBrace, .rightBrace, .endOfFile: true
      default: token.keyword == .var || token.keyword == .let
      }
    } ?? tree.tokens.count
  }

  /// Returns the edit that closes the brackets of an attribute; nil if they are closed.
  private func closing(_ paren: Int) -> (range: Range<Int>, text: String)? {
    var open: [TokenKind] = []
    func read(_ range: Range<Int>) -> Bool {
      for token in tree.tokens[range] {
        switch token.kind {
        case .leftParen, .leftBracket: open.append(token.kind)
        case .rightParen, .rightBracket: _ = open.popLast()
        default: break
        }
        if open.isEmpty { return true }
      }
      return false
    }
    _ = read(paren..<end)
    let atOffset = open
    guard !read(end..<max(end, argumentsEnd(paren))) else { return nil }
    let last = token(1)?.kind
    let word = !isInWord && [.period, .backslash, .colon].contains(last) ? "x" : ""
    let place = isInWord ? Int(tree.tokens[end].end) : offset
    let brackets = atOffset.reversed().map { $0 == .leftParen ? ")" : "]" }
    return (place..<place, word + brackets.joined())
  }

  private mutating func argument(of attribute: (name: String, paren: Int), _ last: TokenKind?) -> Kind {
    let isMember = last == .period
    let hasBackslash = last == .backslash || isMember && token(2)?.kind == .backslash
    typed = (hasBackslash ? "\\" : "") + (isMember ? "." : "")
    if attribute.name == ".unknown" { return .unknownPolicy }
    // The label of the argument.
    let distance = 2 + typed.count
    switch token(distance - 1)?.kind == .colon ? text(distance) : "" {
    case "deleteRule": return .deleteRule
    case "onConflict": return .conflictPolicy
    case "originalName": return .originalName(isOfModel: attribute.name == "Model")
    case "inverse":
      property = followingProperty
      return .inverse
    case "": break
    default: return .none
    }
    if attribute.name.hasPrefix("#") {
      let before = token(distance - 1)?.kind
      if hasBackslash || before == .leftBracket { return .keyPath(of: nil) }
      guard before == .comma || before == .leftParen else { return .none }
      return isInList(attribute.paren) ? .keyPath(of: nil) : isMember ? .none : .keyPaths
    }
    // `\Trip.`
    if isMember, token(3)?.kind == .backslash, token(2)?.kind == .identifier {
      typed = ""
      return .property(of: text(2))
    }
    guard [.leftParen, .comma].contains(token(isMember ? 2 : 1)?.kind),
      ["Attribute", "Relationship"].contains(attribute.name)
    else { return .none }
    readWritten(attribute.paren)
    return .option(of: attribute.name)
  }

  /// True if a square bracket is open.
  private func isInList(_ paren: Int) -> Bool {
    let kinds = tree.tokens[paren..<end].map(\.kind)
    return kinds.count { $0 == .leftBracket } > kinds.count { $0 == .rightBracket }
  }

  /// Reads the labels and options in an attribute's parentheses, apart from the word at the offset.
  private mutating func readWritten(_ paren: Int) {
    var depth = 0
    for index in paren + 1..<max(paren + 1, argumentsEnd(paren)) {
      switch tree.tokens[index].kind {
      case .leftParen, .leftBracket: depth += 1
      case .rightParen where depth == 0: return
      case .rightParen, .rightBracket: depth -= 1
      case .identifier where depth == 0 && !(isInWord && index == end):
        let before = tree.tokens[index - 1].kind
        let isLabel = tree.tokens[index + 1].kind == .colon
        let isOption = before == .period && [.leftParen, .comma].contains(tree.tokens[index - 2].kind)
        if isLabel || isOption { written.insert(tree.text(ofToken: index)) }
        if isLabel, index < end { followsLabel = true }
      default: break
      }
    }
  }

  /// The name after the next `var`.
  private var followingProperty: String? {
    guard let index = tree.tokens[end...].firstIndex(where: { $0.keyword == .var }), index + 1 < tree.tokens.count
    else { return nil }
    return tree.name(ofToken: index + 1)
  }

  /// Reads the place in a string literal, of which only the value of `originalName` is completed.
  private mutating func readString(_ index: Int) {
    let token = tree.tokens[index]
    let isBehind = offset == Int(token.end) && token.end - token.start > 1 && tree.text(ofToken: index).hasSuffix("\"")
    guard !isBehind, index >= 2, tree.tokens[index - 1].kind == .colon, tree.text(ofToken: index - 2) == "originalName"
    else { return }
    end = index
    guard let attribute = openAttribute else { return }
    typed = "\""
    kind = .originalName(isOfModel: attribute.name == "Model")
    // Without the closing quotation mark, the literal contains the rest of the line.
    if !isFollowed(by: "\"") { repair = (Int(token.start)..<lineEnd, "\"\")") }
  }
}

// MARK: Migrations

extension CompletionPlace {
  private mutating func step(_ migration: SyntaxNode) -> Kind {
    guard let block = migration.first(.memberBlock) else { return .none }
    version = tree.text(ofToken: migration.firstToken + 2)
    // The other steps are read without the one that is being written.
    let isClosed = isClosed(block)
    let start = max(lineStart, block.range.start + 1)
    let line = start..<max(start, min(lineEnd, isClosed ? block.range.end - 1 : lineEnd))
    repair = (line, isClosed ? "" : "}")
    if startsLine { return .step }
    let words: Set<String> = ["fill", "dedupe", "accept"]
    let first = tree.tokens[block.firstToken..<end].lastIndex { token in
      token.kind == .identifier && words.contains(tree.file.text(from: Int(token.start), to: Int(token.end)))
    }
    guard let first else { return .none }
    let (word, last) = (tree.text(ofToken: first), token(1)?.kind)
    if first == end - 1 { return word == "accept" ? .acceptedRule : .stepSubject }
    let subject = tree.name(ofToken: first + 1)
    switch word {
    case "fill" where last == .period && end - first == 3: return .property(of: subject)
    case "fill" where last == .period && text(2) == "old": return .oldProperty(of: subject)
    case "dedupe" where last == .period && token(2)?.kind == .backslash || last == .backslash || last == .leftBracket:
      typed = last == .period ? "\\." : last == .backslash ? "\\" : ""
      return .keyPath(of: subject)
    case "accept" where last == .period && end - first > 3 && token(2)?.kind == .identifier:
      return .acceptedProperty(of: tree.name(ofToken: end - 2))
    case "accept" where end - first == 2 && last == .identifier: return .acceptedSubject(rule: subject)
    default: return .none
    }
  }
}

extension TokenKind {
  fileprivate var isPunctuation: Bool {
    switch self {
    case .integer, .float, .version, .string, .regex, .curlyString: false
    default: true
    }
  }
}

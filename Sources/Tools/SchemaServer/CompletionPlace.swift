import Foundation
import SchemaDiagnostics
import SchemaSyntax

/// What may be written at an offset, as far as the tokens before it tell.
struct CompletionPlace {
  enum Kind: Equatable {
    case none
    case suppression
    case attributeName, macroName
    /// An argument of an attribute. `isMember` is true after a period.
    case option(String, isMember: Bool)
    case deleteRule, conflictPolicy
    case inverse
    /// A property of a model; nil for the enclosing model.
    case property(of: String?)
    case type
    case step, stepSubject, acceptedRule
    case version
    case declaration, member
  }

  private(set) var kind = Kind.none
  /// The enclosing model.
  private(set) var model: String?
  /// The property of the attribute in which the offset lies.
  private(set) var property: String?
  /// True if a backslash is already written.
  private(set) var hasBackslash = false

  private let tree: SyntaxTree
  /// The index after the last token before the word at the offset.
  private let end: Int

  init(_ offset: Int, in tree: SyntaxTree) {
    self.tree = tree
    // The word that is being written is not read.
    let index = tree.tokens.firstIndex { Int($0.end) >= offset } ?? tree.tokens.count
    let isWord = index < tree.tokens.count && Int(tree.tokens[index].start) < offset
    let isName = isWord && [.identifier, .directive].contains(tree.tokens[index].kind)
    end = isWord && !isName ? index + 1 : index
    if let comment = Self.comment(offset, tree) {
      kind = comment
      return
    }
    // Nothing is proposed in a string or a number.
    guard !isWord || isName || tree.tokens[index].kind.isPunctuation else { return }
    let container = Self.container(offset, tree)
    if container?.kind == .classDeclaration { model = container.flatMap { DeclarationSyntax($0).name } }
    if isWord, tree.tokens[index].kind == .directive {
      kind = .macroName
      return
    }
    kind = read(container, offset)
  }

  /// Returns the kind in a comment: a suppression, or nothing.
  private static func comment(_ offset: Int, _ tree: SyntaxTree) -> Kind? {
    let bytes = tree.file.bytes
    let start = bytes[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
    let line = tree.file.text(from: start, to: offset)
    guard let slashes = line.range(of: "//") else { return nil }
    let place = start + line[..<slashes.lowerBound].utf8.count
    guard !tree.tokens.contains(where: { Int($0.start) <= place && place < Int($0.end) }) else { return nil }
    let text = line[slashes.upperBound...]
    return text.contains("schema:ignore") && !text.contains("--") ? .suppression : Kind.none
  }

  /// The innermost class or migration around an offset.
  private static func container(_ offset: Int, _ tree: SyntaxTree) -> SyntaxNode? {
    let kinds: Set<SyntaxKind> = [.classDeclaration, .migration, .structDeclaration, .enumDeclaration]
    return Array(tree.root.children).last { node in
      guard kinds.contains(node.kind),
        let block = node.first(.memberBlock)
      else { return false }
      let isClosed = tree.tokens[block.tokenEnd - 1].kind == .rightBrace
      return block.range.start < offset && (!isClosed || offset < block.range.end)
    }
  }

  private func token(_ distance: Int) -> Token? { end >= distance ? tree.tokens[end - distance] : nil }
  private func text(_ distance: Int) -> String { end >= distance ? tree.text(ofToken: end - distance) : "" }

  private mutating func read(_ container: SyntaxNode?, _ offset: Int) -> Kind {
    let last = token(1)?.kind
    if last == .at { return .attributeName }
    if let attribute = openAttribute() { return argument(of: attribute, last) }
    if container?.kind == .migration { return step(offset) }
    if last == .colon, container != nil || text(3) == "var" { return .type }
    if [.leftBracket, .question].contains(last), token(2)?.kind == .colon { return .type }
    if text(1) == "from", text(2) == "migration" { return .version }
    guard startsLine(offset) else { return .none }
    return container == nil ? .declaration : container?.kind == .classDeclaration ? .member : .none
  }

  /// True if only spaces precede the word at an offset in its line.
  private func startsLine(_ offset: Int) -> Bool {
    let bytes = tree.file.bytes
    let start = bytes[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
    return bytes[start..<offset].drop { $0 == 0x20 || $0 == 0x09 }.allSatisfy { $0 != 0x20 && $0 != 0x2E }
  }

  /// The attribute or macro whose parenthesis is open: its name, and the index of the parenthesis.
  private func openAttribute() -> (name: String, paren: Int)? {
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
        return nil
      default: break
      }
      index -= 1
    }
    return nil
  }

  private mutating func argument(of attribute: (name: String, paren: Int), _ last: TokenKind?) -> Kind {
    let isMember = last == .period
    if attribute.name.hasPrefix("#") {
      return isMember && token(2)?.kind == .backslash || last == .backslash ? .property(of: nil) : .none
    }
    // The label of the argument.
    let distance = isMember ? 3 : last == .backslash ? 3 : 2
    let label = token(distance - 1)?.kind == .colon ? text(distance) : ""
    switch (attribute.name, label) {
    case ("Relationship", "deleteRule"): return .deleteRule
    case ("Attribute", "onConflict"), ("Unique", "onConflict"): return .conflictPolicy
    case ("Relationship", "inverse"):
      hasBackslash = last == .backslash
      property = followingProperty()
      return .inverse
    default: break
    }
    // `\Trip.`
    if isMember, token(3)?.kind == .backslash, token(2)?.kind == .identifier { return .property(of: text(2)) }
    let isStart = [.leftParen, .comma].contains(token(isMember ? 2 : 1)?.kind)
    guard isStart, ["Attribute", "Relationship"].contains(attribute.name) else { return .none }
    return .option(attribute.name, isMember: isMember)
  }

  /// The name after the next `var`.
  private func followingProperty() -> String? {
    guard let index = tree.tokens[end...].firstIndex(where: { $0.keyword == .var }), index + 1 < tree.tokens.count
    else { return nil }
    return tree.name(ofToken: index + 1)
  }

  private func step(_ offset: Int) -> Kind {
    if startsLine(offset) { return .step }
    switch (text(1), text(2)) {
    case ("accept", _): return .acceptedRule
    case ("fill", _), ("dedupe", _): return .stepSubject
    case (".", let name) where text(3) == "fill": return .property(of: name)
    case (".", "\\"):
      let start = tree.tokens[..<end].lastIndex { $0.kind == .identifier && $0.startsLine } ?? end
      return start + 1 < end ? .property(of: tree.name(ofToken: start + 1)) : .none
    default: return token(2).map { $0.kind == .identifier } ?? false && text(2) == "accept" ? .stepSubject : .none
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

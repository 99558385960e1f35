import SchemaDiagnostics
import SchemaSyntax

/// Finds uses of a property in Swift code.
struct MemberMentions {
  let tree: SyntaxTree
  /// The class and its subclasses.
  let owners: Set<String>

  /// Finds tokens that refer to a member, such as `name`, `self.name` and `\Trip.name`. A parameter or local constant
  /// with the same name shadows the member.
  ///
  /// - Parameter isInside: True if the code belongs to the class. In other code, only key paths are certain.
  func find(_ name: String, in tokens: Range<Int>, isInside: Bool) -> [Range<Int>] {
    let isHidden = hides(name, tokens)
    return tokens.flatMap { token -> [Range<Int>] in
      if tree.tokens[token].kind == .string { return isInside ? inText(name, token, isHidden: isHidden) : [] }
      guard means(name, token, tokens, isInside: isInside, isHidden: isHidden) else { return [] }
      return [Int(tree.tokens[token].start)..<Int(tree.tokens[token].end)]
    }
  }

  /// Finds tokens such as `trip.name` that can refer to the member or to a different declaration.
  func unclear(_ name: String, in tokens: Range<Int>, besides known: [Range<Int>]) -> [Int] {
    tokens.filter { token in
      tree.tokens[token].kind == .identifier && tree.name(ofToken: token) == name && token > tokens.lowerBound
        && tree.tokens[token - 1].kind == .period && !known.contains { $0.lowerBound == Int(tree.tokens[token].start) }
    }
  }

  private func means(_ name: String, _ token: Int, _ tokens: Range<Int>, isInside: Bool, isHidden: Bool) -> Bool {
    guard tree.tokens[token].kind == .identifier, tree.name(ofToken: token) == name else { return false }
    guard token > tokens.lowerBound, tree.tokens[token - 1].kind == .period else {
      return isInside && (isShorthand(token) || !isHidden && !isLabel(token, tokens))
    }
    var before = token - 2
    // Skip the question mark in `self?.name`.
    while before > tokens.lowerBound, [.question, .exclamation].contains(tree.tokens[before].kind) { before -= 1 }
    guard before >= tokens.lowerBound else { return false }
    switch tree.tokens[before].kind {
    // A key path without a root, `\.name`.
    case .backslash: return isInside
    case .identifier:
      let word = tree.name(ofToken: before)
      if before > tokens.lowerBound, tree.tokens[before - 1].kind == .backslash {
        return owners.contains(word) || isInside && word == "Self"
      }
      return isInside && word == "self" && (before == tokens.lowerBound || tree.tokens[before - 1].kind != .period)
    default: return false
    }
  }

  /// Finds uses in string interpolations `\(…)`.
  private func inText(_ name: String, _ token: Int, isHidden: Bool) -> [Range<Int>] {
    let start = Int(tree.tokens[token].start)
    let bytes = Array(tree.file.bytes[start..<Int(tree.tokens[token].end)])
    let word = Array(name.utf8)
    var found: [Range<Int>] = []
    var depth = 0
    var place = 0
    while place < bytes.count {
      if depth == 0 {
        if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count {
          if bytes[place + 1] == UInt8(ascii: "(") { depth = 1 }
          place += 1
        }
      } else if bytes[place] == UInt8(ascii: "(") {
        depth += 1
      } else if bytes[place] == UInt8(ascii: ")") {
        depth -= 1
      } else if bytes[place...].starts(with: word), !Self.isName(bytes[place - 1]),
        place + word.count < bytes.count, !Self.isName(bytes[place + word.count])
      {
        let isOwn = bytes[..<place].suffix(5).elementsEqual("self.".utf8)
        if isOwn || bytes[place - 1] != UInt8(ascii: ".") && !isHidden {
          found.append(start + place..<start + place + word.count)
        }
        place += word.count - 1
      }
      place += 1
    }
    return found
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || Character(UnicodeScalar(byte)).isLetter
      || Character(UnicodeScalar(byte)).isNumber
  }

  /// Returns true for `if let name {`, which reads the member and declares a constant that shadows it.
  func isShorthand(_ token: Int) -> Bool {
    guard token >= 2, token + 1 < tree.tokens.count, ["let", "var"].contains(tree.text(ofToken: token - 1)),
      ["if", "guard", "while", ","].contains(tree.text(ofToken: token - 2))
    else { return false }
    return ["{", "else", ","].contains(tree.text(ofToken: token + 1))
  }

  /// Returns true for an argument label or a parameter `name:`, false for `flag ? name : other`.
  private func isLabel(_ token: Int, _ tokens: Range<Int>) -> Bool {
    guard token + 1 < tokens.upperBound, tree.tokens[token + 1].kind == .colon, token > tokens.lowerBound else {
      return false
    }
    return [.leftParen, .comma].contains(tree.tokens[token - 1].kind)
  }

  private func hides(_ name: String, _ tokens: Range<Int>) -> Bool {
    let parameters = parameters(tokens)
    return tokens.contains { token in
      guard tree.tokens[token].kind == .identifier, tree.name(ofToken: token) == name, token > tokens.lowerBound else {
        return false
      }
      if ["let", "var"].contains(tree.text(ofToken: token - 1)) { return true }
      return parameters.contains(token) && token + 1 < tokens.upperBound && tree.tokens[token + 1].kind == .colon
    }
  }

  /// Returns the tokens between the parentheses of an initializer or function.
  private func parameters(_ tokens: Range<Int>) -> Range<Int> {
    guard let word = tokens.first(where: { ["init", "func", "subscript"].contains(tree.text(ofToken: $0)) }),
      let open = tokens.first(where: { $0 > word && tree.tokens[$0].kind == .leftParen })
    else { return 0..<0 }
    var depth = 0
    for token in open..<tokens.upperBound {
      switch tree.tokens[token].kind {
      case .leftParen, .leftBracket, .leftBrace: depth += 1
      case .rightParen, .rightBracket, .rightBrace:
        depth -= 1
        if depth == 0 { return open..<token }
      default: break
      }
    }
    return 0..<0
  }
}

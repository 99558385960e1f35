import SchemaDiagnostics
import SchemaSyntax

/// Determines the JSON form of a struct or enum from `CodingKeys` and custom coding code.
struct CodingReader {
  private struct Member {
    let node: SyntaxNode
    /// `init` for initializers.
    let names: Set<String>
    /// The declaration's tokens, except access levels.
    let tokens: [String]
  }

  private let tree: SyntaxTree
  private let members: [Member]

  private init(_ declaration: DeclarationSyntax) {
    let tree = declaration.node.tree
    self.tree = tree
    members = declaration.members.compactMap { node in
      let member = DeclarationSyntax(node)
      switch node.kind {
      case .verbatimDeclaration, .enumDeclaration, .structDeclaration:
        let name = member.keyword == .`init` ? "init" : member.name
        return Member(node: node, names: Set([name].compactMap(\.self)), tokens: Self.tokens(node))
      case .propertyDeclaration:
        // Stored properties are not code: they are compared as fields.
        let isCode =
          member.has(.static)
          || member.bindings.contains {
            if case .computed = $0.accessors { true } else { false }
          }
        guard isCode else { return nil }
        let names = member.bindings.compactMap(\.nameToken).map { tree.name(ofToken: $0) }
        return Member(node: node, names: Set(names), tokens: Self.tokens(node))
      default: return nil
      }
    }
  }

  private static let access: Set<Keyword> = [.public, .package, .internal, .fileprivate, .private]

  private static func tokens(_ node: SyntaxNode) -> [String] {
    (node.firstToken..<node.tokenEnd).compactMap { index in
      if let keyword = node.tree.tokens[index].keyword, access.contains(keyword) { return nil }
      return node.tree.text(ofToken: index)
    }
  }

  // MARK: Structs

  /// - Parameter fields: The names of the decoded properties.
  static func coding(of declaration: DeclarationSyntax, _ fields: [String]) -> ResolvedCoding? {
    let reader = Self(declaration)
    guard reader.code.isEmpty else { return reader.digest }
    guard let declared = reader.members.first(where: { $0.names.contains("CodingKeys") }) else { return nil }
    guard let keys = reader.keys(declared) else { return reader.digest }
    let known = Set(fields)
    let names = keys.filter { known.contains($0.key) }
    return fields.allSatisfy { names[$0] == $0 } ? nil : .names(names)
  }

  // MARK: Enums

  /// - Parameter cases: Payload labels by case name, or `nil` if the enum is written as a raw value.
  static func coding(of declaration: DeclarationSyntax, _ cases: [String: [String]]?) -> ResolvedCoding? {
    let reader = Self(declaration)
    guard reader.code.isEmpty else { return reader.digest }
    guard let cases else { return nil }
    // `CardCodingKeys` contains the keys for `case card`.
    var labels: [String: [String]]?
    for member in reader.members {
      guard let name = member.names.first(where: { $0.hasSuffix("CodingKeys") }) else { continue }
      let prefix = name.dropLast("CodingKeys".count)
      if labels == nil, !prefix.isEmpty {
        labels = Dictionary(
          firstOf: cases.ordered { $0.key < $1.key }.map {
            ($0.key.prefix(1).uppercased() + $0.key.dropFirst(), $0.value)
          })
      }
      let expected = prefix.isEmpty ? Array(cases.keys) : labels?[String(prefix)]
      guard let expected else { continue }
      guard let keys = reader.keys(member), expected.allSatisfy({ keys[$0] == $0 }) else { return reader.digest }
    }
    return nil
  }

  // MARK: Code

  /// `init(from:)` and `encode(to:)`.
  private var code: [Member] { members.filter { isReading($0) || isWriting($0) } }

  private func isReading(_ member: Member) -> Bool { begins(member, "init", label: "from") }
  private func isWriting(_ member: Member) -> Bool { begins(member, "encode", label: "to") }

  private func begins(_ member: Member, _ name: String, label: String) -> Bool {
    guard member.names == [name], let index = member.tokens.firstIndex(of: name) else { return false }
    return Array(member.tokens.dropFirst(index + 1).prefix(2)) == ["(", label]
  }

  /// A digest of the coding functions, all `CodingKeys` enums, and the members they refer to.
  private var digest: ResolvedCoding {
    var found = Set(
      members.indices.filter { index in
        let member = members[index]
        return isReading(member) || isWriting(member) || member.names.contains { $0.hasSuffix("CodingKeys") }
      })
    var waiting = Array(found)
    // Each name is followed only once.
    var others: [String: [Int]] = [:]
    for index in members.indices {
      for name in members[index].names { others[name, default: []].append(index) }
    }
    while let index = waiting.popLast() {
      // The `init` keyword of an initializer's own declaration is not a call.
      var words = members[index].tokens
      if let own = words.firstIndex(of: "init"), members[index].names == ["init"] { words.remove(at: own) }
      for word in words {
        let name = word.utf8.first == 0x60 ? word.filter { $0 != "`" } : word
        for other in others.removeValue(forKey: name) ?? [] where found.insert(other).inserted {
          waiting.append(other)
        }
      }
    }
    // Sorted, so that member order is ignored. Only string tokens can contain line breaks, and every token has a
    // length prefix.
    let texts = found.map { members[$0].tokens.map { "\($0.utf8.count):\($0)" }.joined() }.ordered()
    return .code(
      digest: SHA256.hexDigest(of: Array(texts.joined(separator: "\n").utf8)),
      reads: members.contains(where: isReading))
  }

  // MARK: Keys

  /// Returns the JSON keys of a `CodingKeys` enum by case name, or `nil` if they cannot be determined.
  private func keys(_ member: Member) -> [String: String]? {
    let declaration = DeclarationSyntax(member.node)
    guard declaration.keyword == .enum, let start = member.node.range(of: .leftBrace, in: tree),
      isText(declaration, upTo: start)
    else { return nil }
    var keys: [String: String] = [:]
    var index = start + 1
    let end = member.node.tokenEnd - 1
    while index < end {
      guard tree.tokens[index].keyword == .case else {
        guard tree.tokens[index].kind == .semicolon else { return nil }
        index += 1
        continue
      }
      repeat {
        index += 1
        guard index < end, tree.tokens[index].kind == .identifier else { return nil }
        let name = tree.name(ofToken: index)
        keys[name] = name
        index += 1
        guard index < end, tree.tokens[index].kind == .equal else { continue }
        guard index + 1 < end, let text = Literal.string(tree.text(ofToken: index + 1)) else { return nil }
        keys[name] = text
        index += 2
      } while index < end && tree.tokens[index].kind == .comma
    }
    return keys
  }

  /// True if the raw values are strings or absent. Integer raw values do not appear in the JSON.
  private func isText(_ declaration: DeclarationSyntax, upTo brace: Int) -> Bool {
    let words = ((declaration.nameToken ?? brace)..<brace).dropFirst().map { tree.text(ofToken: $0) }
    return words.allSatisfy {
      [":", ",", "String", "CodingKey", "Swift", ".", "Sendable", "CaseIterable"].contains($0)
    }
  }
}

extension SyntaxNode {
  /// Returns the index of the first token of a kind.
  fileprivate func range(of kind: TokenKind, in tree: SyntaxTree) -> Int? {
    (firstToken..<tokenEnd).first { tree.tokens[$0].kind == kind }
  }
}

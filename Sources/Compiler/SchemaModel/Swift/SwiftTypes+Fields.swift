import SchemaDiagnostics
import SchemaSyntax

extension SwiftTypes {
  /// Returns the JSON fields of a struct or enum, or `nil` if the coding is not synthesized.
  func fields(of path: [String], _ names: SchemaNames) -> [JSONField]? {
    let declarations = declarations(of: path)
    guard let type = declarations.first(where: { [.structure, .valueEnum].contains($0.kind) }), !isHidden(path),
      type.condition == nil, !hasMacro(type),
      declarations.allSatisfy({ $0.conformances.allSatisfy { isPlain($0) } && ($0 == type || !hasCoding($0)) })
    else { return nil }
    let file = files[type.file].file
    let tree = Parser.parse(SourceFile(path: file.path, bytes: Array(file.bytes[type.range])), index: 0).0
    let kinds: [SyntaxKind] = [.structDeclaration, .enumDeclaration]
    guard let node = tree.root.children.first(where: { kinds.contains($0.kind) }) else { return nil }
    let syntax = DeclarationSyntax(node)
    guard !syntax.isGeneric, !syntax.members.contains(where: { $0.kind == .conditionalBlock }) else { return nil }
    let source = CarriedSource(tree: tree, lines: LineTable(tree.file), file: 0)
    let owner = path.dropLast().joined(separator: ".").nonEmpty
    if type.kind == .valueEnum {
      return EnumReader.read(syntax, inside: owner, in: source, names, scopes: path).0.jsonFields
    }
    var resolved = StructReader.read(syntax, inside: owner, in: source, names, scopes: path).0
    // Lazy properties are not encoded, and the encoded type of a wrapped property is unknown.
    let lazy = Self.properties(of: syntax) { $0.has(.lazy) }
    let wrapped = Self.properties(of: syntax) { !$0.attributes.isEmpty }
    resolved.fields.removeAll { lazy.contains($0.name) }
    for index in resolved.fields.indices where wrapped.contains(resolved.fields[index].name) {
      resolved.fields[index].type = .opaque(JSONFields.unknown)
    }
    return resolved.jsonFields
  }

  private static func properties(
    of type: DeclarationSyntax, where condition: (DeclarationSyntax) -> Bool
  ) -> Set<String> {
    let members = type.members.filter { $0.kind == .propertyDeclaration }.map { DeclarationSyntax($0) }
    let found = members.filter(condition).flatMap { $0.bindings.compactMap(\.nameToken) }
    return Set(found.map(type.node.tree.name(ofToken:)))
  }

  /// True if the type may have an attached macro, which can add code.
  private func hasMacro(_ type: SwiftDeclaration) -> Bool {
    let tokens = Array(head(of: type, files[type.file]).reversed())
    return zip(tokens, tokens.dropFirst()).contains { $0 == "@" && !Self.plainAttributes.contains($1) }
  }

  private static let plainAttributes = """
    frozen available usableFromInline unchecked preconcurrency dynamicMemberLookup
    """.words

  /// Protocols that provide no `Codable` implementation.
  private static let plainProtocols = """
    Codable Decodable Encodable Hashable Equatable Comparable Sendable unchecked nonisolated Identifiable CaseIterable \
    CustomStringConvertible CustomDebugStringConvertible LosslessStringConvertible Error LocalizedError \
    AdditiveArithmetic Strideable Swift Foundation CodingKeyRepresentable
    """.words

  /// True if a protocol provides no `Codable` implementation. False for protocols from different modules, which cannot
  /// be read.
  private func isPlain(_ name: String, depth: Int = 0) -> Bool {
    // An enum's raw type is listed with its protocols.
    if Self.plainProtocols.contains(name) || name.hasPrefix("ExpressibleBy") || ScalarType(rawValue: name) != nil {
      return true
    }
    let declarations = declarations(of: [name])
    guard depth < 8, declarations.contains(where: { $0.kind == .other }) else { return false }
    return declarations.allSatisfy { declaration in
      !hasCoding(declaration) && declaration.conformances.allSatisfy { isPlain($0, depth: depth + 1) }
    }
  }

  /// True if the body contains `init(from:)`, `encode(to:)` or an enum of coding keys.
  private func hasCoding(_ declaration: SwiftDeclaration) -> Bool {
    let file = files[declaration.file]
    return declaration.bodyTokens.contains { index in
      let text = file.name(index)
      guard text == "init" || text == "encode" else { return text.hasSuffix("CodingKeys") }
      return file.text(index + 1) == "(" && file.text(index + 2) == (text == "init" ? "from" : "to")
    }
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

import SchemaDiagnostics
import SchemaSyntax

/// Reports properties that an initializer of a Swift model never mentions, and missing calls to `super.init`, which
/// Swift does not add to macro-generated bodies.
///
/// The macro initializes the storage, so the compiler does not detect unassigned properties.
enum InitializerCheck {
  static func check(_ model: DeclarationSyntax, _ entity: ResolvedEntity) -> [Diagnostic] {
    let required = entity.properties.filter(\.mustBeAssigned).map(\.ownName)
    return model.members.flatMap { node -> [Diagnostic] in
      let member = DeclarationSyntax(node)
      guard member.keyword == .`init`, !member.has(.convenience), let words = words(inBodyOf: node) else { return [] }
      let missing = required.filter { !words.contains($0) }
      // Some initializers always fail, and therefore assign nothing.
      let mayFail = !words.isDisjoint(with: ["fatalError", "preconditionFailure", "throw", "return"])
      var found: [Diagnostic] = []
      if !missing.isEmpty, missing != required || !mayFail { found.append(.unassigned(missing, node)) }
      if entity.superentity != nil, !mayFail, !words.contains("super") { found.append(.noCallOfSuper(member)) }
      return found
    }
  }

  /// Returns the identifiers between the braces.
  private static func words(inBodyOf node: SyntaxNode) -> Set<String>? {
    let tree = node.tree
    var depth = 0
    var start: Int?
    for index in node.firstToken..<node.tokenEnd {
      switch tree.tokens[index].kind {
      case .leftParen, .leftBracket: depth += 1
      case .rightParen, .rightBracket: depth -= 1
      case .leftBrace where depth == 0: start = start ?? index
      default: break
      }
      if start != nil { break }
    }
    guard let start else { return nil }
    return Set((start..<node.tokenEnd).filter { tree.tokens[$0].kind == .identifier }.map { tree.name(ofToken: $0) })
  }
}

extension ResolvedProperty {
  /// True if only an initializer can give the property a value.
  fileprivate var mustBeAssigned: Bool {
    switch self {
    case .attribute(let attribute):
      if case .optional = attribute.type { return false }
      return attribute.defaultValue == nil && !attribute.isTransient && !attribute.options.contains(.ephemeral)
    case .relationship(let relationship): return relationship.cardinality == .toOne(isOptional: false)
    }
  }

  fileprivate var ownName: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }
}

extension Diagnostic {
  /// Reported at the initializer, because the Swift compiler reports the missing call at the end of the expanded body.
  fileprivate static func noCallOfSuper(_ initializer: DeclarationSyntax) -> Self {
    let tree = initializer.node.tree
    return Self(
      .unsupportedDeclaration, at: tree.range(ofToken: initializer.keywordToken ?? initializer.node.firstToken),
      "an initializer of a model subclass must call 'super.init' explicitly",
      help: "call an initializer of the superclass at the end")
  }

  fileprivate static func unassigned(_ names: [String], _ initializer: SyntaxNode) -> Self {
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .unassignedProperty, at: initializer.tree.range(ofToken: initializer.firstToken),
      "this initializer assigns no value to \(list)", help: "assign a value, or give the property a default value")
  }
}

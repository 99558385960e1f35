import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// The edits that rename a declaration in a single file. Comments, strings and copied Swift code are not changed.
/// Occurrences of the name in copied Swift code are reported.
struct RenameEdits {
  private let subject: RenameSubject
  private let tree: SyntaxTree
  private let heirs: Set<String>
  private(set) var edits: [TextEdit] = []
  /// Occurrences of the name in copied Swift code.
  private(set) var untouched: [SourceRange] = []

  static func edits(_ subject: RenameSubject, in tree: SyntaxTree) -> RenameEdits {
    var edits = RenameEdits(subject, tree)
    for node in tree.root.children { edits.declaration(node) }
    return edits
  }

  private init(_ subject: RenameSubject, _ tree: SyntaxTree) {
    self.subject = subject
    self.tree = tree
    heirs = subject.heirs
  }

  private var old: String { subject.oldName }
  private var isModel: Bool { subject.property == nil }

  private mutating func declaration(_ node: SyntaxNode) {
    let declaration = DeclarationSyntax(node)
    switch node.kind {
    case .migration: migration(node)
    case .classDeclaration:
      let name = declaration.name ?? ""
      if isModel, name == old { replace(declaration.nameToken) }
      types(in: node.first(.inheritanceClause))
      for member in declaration.members { self.member(member, of: name) }
    case .enumDeclaration, .structDeclaration, .verbatimDeclaration, .conditionalBlock:
      carried(node.firstToken..<node.tokenEnd)
    default: break
    }
  }

  private mutating func member(_ node: SyntaxNode, of owner: String) {
    switch node.kind {
    case .macroDeclaration:
      types(in: node)
      keyPaths(in: node, root: owner)
    case .propertyDeclaration: property(node, of: owner)
    default: carried(node.firstToken..<node.tokenEnd)
    }
  }

  private mutating func property(_ node: SyntaxNode, of owner: String) {
    let declaration = DeclarationSyntax(node)
    for attribute in node.children(.attribute) {
      let destination = subject.history.head.entities.first { $0.name == owner }?
        .destination(of: declaration.bindings.first.flatMap { $0.nameToken }.map { tree.name(ofToken: $0) } ?? "")
      keyPaths(in: attribute, root: destination ?? "")
    }
    for binding in declaration.bindings {
      if !isModel, owner == subject.entity.name, let token = binding.nameToken, tree.name(ofToken: token) == old,
        !declaration.has(.static)
      {
        replace(token)
      }
      types(in: binding.node)
      if let clause = binding.node.first(.initializerClause) {
        types(in: clause)
        let start = clause.type?.node.tokenEnd ?? clause.firstToken
        carried(start..<clause.tokenEnd)
      }
      if let block = binding.node.first(.accessorBlock) { carried(block.firstToken..<block.tokenEnd) }
    }
  }

  /// Renames the model in type references, including the parents of nested types.
  private mutating func types(in node: SyntaxNode?) {
    guard isModel, let node else { return }
    for child in node.children {
      if child.kind == .namedType, let token = child.ownTokens.first(where: { tree.tokens[$0].kind == .identifier }),
        tree.name(ofToken: token) == old
      {
        replace(token)
      }
      switch child.kind {
      case .namedType, .arrayType, .dictionaryType, .optionalType: types(in: child)
      case .otherType: carried(child.firstToken..<child.tokenEnd)
      default: break
      }
    }
  }

  /// Renames the declaration in key paths such as `\Trip.name` and `\.name`. `root` is the model of key paths that omit
  /// the root.
  private mutating func keyPaths(in node: SyntaxNode, root: String) {
    for child in node.children {
      guard child.kind == .keyPathValue else {
        keyPaths(in: child, root: root)
        continue
      }
      guard case .keyPath(let written, let path) = ValueSyntax(child).shape else { continue }
      let names = (child.firstToken..<child.tokenEnd).filter { tree.tokens[$0].kind == .identifier }
      if isModel {
        // `\Schema.Trip.name`
        if let index = written.lastIndex(of: old), index < names.count { replace(names[index]) }
      } else if path.first == old, heirs.contains(written.last ?? root), written.count < names.count {
        replace(names[written.count])
      }
    }
  }

  /// Renames the declaration in migration steps, which name models and properties of this version. Fill values are
  /// Swift code.
  private mutating func migration(_ node: SyntaxNode) {
    var covered: [Range<Int>] = []
    let steps = subject.history.head.migrations.filter { $0.range.file == tree.fileIndex }.flatMap(\.steps)
    for step in steps where node.range.start <= step.range.start && step.range.end <= node.range.end {
      let tokens = tokens(in: step.range)
      covered.append(tokens)
      switch step {
      case .fill(let fill): name(tokens, fill.entity, fill.property)
      case .dedupe(let dedupe):
        if isModel, dedupe.entity == old { replace(tokens.lowerBound) }
        if !isModel, heirs.contains(dedupe.entity) {
          for index in tokens where tree.name(ofToken: index) == old && tree.tokens[index - 1].kind == .period {
            replace(index)
          }
        }
      case .accept(let acceptance):
        let parts = acceptance.subject.split(separator: ".").map(String.init)
        // The names and the periods between them. The third name is an enum case.
        name(tokens.suffix(max(1, parts.count * 2 - 1)), parts.first ?? "", parts.count == 2 ? parts[1] : nil)
      case .custom: break
      }
    }
    for index in node.firstToken..<node.tokenEnd where !covered.contains(where: { $0.contains(index) }) {
      carried(index..<index + 1)
    }
  }

  /// Renames the tokens of `Trip` or `Trip.name`.
  private mutating func name(_ tokens: Range<Int>, _ entity: String, _ property: String?) {
    if isModel, entity == old { replace(tokens.lowerBound) }
    if !isModel, entity == subject.entity.name, property == old { replace(tokens.upperBound - 1) }
  }

  private func tokens(in range: SourceRange) -> Range<Int> {
    let first = tree.tokens.firstIndex { Int($0.start) >= range.start } ?? 0
    let end = tree.tokens[first...].firstIndex { Int($0.start) >= range.end } ?? tree.tokens.count
    return first..<end
  }

  /// Reports occurrences in Swift code, except `old.name` in a fill, which refers to a row of the older version.
  private mutating func carried(_ tokens: Range<Int>) {
    for index in tokens where tree.tokens[index].kind == .identifier && tree.name(ofToken: index) == old {
      let isOfOldRow = index >= 2 && tree.tokens[index - 1].kind == .period && tree.text(ofToken: index - 2) == "old"
      if !isOfOldRow { untouched.append(tree.range(ofToken: index)) }
    }
  }

  private mutating func replace(_ token: Int?) {
    guard let token else { return }
    let isQuoted = tree.tokens[token].isQuoted || Keyword(rawValue: subject.newName)?.isReserved ?? false
    edits.append(TextEdit(tree.range(ofToken: token), isQuoted ? "`\(subject.newName)`" : subject.newName))
  }
}

extension ResolvedEntity {
  fileprivate func destination(of name: String) -> String? {
    for case .relationship(let relationship) in properties where relationship.name == name {
      return relationship.destination
    }
    return nil
  }
}

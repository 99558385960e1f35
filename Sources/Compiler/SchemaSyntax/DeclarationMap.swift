import SchemaDiagnostics

/// Finds the declaration at a source position.
package struct DeclarationMap: Sendable {
  /// A declaration, excluding nested declarations.
  struct Unit: Sendable {
    fileprivate enum Name: Sendable {
      case token(Int)
      case text(String)
    }

    fileprivate var name: Name
    /// The index of the type that declares the member.
    fileprivate var owner: Int?
    var start: Int
    var end: Int
    var firstToken: Int
    /// True for a name in a declaration that contains several names.
    var isPart: Bool
    var parent: Int?
  }

  private let tree: SyntaxTree
  /// The declarations, sorted by start, with outer declarations first.
  private(set) var units: [Unit] = []

  package init(_ tree: SyntaxTree) {
    self.tree = tree
    for node in tree.root.children { add(node, in: nil, parent: nil) }
  }

  /// Creates an empty map for a file that needs no lookups.
  package init(emptyFor tree: SyntaxTree) { self.tree = tree }

  /// Returns the qualified name, such as `Trip.name`. It is unique in well-formed schemas.
  package func path(of unit: Int) -> String {
    var names: [String] = []
    var next: Int? = unit
    while let index = next {
      switch units[index].name {
      case .token(let token): names.append(tree.name(ofToken: token))
      case .text(let text): names.append(text)
      }
      next = units[index].owner
    }
    return names.reversed().joined(separator: ".")
  }

  private mutating func add(_ node: SyntaxNode, in owner: Int?, parent: Int?) {
    let declaration = DeclarationSyntax(node)
    func name(_ token: Int?) -> Unit.Name { token.map { .token($0) } ?? .text("?") }
    switch node.kind {
    case .classDeclaration, .structDeclaration, .enumDeclaration:
      let unit = open(node, name(declaration.nameToken), owner, parent)
      for member in declaration.members { add(member, in: unit, parent: unit) }
    case .conditionalBlock:
      for child in node.children { add(child, in: owner, parent: parent) }
    case .propertyDeclaration:
      let bindings = node.children(.binding)
      let names = bindings.compactMap { BindingSyntax($0).nameToken }
      let unit = open(node, name(names.first), owner, parent)
      guard bindings.count > 1 else { return }
      for (binding, token) in zip(bindings, names) { open(binding, .token(token), owner, unit, isPart: true) }
    case .enumCaseDeclaration:
      let cases = node.children(.enumCase).filter(\.hasTokens)
      let unit = open(node, name(cases.first?.firstToken), owner, parent)
      guard cases.count > 1 else { return }
      for enumCase in cases { open(enumCase, .token(enumCase.firstToken), owner, unit, isPart: true) }
    case .macroDeclaration: open(node, .text("#" + (declaration.macroName ?? "")), owner, parent)
    case .schemaLine: open(node, .text("schema"), nil, parent)
    case .importDeclaration: open(node, .text("import"), nil, parent)
    case .verbatimDeclaration:
      open(node, declaration.nameToken.map { .token($0) } ?? .text(declaration.keyword?.rawValue ?? "?"), owner, parent)
    case .migration: addMigration(node)
    default: break
    }
  }

  /// Adds a migration and the steps in it.
  private mutating func addMigration(_ node: SyntaxNode) {
    let tree = node.tree
    let version = node.firstToken + 2 < node.tokenEnd ? tree.text(ofToken: node.firstToken + 2) : ""
    let name = "migration from \(version)"
    let unit = open(node, .text(name), nil, nil)
    guard let block = node.first(.memberBlock) else { return }
    var depth = 0
    var start: Int?
    func close(_ end: Int) {
      guard let first = start, first < end else { return }
      // The subject is the beginning of a step, up to the first word of the arguments, as in `fill Trip.days`.
      var subject = tree.text(ofToken: first)
      for token in (first + 1)..<max(first + 1, min(first + 8, end)) {
        guard tree.tokens[token].kind == .identifier || tree.tokens[token].kind == .period else { break }
        let isDot = tree.tokens[token].kind == .period || tree.tokens[token - 1].kind == .period
        subject += (isDot ? "" : " ") + tree.text(ofToken: token)
      }
      units.append(
        Unit(
          name: .text("\(name): \(subject)"), start: Int(tree.tokens[first].start),
          end: Int(tree.tokens[end - 1].end), firstToken: first, isPart: false, parent: unit))
    }
    for token in block.firstToken..<block.tokenEnd {
      if depth == 1, tree.tokens[token].startsLine || start == nil {
        close(token)
        start = token
      }
      switch tree.tokens[token].kind {
      case .leftBrace, .leftParen, .leftBracket: depth += 1
      case .rightBrace, .rightParen, .rightBracket: depth -= 1
      default: break
      }
      if depth == 0, token > block.firstToken { close(token) }
    }
  }

  @discardableResult
  private mutating func open(
    _ node: SyntaxNode, _ name: Unit.Name, _ owner: Int?, _ parent: Int?, isPart: Bool = false
  ) -> Int {
    let range = node.range
    units.append(
      Unit(
        name: name, owner: owner, start: range.start, end: range.end, firstToken: node.firstToken, isPart: isPart,
        parent: parent))
    return units.count - 1
  }

  /// Returns the innermost declaration at a position.
  package func unit(at offset: Int) -> Int? {
    var low = 0
    var high = units.count
    while low < high {
      let middle = (low + high) / 2
      if units[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    var candidate = low > 0 ? low - 1 : nil
    while let index = candidate, units[index].end <= offset, units[index].start != offset {
      candidate = units[index].parent
    }
    return candidate
  }

  /// Returns the offset at which a declaration begins.
  package func start(of unit: Int) -> Int { units[unit].start }

  /// Returns the declaration at a position, which can contain several names.
  package func declaration(at offset: Int) -> Int? {
    unit(at: offset).map { units[$0].isPart ? units[$0].parent ?? $0 : $0 }
  }
}

extension DeclarationSyntax {
  /// A macro's name after the number sign.
  fileprivate var macroName: String? {
    guard node.kind == .macroDeclaration else { return nil }
    return String(node.tree.text(ofToken: node.firstToken).drop { $0 == "#" })
  }
}

import SchemaDiagnostics
import SchemaSyntax

/// Which declaration a place of a file belongs to.
struct DeclarationMap: Sendable {
  /// A declaration, without what is declared inside it.
  struct Unit: Sendable {
    /// `Trip.name`; unique among the declarations of well-formed schemas.
    var path: String
    var start: Int
    var end: Int
    var firstToken: Int
    /// Whether it is one of several names that share a declaration.
    var isPart: Bool
    var parent: Int?
  }

  /// By their beginnings, outer ones first.
  private(set) var units: [Unit] = []

  init(_ tree: SyntaxTree) {
    for node in tree.root.children { add(node, in: "", parent: nil) }
  }

  private mutating func add(_ node: SyntaxNode, in owner: String, parent: Int?) {
    func path(_ name: String) -> String { owner.isEmpty ? name : "\(owner).\(name)" }
    let declaration = DeclarationSyntax(node)
    switch node.kind {
    case .classDeclaration, .structDeclaration, .enumDeclaration:
      let name = path(declaration.name ?? "?")
      let unit = open(node, name, parent)
      for member in declaration.members { add(member, in: name, parent: unit) }
    case .conditionalBlock:
      for child in node.children { add(child, in: owner, parent: parent) }
    case .propertyDeclaration:
      let bindings = node.children(.binding)
      let names = bindings.compactMap { BindingSyntax($0).nameToken.map { node.tree.name(ofToken: $0) } }
      let unit = open(node, path(names.first ?? "?"), parent)
      guard bindings.count > 1 else { return }
      for (binding, name) in zip(bindings, names) { open(binding, path(name), unit, isPart: true) }
    case .enumCaseDeclaration:
      let cases = node.children(.enumCase).filter(\.hasTokens)
      let names = cases.map { node.tree.name(ofToken: $0.firstToken) }
      let unit = open(node, path(names.first ?? "?"), parent)
      guard cases.count > 1 else { return }
      for (enumCase, name) in zip(cases, names) { open(enumCase, path(name), unit, isPart: true) }
    case .macroDeclaration: open(node, path("#" + (declaration.macroName ?? "")), parent)
    case .schemaLine: open(node, "schema", parent)
    case .importDeclaration: open(node, "import", parent)
    case .verbatimDeclaration: open(node, path(declaration.name ?? declaration.keyword?.rawValue ?? "?"), parent)
    case .migration: addMigration(node)
    default: break
    }
  }

  /// A migration, and each of its steps.
  private mutating func addMigration(_ node: SyntaxNode) {
    let tree = node.tree
    let version = node.firstToken + 2 < node.tokenEnd ? tree.text(ofToken: node.firstToken + 2) : ""
    let name = "migration from \(version)"
    let unit = open(node, name, nil)
    guard let block = node.first(.memberBlock) else { return }
    var depth = 0
    var start: Int?
    func close(_ end: Int) {
      guard let first = start, first < end else { return }
      // `fill Trip.days`: the words up to the first that says how.
      var subject = tree.text(ofToken: first)
      for token in (first + 1)..<max(first + 1, min(first + 8, end)) {
        guard tree.tokens[token].kind == .identifier || tree.tokens[token].kind == .period else { break }
        let isDot = tree.tokens[token].kind == .period || tree.tokens[token - 1].kind == .period
        subject += (isDot ? "" : " ") + tree.text(ofToken: token)
      }
      units.append(
        Unit(
          path: "\(name): \(subject)", start: Int(tree.tokens[first].start),
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
    _ node: SyntaxNode, _ path: String, _ parent: Int?, isPart: Bool = false
  ) -> Int {
    let range = node.range
    units.append(
      Unit(
        path: path, start: range.start, end: range.end, firstToken: node.firstToken, isPart: isPart,
        parent: parent))
    return units.count - 1
  }

  /// The innermost declaration around a place.
  func unit(at offset: Int) -> Int? {
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

  /// The declaration around a place, of which names that share it are parts.
  func declaration(at offset: Int) -> Int? {
    unit(at: offset).map { units[$0].isPart ? units[$0].parent ?? $0 : $0 }
  }
}

extension DeclarationSyntax {
  /// The word after the number sign of a macro.
  fileprivate var macroName: String? {
    guard node.kind == .macroDeclaration else { return nil }
    return String(node.tree.text(ofToken: node.firstToken).drop { $0 == "#" })
  }
}

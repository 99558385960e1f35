import SchemaDiagnostics
import SchemaSyntax

extension DraftSchema {
  /// A member of a type in the draft.
  struct Member {
    var owner: DeclarationSyntax
    var declaration: DeclarationSyntax

    var tokens: Range<Int> { declaration.node.firstToken..<declaration.node.tokenEnd }
    var ownerName: String { owner.name ?? "" }

    /// True for Swift code, false for a stored property.
    var isCode: Bool {
      switch declaration.node.kind {
      case .verbatimDeclaration: return true
      case .propertyDeclaration:
        return declaration.has(.static)
          || declaration.bindings.allSatisfy { if case .computed = $0.accessors { true } else { false } }
      default: return false
      }
    }

    /// The declared names.
    var names: [String] {
      let tree = declaration.node.tree
      guard declaration.node.kind == .propertyDeclaration else { return [declaration.name].compactMap { $0 } }
      return declaration.bindings.compactMap { $0.nameToken.map { tree.name(ofToken: $0) } }
    }

    /// The name used in reports, for example `init` or `title`.
    var title: String { names.first ?? declaration.keyword?.rawValue ?? "" }
  }

  static func members(_ tree: SyntaxTree) -> [Member] {
    tree.root.children.flatMap { node -> [Member] in
      guard [.classDeclaration, .structDeclaration, .enumDeclaration].contains(node.kind) else { return [] }
      let owner = DeclarationSyntax(node)
      return owner.members.map { Member(owner: owner, declaration: DeclarationSyntax($0)) }
    }
  }

  static func member(at offset: Int, _ tree: SyntaxTree) -> Member? {
    members(tree).first { $0.declaration.node.range.start <= offset && offset < $0.declaration.node.range.end }
  }

  /// Returns the class and all subclasses.
  static func heirs(of name: String, _ tree: SyntaxTree) -> Set<String> {
    let classes = tree.root.children.filter { $0.kind == .classDeclaration }.map { DeclarationSyntax($0) }
    var found: Set<String> = [name]
    for _ in classes {
      let more = classes.filter { type in type.inherited.contains { found.contains($0.text) } }.compactMap(\.name)
      guard !found.isSuperset(of: more) else { break }
      found.formUnion(more)
    }
    return found
  }

  /// Finds the closing brace of a top-level or nested type.
  static func closingBrace(of name: String, _ tree: SyntaxTree) -> Int? {
    func isNamed(_ node: SyntaxNode) -> Bool {
      [.enum, .struct, .class].contains(DeclarationSyntax(node).keyword)
    }
    func find(_ nodes: some Sequence<SyntaxNode>) -> Int? {
      for node in nodes {
        let isType = [.enumDeclaration, .structDeclaration, .classDeclaration, .verbatimDeclaration].contains(node.kind)
        if isType, node.text.hasSuffix("}"), DeclarationSyntax(node).name == name, isNamed(node) {
          return node.range.end - 1
        }
        if isType, let found = find(DeclarationSyntax(node).members) { return found }
      }
      return nil
    }
    return find(tree.root.children)
  }

  /// Applies edits that each lie within a single line. Returns false if nothing changed.
  mutating func apply(_ edits: [TextEdit], _ compiled: Compiled) -> Bool {
    var isChanged = false
    var limit = Int.max
    for edit in edits.sorted(by: { $0.range.start > $1.range.start }) where edit.range.end <= limit {
      guard let (section, start) = compiled.place(at: edit.range.start),
        let (other, end) = compiled.place(at: edit.range.end),
        section == other, start.line == end.line
      else { continue }
      self[section].replace(from: start, to: end, with: edit.replacement)
      limit = edit.range.start
      isChanged = true
    }
    return isChanged
  }
}

extension AttributeSyntax {
  /// Returns the edit that sets an argument: replaces an existing value, or inserts the argument before the `later`
  /// arguments.
  func edit(setting label: String, to value: String, before later: Set<String>) -> TextEdit {
    let argument = "\(label): \(value)"
    let arguments = arguments
    if let present = arguments.first(where: { $0.label == label }) { return TextEdit(present.range, argument) }
    if let next = arguments.first(where: { $0.label.map(later.contains) ?? false }) {
      return TextEdit(SourceRange(file: range.file, start: next.range.start, end: next.range.start), "\(argument), ")
    }
    if let last = arguments.last {
      return TextEdit(SourceRange(file: range.file, start: last.range.end, end: last.range.end), ", \(argument)")
    }
    return TextEdit(range, "@\(name)(\(argument))")
  }
}

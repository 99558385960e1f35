import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// Finds the syntax of resolved declarations, for exact ranges and fixes.
struct SourceIndex: Sendable {
  private var types = PlaceTable<DeclarationSyntax>()
  private var properties = PlaceTable<PropertySyntax>()
  private var constraints = PlaceTable<ConstraintSyntax>()
  private let trees: [SyntaxTree]
  /// The imports by file.
  private(set) var imports: [[DeclarationSyntax]] = []

  init(_ trees: [SyntaxTree]) {
    self.trees = trees
    for tree in trees {
      var imports: [DeclarationSyntax] = []
      for node in tree.root.children {
        switch node.kind {
        case .importDeclaration: imports.append(DeclarationSyntax(node))
        case .classDeclaration, .enumDeclaration, .structDeclaration:
          let declaration = DeclarationSyntax(node)
          types.append(declaration, at: declaration.nameRange)
          if node.kind == .classDeclaration { readMembers(of: declaration) }
        default: break
        }
      }
      self.imports.append(imports)
    }
  }

  private mutating func readMembers(of declaration: DeclarationSyntax) {
    for member in declaration.members {
      switch member.kind {
      case .propertyDeclaration:
        let bindings = member.children(.binding)
        for node in bindings {
          let binding = BindingSyntax(node)
          guard let token = binding.nameToken else { continue }
          properties.append(
            PropertySyntax(
              declaration: DeclarationSyntax(member), binding: binding, isAlone: bindings.count == 1),
            at: node.tree.range(ofToken: token))
        }
      case .macroDeclaration:
        let macro = AttributeSyntax(member)
        let lists = macro.arguments.filter { $0.label == nil }
        let isAlone = lists.count { $0.node.hasTokens } <= 1
        for argument in lists {
          constraints.append(
            ConstraintSyntax(macro: macro, argument: argument, isAlone: isAlone), at: argument.range)
        }
      default: break
      }
    }
  }

  /// Returns the syntax of the type with this name range.
  func declaration(_ range: SourceRange) -> DeclarationSyntax? { types[range] }

  /// Returns a schema's files.
  func trees(of schema: ResolvedSchema) -> [SyntaxTree] {
    let paths = Set(schema.files.map(\.path))
    return trees.filter { paths.contains($0.file.path) }
  }

  /// Returns the syntax of the property with this name range.
  func property(_ range: SourceRange) -> PropertySyntax? { properties[range] }

  /// Returns the syntax of a constraint in `#Unique` or `#Index`; `nil` for an attribute option.
  func constraint(_ range: SourceRange) -> ConstraintSyntax? { constraints[range] }

  /// Returns the delete rule's range, or the range of the relationship's name if no rule is written.
  func deleteRule(of relationship: ResolvedRelationship) -> SourceRange {
    properties[relationship.range]?.deleteRule?.range ?? relationship.range
  }

  struct CaseSyntax {
    var nameRange: SourceRange
    var hasRawValue: Bool
  }

  /// Returns the cases in source order.
  func writtenCases(of enumeration: ResolvedEnum) -> [(name: String, syntax: CaseSyntax)] {
    var result: [(name: String, syntax: CaseSyntax)] = []
    for member in types[enumeration.range]?.members ?? []
    where member.kind == .enumCaseDeclaration {
      for node in member.children where node.kind == .enumCase && node.hasTokens {
        let syntax = CaseSyntax(
          nameRange: node.tree.range(ofToken: node.firstToken),
          hasRawValue: node.first(.initializerClause) != nil)
        result.append((node.tree.name(ofToken: node.firstToken), syntax))
      }
    }
    return result
  }

  func cases(of enumeration: ResolvedEnum) -> [String: CaseSyntax] {
    Dictionary(
      writtenCases(of: enumeration).map { ($0.name, $0.syntax) }, uniquingKeysWith: { _, last in last })
  }

  func fields(of structure: ResolvedStruct) -> [String: SourceRange] {
    var result: [String: SourceRange] = [:]
    for member in types[structure.range]?.members ?? [] where member.kind == .propertyDeclaration {
      for node in member.children(.binding) {
        guard let token = BindingSyntax(node).nameToken else { continue }
        result[node.tree.name(ofToken: token)] = node.tree.range(ofToken: token)
      }
    }
    return result
  }
}

extension SourceIndex {
  /// Returns the edit that inserts a member at the start of a model.
  func member(of entity: ResolvedEntity, _ text: String) -> TextEdit? {
    guard let node = declaration(entity.range)?.node.first(.memberBlock) else { return nil }
    let tree = node.tree
    let brace = node.firstToken
    guard brace + 1 < tree.tokens.count else { return nil }
    let end = Int(tree.tokens[brace].end)
    let place = SourceRange(file: tree.fileIndex, start: end, end: end)
    let next = tree.tokens[brace + 1]
    guard next.startsLine, next.kind != .rightBrace else { return TextEdit(place, " \(text);") }
    // Insert a line with the next line's indentation.
    let bytes = tree.file.bytes
    var start = Int(next.start)
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    return TextEdit(place, "\n" + tree.file.text(from: start, to: Int(next.start)) + text)
  }
}

extension ConstraintSyntax {
  /// Returns the edit that keeps the list's first key paths.
  func keeping(first count: Int) -> TextEdit? {
    let kept = keyPaths.prefix(count)
    guard let last = kept.last, let end = keyPaths.last else { return nil }
    return TextEdit(SourceRange(file: last.range.file, start: last.range.end, end: end.range.end), "")
  }
}

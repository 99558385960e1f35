import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// From what was resolved back to how it was written, for exact ranges and for fixes.
struct SourceIndex: Sendable {
  private var types: [SourceRange: DeclarationSyntax] = [:]
  private var properties: [SourceRange: PropertySyntax] = [:]
  private var constraints: [SourceRange: ConstraintSyntax] = [:]
  private let trees: [SyntaxTree]
  /// By file.
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
          types[declaration.nameRange] = declaration
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
          properties[node.tree.range(ofToken: token)] = PropertySyntax(
            declaration: DeclarationSyntax(member), binding: binding, isAlone: bindings.count == 1)
        }
      case .macroDeclaration:
        let macro = AttributeSyntax(member)
        for argument in macro.arguments where argument.label == nil {
          constraints[argument.range] = ConstraintSyntax(macro: macro, argument: argument)
        }
      default: break
      }
    }
  }

  /// How the type with this name range is written.
  func declaration(_ range: SourceRange) -> DeclarationSyntax? { types[range] }

  /// The files of a schema.
  func trees(of schema: ResolvedSchema) -> [SyntaxTree] {
    let paths = Set(schema.files.map(\.path))
    return trees.filter { paths.contains($0.file.path) }
  }

  /// How the property with this name range is written.
  func property(_ range: SourceRange) -> PropertySyntax? { properties[range] }

  /// How a constraint is written in `#Unique` or `#Index`; nil for one of an attribute.
  func constraint(_ range: SourceRange) -> ConstraintSyntax? { constraints[range] }

  /// Where the delete rule is written, or the name of a relationship that has none.
  func deleteRule(of relationship: ResolvedRelationship) -> SourceRange {
    properties[relationship.range]?.deleteRule?.range ?? relationship.range
  }

  struct CaseSyntax {
    var nameRange: SourceRange
    var hasRawValue: Bool
  }

  func cases(of enumeration: ResolvedEnum) -> [String: CaseSyntax] {
    var result: [String: CaseSyntax] = [:]
    for member in types[enumeration.range]?.members ?? []
    where member.kind == .enumCaseDeclaration {
      for node in member.children(.enumCase) where node.hasTokens {
        result[node.tree.name(ofToken: node.firstToken)] = CaseSyntax(
          nameRange: node.tree.range(ofToken: node.firstToken),
          hasRawValue: node.first(.initializerClause) != nil)
      }
    }
    return result
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

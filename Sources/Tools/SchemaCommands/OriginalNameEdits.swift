import SchemaDiagnostics
import SchemaDriver
import SchemaModel
import SchemaSyntax

/// Adds or removes a declaration's original name.
enum OriginalNameEdits {
  /// - Parameter origin: The released name, or nil if the name is unchanged or no version has been released.
  static func edits(_ subject: RenameSubject, origin: String?, in trees: [SyntaxTree]) throws -> [TextEdit] {
    for tree in trees {
      for node in tree.root.children where node.kind == .classDeclaration {
        let model = DeclarationSyntax(node)
        guard model.name == subject.entity.name else { continue }
        guard let property = subject.property else { return edits(model, ["Model"], "@Model", origin) }
        for member in model.members where member.kind == .propertyDeclaration {
          let declaration = DeclarationSyntax(member)
          let names = declaration.bindings.compactMap { $0.nameToken.map { tree.name(ofToken: $0) } }
          guard names.contains(property.name), !declaration.has(.static) else { continue }
          guard names.count == 1 || origin == nil else {
            throw DriverFailure(
              ["error: '\(subject.oldTitle)' shares a 'var' with other properties: declare it separately first"],
              .usage)
          }
          if case .attribute(let attribute) = property, attribute.isTransient { return [] }
          let isAttribute = if case .attribute = property { true } else { false }
          return edits(
            declaration, isAttribute ? ["Attribute"] : ["Relationship"],
            isAttribute ? "@Attribute" : "@Relationship", origin)
        }
      }
    }
    return []
  }

  private static func edits(
    _ declaration: DeclarationSyntax, _ names: [String], _ written: String, _ origin: String?
  ) -> [TextEdit] {
    let attribute = names.lazy.compactMap { declaration.attribute(named: $0) }.first
    let argument = attribute?.arguments.first { $0.label == "originalName" }
    guard let origin else {
      guard let attribute, let argument else { return [] }
      return [TextEdit(removal(of: argument, in: attribute), "")]
    }
    let text = "originalName: \"\(origin)\""
    if let argument { return [TextEdit(argument.range, text)] }
    guard let attribute else {
      let start = declaration.node.range.start
      return [TextEdit(point(start, declaration.node), "\(written)(\(text)) ")]
    }
    // Keep the parameter order of SwiftData's macros.
    let arguments = attribute.arguments.filter { $0.node.hasTokens }
    if let next = arguments.first(where: { $0.label == "inverse" || $0.label == "hashModifier" }) {
      return [TextEdit(point(next.range.start, declaration.node), text + ", ")]
    }
    if let last = arguments.last { return [TextEdit(point(last.range.end, declaration.node), ", " + text)] }
    let tokens = declaration.node.tree.tokens
    let last = attribute.node.tokenEnd - 1
    let hasParentheses = tokens[last].kind == .rightParen
    return [
      TextEdit(
        point(hasParentheses ? Int(tokens[last].start) : attribute.range.end, declaration.node),
        hasParentheses ? text : "(\(text))")
    ]
  }

  private static func point(_ offset: Int, _ node: SyntaxNode) -> SourceRange {
    SourceRange(file: node.tree.fileIndex, start: offset, end: offset)
  }

  /// Returns the range to remove: the argument, or if it is the only one, the parentheses of `@Model` or the whole of
  /// any other attribute.
  private static func removal(of argument: ArgumentSyntax, in attribute: AttributeSyntax) -> SourceRange {
    guard attribute.arguments.filter({ $0.node.hasTokens }).count == 1 else { return argument.removalRange }
    guard attribute.name == "Model" else { return attribute.removalRange }
    return SourceRange(
      file: attribute.range.file, start: attribute.nameRange.end, end: attribute.range.end)
  }
}

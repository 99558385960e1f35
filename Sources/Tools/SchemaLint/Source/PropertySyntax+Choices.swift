import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

extension PropertySyntax {
  /// The syntax of an option.
  func option(_ name: String, of attribute: String) -> ArgumentSyntax? {
    declaration.attribute(named: attribute)?.arguments.first { $0.option == name }
  }

  /// The edit that removes an option, or its attribute if it contains nothing else.
  func removing(_ name: String, of attribute: String) -> TextEdit? {
    guard let syntax = declaration.attribute(named: attribute), let option = option(name, of: attribute)
    else { return nil }
    let isLast = syntax.arguments.count { $0.node.hasTokens } == 1
    return TextEdit(isLast ? syntax.removalRange : option.removalRange, "")
  }
}

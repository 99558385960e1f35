import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

extension PropertySyntax {
  /// An option as it is written.
  func option(_ name: String, of attribute: String) -> ArgumentSyntax? {
    declaration.attribute(named: attribute)?.arguments.first { $0.option == name }
  }

  /// The edit that takes an option away, with the attribute when it says nothing else.
  func removing(_ name: String, of attribute: String) -> TextEdit? {
    guard let syntax = declaration.attribute(named: attribute), let option = option(name, of: attribute)
    else { return nil }
    let isLast = syntax.arguments.count { $0.node.hasTokens } == 1
    return TextEdit(isLast ? syntax.removalRange : option.removalRange, "")
  }
}

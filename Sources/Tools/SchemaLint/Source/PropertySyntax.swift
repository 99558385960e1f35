import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// The syntax of a stored property.
struct PropertySyntax: Sendable {
  let declaration: DeclarationSyntax
  let binding: BindingSyntax
  /// True if the declaration declares one property.
  let isAlone: Bool

  /// The argument with the delete rule, in the current notation or that of 2023.
  var deleteRule: ArgumentSyntax? {
    declaration.attribute(named: "Relationship")?.arguments.first {
      $0.label == "deleteRule" || ($0.option.map { DeleteRule(rawValue: $0) != nil } ?? false)
    }
  }

  /// The argument with the inverse.
  var inverse: ArgumentSyntax? {
    declaration.attribute(named: "Relationship")?.arguments.first { $0.label == "inverse" }
  }

  /// The range of the type, or of the default value that it is inferred from.
  var typeRange: SourceRange? { binding.type?.range ?? binding.defaultValue?.range }

  /// The argument `.unique`.
  var unique: ArgumentSyntax? {
    declaration.attributes.lazy.flatMap(\.arguments).first { $0.option == "unique" }
  }

  /// The edit that removes `.unique` and its policy.
  var removingUnique: TextEdit? {
    guard
      let attribute = declaration.attributes.first(where: { attribute in
        attribute.arguments.contains { $0.option == "unique" }
      })
    else { return nil }
    let kept = attribute.arguments.filter { $0.option != "unique" && $0.label != "onConflict" }
    if kept.isEmpty { return TextEdit(attribute.removalRange, "") }
    return TextEdit(
      attribute.range, "@\(attribute.name)(\(kept.map(\.node.text).joined(separator: ", ")))")
  }

  /// The edit that adds an option to `@Attribute`; nil if it would affect several properties.
  func adding(_ option: AttributeOption) -> TextEdit? {
    guard isAlone else { return nil }
    let text = ".\(option.rawValue)"
    func insertion(_ offset: Int, _ text: String) -> TextEdit {
      let file = declaration.node.range.file
      return TextEdit(SourceRange(file: file, start: offset, end: offset), text)
    }
    guard let attribute = declaration.attribute(named: "Attribute") else {
      let other = declaration.attributes.last?.range.end
      return other.map { insertion($0, " @Attribute(\(text))") }
        ?? insertion(declaration.node.range.start, "@Attribute(\(text)) ")
    }
    // Options precede labels.
    if let last = attribute.arguments.last(where: { $0.label == nil && $0.node.hasTokens }) {
      return insertion(last.range.end, ", \(text)")
    }
    if let first = attribute.arguments.first(where: { $0.node.hasTokens }) {
      return insertion(first.range.start, "\(text), ")
    }
    return TextEdit(attribute.range, "@Attribute(\(text))")
  }
}

extension ArgumentSyntax {
  /// The name in an argument such as `.name`.
  var option: String? {
    guard label == nil, case .member(let word, _)? = value?.shape else { return nil }
    return word
  }
}

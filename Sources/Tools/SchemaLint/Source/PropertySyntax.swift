import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// A stored property of a model as it is written.
struct PropertySyntax: Sendable {
  let declaration: DeclarationSyntax
  let binding: BindingSyntax
  /// Whether the declaration declares nothing else.
  let isAlone: Bool

  /// The argument that states the delete rule, in today's spelling or that of 2023.
  var deleteRule: ArgumentSyntax? {
    declaration.attribute(named: "Relationship")?.arguments.first {
      $0.label == "deleteRule" || ($0.option.map { DeleteRule(rawValue: $0) != nil } ?? false)
    }
  }

  /// The argument that names the other side of the pair.
  var inverse: ArgumentSyntax? {
    declaration.attribute(named: "Relationship")?.arguments.first { $0.label == "inverse" }
  }

  /// Where the type is written, or what it was inferred from.
  var typeRange: SourceRange? { binding.type?.range ?? binding.defaultValue?.range }

  /// The argument `.unique`.
  var unique: ArgumentSyntax? {
    declaration.attributes.lazy.flatMap(\.arguments).first { $0.option == "unique" }
  }

  /// The edit that takes `.unique` and its policy away.
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

  /// The edit that adds an option to `@Attribute`; nil where it would apply to several properties.
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
    // Options come before labels.
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
  /// The word of `.word`.
  var option: String? {
    guard label == nil, case .member(let word, _)? = value?.shape else { return nil }
    return word
  }
}

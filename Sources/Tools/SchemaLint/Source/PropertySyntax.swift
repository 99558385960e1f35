import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// A stored property's syntax.
struct PropertySyntax: Sendable {
  let declaration: DeclarationSyntax
  let binding: BindingSyntax
  /// True if the declaration declares only this property.
  let isAlone: Bool

  /// The delete rule argument, in the current notation or the 2023 notation.
  var deleteRule: ArgumentSyntax? {
    declaration.attribute(named: "Relationship")?.arguments.first {
      $0.label == "deleteRule" || ($0.option.map { DeleteRule(rawValue: $0) != nil } ?? false)
    }
  }

  /// The inverse argument.
  var inverse: ArgumentSyntax? {
    declaration.attribute(named: "Relationship")?.arguments.first { $0.label == "inverse" }
  }

  /// The range of the type, or of the default value that it is inferred from.
  var typeRange: SourceRange? { binding.type?.range ?? binding.defaultValue?.range }

  /// The argument `.unique`.
  var unique: ArgumentSyntax? {
    declaration.attributes.lazy.flatMap(\.arguments).first { $0.option == "unique" }
  }

  /// The edit that removes `.unique` and the policy.
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

  /// Returns the edit that adds an option to `@Attribute`; `nil` if it would affect several properties.
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

extension PropertySyntax {
  /// Returns an option's syntax.
  func option(_ name: String, of attribute: String) -> ArgumentSyntax? {
    declaration.attribute(named: attribute)?.arguments.first { $0.option == name }
  }

  /// Returns the edit that removes an option, or the whole attribute if it contains nothing else.
  func removing(_ name: String, of attribute: String) -> TextEdit? {
    guard let syntax = declaration.attribute(named: attribute), let option = option(name, of: attribute)
    else { return nil }
    let isLast = syntax.arguments.count { $0.node.hasTokens } == 1
    return TextEdit(isLast ? syntax.removalRange : option.removalRange, "")
  }
}

/// Edits for a property. An edit is `nil` if it would affect several properties.
extension PropertySyntax {
  /// Returns the edit that sets the delete rule in the existing notation.
  func setting(_ rule: DeleteRule) -> TextEdit? {
    guard isAlone else { return nil }
    let text = "deleteRule: .\(rule.rawValue)"
    if let argument = deleteRule {
      guard let value = argument.value else { return nil }
      return TextEdit(value.range, ".\(rule.rawValue)")
    }
    guard let attribute = declaration.attribute(named: "Relationship") else {
      let other = declaration.attributes.last?.range.end
      return other.map { insertion($0, " @Relationship(\(text))") }
        ?? insertion(declaration.node.range.start, "@Relationship(\(text)) ")
    }
    // The argument follows options and precedes labeled arguments.
    let arguments = attribute.arguments.filter(\.node.hasTokens)
    if let last = arguments.last(where: { $0.label == nil }) { return insertion(last.range.end, ", \(text)") }
    if let first = arguments.first { return insertion(first.range.start, "\(text), ") }
    return TextEdit(attribute.range, "@\(attribute.name)(\(text))")
  }

  /// The edit that removes the inverse, and `@Relationship` if it contains nothing else.
  var removingInverse: TextEdit? {
    guard isAlone, let inverse, let attribute = declaration.attribute(named: "Relationship") else { return nil }
    guard attribute.arguments.count(where: \.node.hasTokens) == 1 else { return TextEdit(inverse.removalRange, "") }
    return TextEdit(removal(of: attribute), "")
  }

  var makingOptional: TextEdit? {
    guard isAlone, let type = binding.type else { return nil }
    switch type.shape {
    case .named, .array, .dictionary: return insertion(type.range.end, "?")
    case .optional, .other: return nil
    }
  }

  /// The edit that removes the `?`.
  var makingRequired: TextEdit? {
    guard isAlone, let type = binding.type, case .optional = type.shape, type.text.hasSuffix("?") else { return nil }
    return TextEdit(SourceRange(file: type.range.file, start: type.range.end - 1, end: type.range.end), "")
  }

  /// The edit that removes the default value and the `=`.
  var removingDefault: TextEdit? {
    guard let type = binding.type, let value = binding.defaultValue else { return nil }
    return TextEdit(SourceRange(file: type.range.file, start: type.range.end, end: value.range.end), "")
  }

  /// Returns the edit that adds a default value.
  func beginning(with value: String) -> TextEdit? {
    guard binding.defaultValue == nil, let type = binding.type, binding.node.type != nil else { return nil }
    return insertion(type.range.end, " = \(value)")
  }

  /// Returns the edit that replaces the type name, even within an optional.
  func renamingType(_ old: String, to new: String) -> TextEdit? {
    guard isAlone, var type = binding.type else { return nil }
    if case .optional(let wrapped) = type.shape { type = wrapped }
    guard case .named([old], arguments: _) = type.shape, type.text == old else { return nil }
    return TextEdit(type.range, new)
  }

  /// Returns the range of the attribute with the following space, or the whole line if it contains nothing else.
  private func removal(of attribute: AttributeSyntax) -> SourceRange {
    let tree = attribute.node.tree
    var range = attribute.removalRange
    guard attribute.node.tokenEnd < tree.tokens.count else { return range }
    let next = Int(tree.tokens[attribute.node.tokenEnd].start)
    let isSpace = tree.file.bytes[attribute.range.end..<next].allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if isSpace { range.end = next }
    return range
  }

  private func insertion(_ offset: Int, _ text: String) -> TextEdit {
    TextEdit(SourceRange(file: declaration.node.range.file, start: offset, end: offset), text)
  }
}

extension LintContext {
  /// Returns a fix for the author to choose; empty if it cannot be written as an edit.
  func choice(_ title: String, _ edits: TextEdit?...) -> [FixIt] {
    let whole = edits.compactMap { $0 }
    return whole.count == edits.count ? [FixIt(title, whole)] : []
  }

  /// Returns a fix that sets a different delete rule.
  func choice(_ rule: DeleteRule, at edge: RelationshipEdge) -> [FixIt] {
    choice("let '\(edge.title)' \(rule.verb)", sources.property(edge.relationship.range)?.setting(rule))
  }

  func choiceOfOptional(_ edge: RelationshipEdge) -> [FixIt] {
    choice("make '\(edge.title)' optional", sources.property(edge.relationship.range)?.makingOptional)
  }
}

extension DeleteRule {
  fileprivate var verb: String {
    switch self {
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    case .noAction: "do nothing"
    }
  }
}

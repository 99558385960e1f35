import SchemaDiagnostics
import SchemaSyntax

/// The part of a property declaration that precedes the names and applies to all of them.
///
/// A class, because a declaration may have many names that share it.
final class PropertyHead {
  let attributes: PropertyAttributes
  let isLet: Bool
  let access: AccessLevel?
  let setterAccess: AccessLevel?
  let documentation: [String]
  let diagnostics: [Diagnostic]

  /// - Parameter isSwift: True for a Swift file, where the app itself stores `@Transient` properties.
  init(_ member: DeclarationSyntax, in model: String, isSwift: Bool) {
    var diagnostics: [Diagnostic] = []
    attributes = Self.attributes(of: member, in: model, isSwift: isSwift, &diagnostics)
    let modifiers = member.modifiers
    for modifier in modifiers where !(isSwift && attributes.isTransient) {
      guard let keyword = modifier.keyword, [.lazy, .weak, .unowned].contains(keyword) else { continue }
      diagnostics.append(.modifier(keyword.rawValue, modifier))
    }
    isLet = member.keyword == .let
    access = modifiers.isEmpty ? nil : member.access
    setterAccess = modifiers.isEmpty ? nil : member.setterAccess
    documentation = member.documentation.lines
    self.diagnostics = diagnostics
  }

  /// Swift attributes that a generated property can omit.
  private static let harmless = """
    ObservationIgnored available objc nonobjc MainActor usableFromInline inlinable Sendable
    """.words

  private static func attributes(
    of member: DeclarationSyntax, in model: String, isSwift: Bool, _ diagnostics: inout [Diagnostic]
  ) -> PropertyAttributes {
    let attributes = PropertyAttributes()
    let property = member.bindings.first?.name ?? ""
    for syntax in member.attributes {
      var name = syntax.name
      // In a Swift file, the attribute may be a library's macro.
      if !isSwift, !names.contains(name), !harmless.contains(name), !name.isEmpty {
        guard let nearest = NearestName.find(name, orBeginningOf: names) else {
          let option = AttributeOptions.optionNames.first { $0.lowercased() == name.lowercased() }
          diagnostics.append(
            option.map { .unknownAttribute(syntax, "Attribute(.\($0))") } ?? .foreignAttribute(syntax))
          continue
        }
        // Treated as the intended attribute, to avoid follow-up errors in declarations that depend on it.
        diagnostics.append(.unknownAttribute(syntax, nearest))
        name = nearest
      }
      switch name {
      case "Attribute":
        if attributes.attributeRange != nil { diagnostics.append(.repeatedAttribute(syntax)) }
        attributes.attributeRange = syntax.range
        attributes.attribute.read(syntax, of: property, in: model, &diagnostics)
      case "Relationship":
        if attributes.relationshipRange != nil { diagnostics.append(.repeatedAttribute(syntax)) }
        attributes.relationshipRange = syntax.range
        attributes.relationship.read(syntax, &diagnostics)
      case "Transient":
        if attributes.transientRange != nil { diagnostics.append(.repeatedAttribute(syntax)) }
        attributes.transientRange = syntax.range
      default: continue
      }
    }
    return attributes
  }

  private static let names = ["Attribute", "Relationship", "Transient"]
}

/// The attributes of a property.
final class PropertyAttributes {
  var attribute = AttributeOptions()
  var relationship = RelationshipOptions()
  var attributeRange: SourceRange?
  var relationshipRange: SourceRange?
  var transientRange: SourceRange?

  var isTransient: Bool { transientRange != nil }
}

extension Diagnostic {
  static func unknownAttribute(_ syntax: AttributeSyntax, _ nearest: String) -> Self {
    Self(
      .unknownKeyword, at: syntax.nameRange, "unknown attribute '@\(syntax.name)'",
      help: "did you mean '@\(nearest)'?",
      fixIts: [.replace(syntax.nameRange, with: nearest, title: "replace it with '@\(nearest)'")])
  }

  fileprivate static func foreignAttribute(_ syntax: AttributeSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: syntax.nameRange,
      "'@\(syntax.name)' cannot be applied to a stored property of a model",
      help: "remove it, or declare a computed property in an extension")
  }

  fileprivate static func modifier(_ word: String, _ modifier: ModifierSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: modifier.node.range,
      "a stored property of a model cannot be '\(word)'",
      help: "remove '\(word)'", fixIts: [.remove(modifier.removalRange, title: "remove '\(word)'")])
  }
}

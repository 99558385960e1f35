import SchemaDiagnostics
import SchemaSyntax

/// Reads one stored property of a model: an attribute, or a relationship when its type is a model.
struct PropertyReader {
  struct Result {
    var property: ResolvedProperty?
    var inverse = EntityDraft.Relationship.WrittenInverse.absent
    /// Set when the property is declared unique by itself.
    var uniquePolicy: ConflictPolicy?
    var diagnostics: [Diagnostic] = []
  }

  let member: DeclarationSyntax
  let binding: BindingSyntax
  let name: String
  let range: SourceRange
  let source: CarriedSource
  let names: SchemaNames
  /// The model the property belongs to.
  let scope: String

  /// Attributes of Swift that a generated property does without.
  private static let harmless: Set<String> = [
    "ObservationIgnored", "available", "objc", "nonobjc", "MainActor", "usableFromInline",
    "inlinable", "Sendable",
  ]

  func read() -> Result {
    var result = Result()
    let attributes = readAttributes(&result)
    refuseModifiers(&result)
    if case .observers(let range) = binding.accessors {
      result.diagnostics.append(.observers(name, range))
    }
    let isMarked =
      attributes.isTransient || attributes.attribute.transformer != nil
      || attributes.attribute.has(.codable)
    guard let type = resolveType(suggests: !isMarked, &result) else { return result }
    if type.containsModel, !attributes.isTransient {
      RelationshipBuilder(reader: self, type: type, attributes: attributes).build(&result)
    } else {
      AttributeBuilder(reader: self, type: type, attributes: attributes).build(&result)
    }
    return result
  }

  private func readAttributes(_ result: inout Result) -> PropertyAttributes {
    var attributes = PropertyAttributes()
    for syntax in member.attributes {
      switch syntax.name {
      case "Attribute":
        if attributes.attributeRange != nil {
          result.diagnostics.append(.repeatedAttribute(syntax))
        }
        attributes.attributeRange = syntax.range
        attributes.attribute.read(syntax, &result.diagnostics)
      case "Relationship":
        if attributes.relationshipRange != nil {
          result.diagnostics.append(.repeatedAttribute(syntax))
        }
        attributes.relationshipRange = syntax.range
        attributes.relationship.read(syntax, &result.diagnostics)
      case "Transient":
        if attributes.transientRange != nil {
          result.diagnostics.append(.repeatedAttribute(syntax))
        }
        attributes.transientRange = syntax.range
      default:
        guard !Self.harmless.contains(syntax.name), !syntax.name.isEmpty else { continue }
        let known = ["Attribute", "Relationship", "Transient"]
        if let nearest = NearestName.find(syntax.name, in: known) {
          result.diagnostics.append(.unknownAttribute(syntax, nearest))
        } else {
          result.diagnostics.append(.foreignAttribute(syntax))
        }
      }
    }
    return attributes
  }

  private func refuseModifiers(_ result: inout Result) {
    for modifier in member.modifiers {
      guard let keyword = modifier.keyword, [.lazy, .weak, .unowned].contains(keyword) else {
        continue
      }
      result.diagnostics.append(.modifier(keyword.rawValue, modifier))
    }
  }

  private func resolveType(suggests: Bool, _ result: inout Result) -> ReferencedType? {
    var resolver = TypeResolver(names: names, scope: scope)
    resolver.suggestsNames = suggests
    defer { result.diagnostics += resolver.diagnostics }
    if let type = binding.type { return resolver.resolve(type) }
    if binding.isIncomplete { return nil }
    guard let value = binding.defaultValue else {
      result.diagnostics.append(.missingType(name, range))
      return nil
    }
    let count = resolver.diagnostics.count
    if let type = TypeInference.infer(value, &resolver) { return type }
    if resolver.diagnostics.count == count {
      result.diagnostics.append(.unknownDefaultType(name, value))
    }
    return nil
  }
}

/// The attributes in front of a property.
struct PropertyAttributes {
  var attribute = AttributeOptions()
  var relationship = RelationshipOptions()
  var attributeRange: SourceRange?
  var relationshipRange: SourceRange?
  var transientRange: SourceRange?

  var isTransient: Bool { transientRange != nil }
}

extension Diagnostic {
  fileprivate static func observers(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .ignoredObserver, .warning, at: range,
      "observers of '\(name)' are not called, as in SwiftData",
      help: "remove them, or set '\(name)' through a function of an extension")
  }

  fileprivate static func unknownAttribute(_ syntax: AttributeSyntax, _ nearest: String) -> Self {
    Self(
      .unknownKeyword, at: syntax.nameRange, "unknown attribute '@\(syntax.name)'",
      help: "did you mean '@\(nearest)'?",
      fixIts: [.replace(syntax.nameRange, with: nearest, title: "replace it with '@\(nearest)'")])
  }

  fileprivate static func foreignAttribute(_ syntax: AttributeSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: syntax.nameRange,
      "'@\(syntax.name)' cannot be applied to a stored property of a model",
      help: "remove it, or move the property to an extension as a computed one")
  }

  fileprivate static func modifier(_ word: String, _ modifier: ModifierSyntax) -> Self {
    Self(
      .unsupportedDeclaration, at: modifier.node.range,
      "a stored property of a model cannot be '\(word)'",
      help: "remove '\(word)'", fixIts: [.remove(modifier.removalRange, title: "remove '\(word)'")])
  }

  fileprivate static func missingType(_ name: String, _ range: SourceRange) -> Self {
    Self(.unknownType, at: range, "property '\(name)' has neither a type nor a default value")
  }

  fileprivate static func unknownDefaultType(_ name: String, _ value: ExpressionSyntax) -> Self {
    Self(
      .unknownType, at: value.range, "the type of '\(name)' cannot be read from its default value",
      help: "write the type behind the name, as in '\(name): String'")
  }
}

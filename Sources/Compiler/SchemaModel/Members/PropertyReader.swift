import SchemaDiagnostics
import SchemaSyntax

/// Reads a stored property of a model: a relationship if the type is a model, otherwise an attribute.
struct PropertyReader {
  /// A class, because it is large and many functions add to it.
  final class Result {
    var property: ResolvedProperty?
    var inverse = EntityDraft.Relationship.WrittenInverse.absent
    /// Set if the property itself is declared unique.
    var uniquePolicy: ConflictPolicy?
    var diagnostics: [Diagnostic] = []
  }

  let head: PropertyHead
  let binding: BindingSyntax
  let name: String
  let range: SourceRange
  let source: CarriedSource
  let names: SchemaNames
  /// The model that declares the property.
  let scope: String

  func read() -> Result {
    let result = Result()
    let attributes = head.attributes
    if case .observers(let range) = binding.accessors, !(source.isSwift && attributes.isTransient) {
      result.diagnostics.append(.observers(name, range))
    }
    // Types used in a Swift file may be declared anywhere.
    let isMarked =
      source.isSwift || attributes.isTransient || attributes.attribute.transformer != nil
      || attributes.attribute.has(.codable)
    guard let type = resolveType(suggests: !isMarked, result) else { return result }
    if type.containsModel, !attributes.isTransient {
      RelationshipBuilder(reader: self, type: type).build(result)
    } else {
      AttributeBuilder(reader: self, type: type).build(result)
    }
    return result
  }

  private func resolveType(suggests: Bool, _ result: Result) -> ReferencedType? {
    var resolver = TypeResolver(names: names, scope: scope)
    resolver.suggestsNames = suggests
    let isStored =
      !head.attributes.isTransient && !head.attributes.attribute.has(.ephemeral)
      && head.attributes.attribute.transformer == nil
    if source.isSwift, isStored { resolver.swift = (source, names.swift.scopes(of: scope)) }
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

extension Diagnostic {
  fileprivate static func observers(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .ignoredObserver, .warning, at: range,
      "as in SwiftData, observers of '\(name)' are not called",
      help: "remove them, or set '\(name)' through a function in an extension")
  }

  fileprivate static func missingType(_ name: String, _ range: SourceRange) -> Self {
    Self(.unknownType, at: range, "property '\(name)' has neither a type nor a default value")
  }

  fileprivate static func unknownDefaultType(_ name: String, _ value: ExpressionSyntax) -> Self {
    Self(
      .unknownType, at: value.range, "the type of '\(name)' cannot be inferred from its default value",
      help: "write the type after the name, as in '\(name): String'")
  }
}

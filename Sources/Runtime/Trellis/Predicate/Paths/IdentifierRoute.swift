/// Finds the references of a chain that ends with an identifier: `\.trip?.persistentModelID`.
///
/// As with every chain, the references are read off the text of the key path; the end is not, see
/// ``IdentifierProbe``.
struct IdentifierRoute {
  private let keyPath: AnyKeyPath
  private let start: ModelDefinition
  /// Chains longer than this are read in memory.
  private static let longest = 4

  /// The references to follow; nil when the key path is no such chain.
  static func references(_ keyPath: AnyKeyPath, _ start: ModelDefinition) -> [AnyKeyPath]? {
    let type = Swift.type(of: keyPath).valueType
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
    guard wrapped == PersistentIdentifier.self, let rest = rest(keyPath, start) else { return nil }
    return IdentifierRoute(keyPath: keyPath, start: start).follow(rest, start, [])
  }

  private func follow(
    _ rest: Substring, _ definition: ModelDefinition, _ references: [AnyKeyPath]
  ) -> [AnyKeyPath]? {
    if !references.isEmpty, let probe = IdentifierProbe(start, references),
      probe.isIdentifier(keyPath)
    {
      return references
    }
    guard references.count < Self.longest else { return nil }
    for relation in definition.relations.references {
      let reference = relation.property.keyPath
      guard let part = Self.rest(reference, definition) else { continue }
      for link in ["\(part)?.", "\(part)."] where rest.hasPrefix(link) {
        let next = rest.dropFirst(link.count)
        if let found = follow(next, relation.destination, references + [reference]) {
          return found
        }
      }
    }
    return nil
  }

  /// The text behind the name of the model.
  private static func rest(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) -> Substring? {
    let text = keyPath.debugDescription
    let root = "\\\(definition.modelType)."
    return text.hasPrefix(root) ? text.dropFirst(root.count) : nil
  }
}

/// Models that a chain leads through, to see whether it ends with the last one's identifier.
///
/// The text of a key path to an identifier does not say so: the getter belongs to no model class. A
/// getter that reads no stored property and gives the identifier cannot be another one.
private struct IdentifierProbe {
  private let first: any PersistentModel
  private let last: any PersistentModel

  /// Nil where no models can be made without values.
  init?(_ start: ModelDefinition, _ references: [AnyKeyPath]) {
    guard let first = Self.model(start) else { return nil }
    self.first = first
    var last = first
    for reference in references {
      let definition = type(of: last)._$definition
      guard let slot = definition.layout.property(for: reference)?.slot, slot >= 0,
        let destination = definition.relations.toOne[slot]?.destination,
        let next = Self.model(destination)
      else { return nil }
      last.side.links.setTarget(slot, next)
      last = next
    }
    self.last = last
  }

  private static func model(_ definition: ModelDefinition) -> (any PersistentModel)? {
    let isPlain = definition.layout.columns.allSatisfy { property in
      guard case .attribute(let type) = property.kind else { return true }
      func hasPlaceholder<D: Decodable>(_: D.Type) -> Bool { Placeholder.attempt(D.self) != nil }
      guard !property.isOptional, Scalar.of(type) == nil else { return true }
      return (type as? any Decodable.Type).map { hasPlaceholder($0) } ?? false
    }
    return isPlain ? definition.codec.makePlaceholder(definition.temporaryIdentifier()) : nil
  }

  func isIdentifier(_ keyPath: AnyKeyPath) -> Bool {
    func read<M: PersistentModel>(_ model: M) -> PersistentIdentifier? {
      if let path = keyPath as? KeyPath<M, PersistentIdentifier?> { return model[keyPath: path] }
      if let path = keyPath as? KeyPath<M, PersistentIdentifier> { return model[keyPath: path] }
      return nil
    }
    return read(first) == last._$identifier && last._$state.side?.registrar == nil
  }
}

/// Models that a chain leads through, to see whether it ends with the last one's identifier.
///
/// The text of a key path to an identifier does not say so: the getter belongs to no model class. A
/// getter that reads no stored property and gives the identifier cannot be another one.
struct IdentifierProbe {
  private let first: any PersistentModel
  private let last: any PersistentModel

  /// Nil where no models can be made without values.
  init?(_ start: ModelDefinition, _ references: [ModelProperty]) {
    guard let first = Self.model(start) else { return nil }
    self.first = first
    var last = first
    for reference in references {
      guard let destination = reference.kind.destination?._$definition, let next = Self.model(destination) else {
        return nil
      }
      last.side.links.setTarget(reference.slot, next)
      last = next
    }
    self.last = last
  }

  private static func model(_ definition: ModelDefinition) -> (any PersistentModel)? {
    let isPlain = definition.layout.columns.allSatisfy { property in
      guard case .attribute(let type) = property.kind else { return true }
      func hasPlaceholder<D: Decodable>(_: D.Type) -> Bool { Placeholder.attempt(D.self) != nil }
      guard !property.isOptional, ScalarKind.of(type) == nil else { return true }
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

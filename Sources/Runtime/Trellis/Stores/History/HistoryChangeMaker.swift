/// Makes the changes of one model class, whose type is known here alone.
class HistoryChangeMaker: @unchecked Sendable {  // key paths are never written
  func insertion(_ place: HistoryPlace) -> HistoryChange? { nil }
  func update(_ place: HistoryPlace, of properties: [ModelProperty]) -> HistoryChange? { nil }
  func deletion(_ place: HistoryPlace, _ values: [(property: ModelProperty, value: any Sendable)]) -> HistoryChange? {
    nil
  }

  static func of(_ definition: ModelDefinition) -> HistoryChangeMaker {
    func open<M: PersistentModel>(_: M.Type) -> HistoryChangeMaker { TypedChangeMaker<M>(definition) }
    return open(definition.modelType)
  }
}

/// Which change of which transaction it is, and of what.
package struct HistoryPlace {
  var identifier: PersistentIdentifier
  var change: Int64
  var transaction: Int64
}

private final class TypedChangeMaker<M: PersistentModel>: HistoryChangeMaker, @unchecked Sendable {  // as above
  typealias Path = any PartialKeyPath<M> & Sendable
  private let paths: [String: Path]

  init(_ definition: ModelDefinition) {
    var paths: [String: Path] = [:]
    for property in definition.layout.properties {
      guard let path = property.keyPath as? PartialKeyPath<M> else { continue }
      // Being sendable has no part at run time, so nothing can ask for it; key paths of stored
      // properties capture nothing.
      paths[property.name] = unsafeBitCast(path, to: Path.self)
    }
    self.paths = paths
  }

  override func insertion(_ place: HistoryPlace) -> HistoryChange? {
    .insert(
      DefaultHistoryInsert<M>(
        changeIdentifier: place.change, changedPersistentIdentifier: place.identifier,
        transactionIdentifier: place.transaction))
  }

  override func update(_ place: HistoryPlace, of properties: [ModelProperty]) -> HistoryChange? {
    .update(
      DefaultHistoryUpdate<M>(
        changeIdentifier: place.change, changedPersistentIdentifier: place.identifier,
        transactionIdentifier: place.transaction,
        updatedAttributes: properties.compactMap { paths[$0.name] }))
  }

  override func deletion(
    _ place: HistoryPlace, _ values: [(property: ModelProperty, value: any Sendable)]
  ) -> HistoryChange? {
    .delete(
      DefaultHistoryDelete<M>(
        changeIdentifier: place.change, changedPersistentIdentifier: place.identifier,
        transactionIdentifier: place.transaction,
        tombstone: HistoryTombstone(
          values.compactMap { property, value in
            paths[property.name].map { (keyPath: $0, value: value) }
          })))
  }
}

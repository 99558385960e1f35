/// The values of one model, as a context and a store exchange them.
public protocol DataStoreSnapshot: Codable, Sendable {
  /// Reads the values from a model's storage.
  ///
  /// - Parameters:
  ///   - backingData: The storage of the model.
  ///   - relatedBackingDatas: Storages of related models, by identifier. The context creates snapshots of the
  ///     entries that the initialiser adds.
  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// The identifier of the model.
  var persistentIdentifier: PersistentIdentifier { get }

  /// Returns a copy with another identifier.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: The identifier of the copy.
  ///   - remappedIdentifiers: References to a key are replaced by references to its value.
  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// The requirements of a snapshot's property.
public typealias DataStoreSnapshotValue = Codable & Sendable

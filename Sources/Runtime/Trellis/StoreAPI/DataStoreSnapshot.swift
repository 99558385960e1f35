/// The values of one model, on their way between a context and a store.
public protocol DataStoreSnapshot: Codable, Sendable {
  /// Takes the values out of a model's storage.
  ///
  /// - Parameters:
  ///   - backingData: the model's storage.
  ///   - relatedBackingDatas: storages of related models; what is added will be made snapshots of.
  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// The identifier of the model.
  var persistentIdentifier: PersistentIdentifier { get }

  /// The same values under another identifier.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: the identifier of the copy.
  ///   - remappedIdentifiers: references to the keys become references to the values.
  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// What can be a property of a snapshot.
public typealias DataStoreSnapshotValue = Codable & Sendable

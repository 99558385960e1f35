import Synchronization

/// The result of a fetch.
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType: DataStoreSnapshot>:
  Sendable
{
  /// The descriptor of the request.
  public let descriptor: FetchDescriptor<ModelType>
  /// Snapshots of the matching models, in order.
  public let fetchedSnapshots: [SnapshotType]
  /// Snapshots of models that the matches refer to. The context does not need to fetch these models later.
  public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

  /// Creates the result of a fetch.
  public init(
    descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
    relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// The result of a save.
public final class DataStoreSaveChangesResult<T: DataStoreSnapshot>: Sendable {
  /// The identifier of the store that saved.
  public let storeIdentifier: String
  /// Snapshots of models that the store changed in addition to the request. The context registers their values.
  public let snapshotsToReregister: [PersistentIdentifier: T]

  /// The position in the store's history after the save; nil for a store without history.
  public let historyToken: (any HistoryToken)?

  /// The temporary identifiers of inserted models. `permanentIdentifiers` has equal positions.
  let temporaryIdentifiers: [PersistentIdentifier]
  let permanentIdentifiers: [PersistentIdentifier]
  /// The positions of models that the store merged with an existing row or with another new model.
  package let merged: Set<Int>
  /// The positions of merged models whose values the store has ignored.
  let ignored: Set<Int>
  private let remapping: Mutex<[PersistentIdentifier: PersistentIdentifier]?>

  /// Creates the result of a save.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The ``DataStore/identifier`` of the store.
  ///   - remappedIdentifiers: The permanent identifier of each inserted model, by its temporary identifier.
  ///   - snapshotsToReregister: Models that the store changed in addition to the request, for example an existing
  ///     model that received the values of a new model with an equal unique value.
  ///   - historyToken: The position in the store's history after the save; nil for a store without history.
  public init(
    for storeIdentifier: String,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
    snapshotsToReregister: [PersistentIdentifier: T] = [:],
    historyToken: (any HistoryToken)? = nil
  ) {
    self.historyToken = historyToken
    self.storeIdentifier = storeIdentifier
    self.temporaryIdentifiers = Array(remappedIdentifiers.keys)
    self.permanentIdentifiers = Array(remappedIdentifiers.values)
    self.merged = []
    self.ignored = []
    self.remapping = Mutex(remappedIdentifiers)
    self.snapshotsToReregister = snapshotsToReregister
  }

  /// The initialiser of 2024. The deleted identifiers are those of the request.
  @available(
    *, deprecated, message: "write 'DataStoreSaveChangesResult(for: …, remappedIdentifiers: …)'"
  )
  public convenience init(
    for storeIdentifier: String,
    remappedPersistentIdentifiers: [PersistentIdentifier: PersistentIdentifier],
    deletedIdentifiers: [PersistentIdentifier] = []
  ) {
    self.init(for: storeIdentifier, remappedIdentifiers: remappedPersistentIdentifiers)
  }

  /// Creates a result from two lists of equal length. The dictionary is created on first access.
  package init(
    for storeIdentifier: String, temporary: [PersistentIdentifier],
    permanent: [PersistentIdentifier], merged: Set<Int> = [], ignored: Set<Int> = [],
    snapshotsToReregister: [PersistentIdentifier: T] = [:],
    historyToken: (any HistoryToken)? = nil
  ) {
    assert(temporary.count == permanent.count)
    self.historyToken = historyToken
    self.storeIdentifier = storeIdentifier
    self.temporaryIdentifiers = temporary
    self.permanentIdentifiers = permanent
    self.merged = merged
    self.ignored = ignored
    self.remapping = Mutex(nil)
    self.snapshotsToReregister = snapshotsToReregister
  }

  /// The identifiers of the rows that inserted models were merged with.
  var mergedIdentifiers: Set<PersistentIdentifier> { Set(merged.map { permanentIdentifiers[$0] }) }

  /// The merged rows that existed before the save.
  var overwrittenIdentifiers: Set<PersistentIdentifier> {
    var identifiers = mergedIdentifiers
    guard !identifiers.isEmpty else { return [] }
    for (position, identifier) in permanentIdentifiers.enumerated() where !merged.contains(position) {
      identifiers.remove(identifier)
    }
    return identifiers
  }

  /// The permanent identifier of each inserted model, by its temporary identifier.
  public var remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] {
    remapping.withLock { remapping in
      if let remapping { return remapping }
      let made = Dictionary(
        zip(temporaryIdentifiers, permanentIdentifiers), uniquingKeysWith: { first, _ in first })
      remapping = made
      return made
    }
  }
}

extension DataStoreSaveChangesResult {
  /// The result with other snapshots to register.
  func reregistering(
    _ snapshots: [PersistentIdentifier: T]
  ) -> DataStoreSaveChangesResult<T> {
    DataStoreSaveChangesResult(
      for: storeIdentifier, temporary: temporaryIdentifiers, permanent: permanentIdentifiers,
      merged: merged, ignored: ignored, snapshotsToReregister: snapshots, historyToken: historyToken)
  }

  /// The permanent identifiers of the given models, in the order of `temporary`.
  ///
  /// - Throws: ``SwiftDataError/invalidStoreAnswer`` if the store did not return an identifier for a model.
  func permanentIdentifiers(
    for temporary: [PersistentIdentifier]
  ) throws -> [PersistentIdentifier] {
    if temporary == temporaryIdentifiers { return permanentIdentifiers }
    let remapped = remappedIdentifiers
    return try temporary.map { identifier in
      guard let permanent = remapped[identifier], !permanent.isTemporary else {
        throw SwiftDataError.invalidStoreAnswer.explained(
          "the store '\(storeIdentifier)' gave \(identifier) no permanent identifier: list it in "
            + "the result's 'remappedIdentifiers'")
      }
      return permanent
    }
  }
}

import Synchronization

/// What a store found.
public struct DataStoreFetchResult<ModelType: PersistentModel, SnapshotType: DataStoreSnapshot>:
  Sendable
{
  /// What was asked for.
  public let descriptor: FetchDescriptor<ModelType>
  /// The matches, in order.
  public let fetchedSnapshots: [SnapshotType]
  /// Snapshots of models the matches refer to; they save the context asking for them.
  public let relatedSnapshots: [PersistentIdentifier: SnapshotType]

  /// What was found.
  public init(
    descriptor: FetchDescriptor<ModelType>, fetchedSnapshots: [SnapshotType],
    relatedSnapshots: [PersistentIdentifier: SnapshotType] = [:]
  ) {
    self.descriptor = descriptor
    self.fetchedSnapshots = fetchedSnapshots
    self.relatedSnapshots = relatedSnapshots
  }
}

/// What a store did with the changes of one save.
public final class DataStoreSaveChangesResult<T: DataStoreSnapshot>: Sendable {
  /// The store that saved.
  public let storeIdentifier: String
  /// Snapshots of models the store changed beyond what it was asked: the context takes them over.
  public let snapshotsToReregister: [PersistentIdentifier: T]

  /// Where the store's history stands after the save; nil for a store without history.
  public let historyToken: (any HistoryToken)?

  /// The identifiers of inserted models, and at the same positions what the store calls them.
  let temporaryIdentifiers: [PersistentIdentifier]
  let permanentIdentifiers: [PersistentIdentifier]
  /// The positions of models that the store merged with a row it had, or with another new one.
  let merged: Set<Int>
  private let remapping: Mutex<[PersistentIdentifier: PersistentIdentifier]?>

  /// Reports a save.
  ///
  /// - Parameters:
  ///   - storeIdentifier: the ``DataStore/identifier`` of the store.
  ///   - remappedIdentifiers: for each inserted model its temporary and its permanent identifier.
  ///   - snapshotsToReregister: models the store changed beyond what it was asked: the one that
  ///     took over the values of a new model with the same unique value.
  ///   - historyToken: where the store's history stands after the save.
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
    self.remapping = Mutex(remappedIdentifiers)
    self.snapshotsToReregister = snapshotsToReregister
  }

  /// The spelling of 2024. The deleted identifiers are those of the request.
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

  /// Two lists of equal length instead of a dictionary, which is made when someone reads it.
  init(
    for storeIdentifier: String, temporary: [PersistentIdentifier],
    permanent: [PersistentIdentifier], merged: Set<Int> = [],
    snapshotsToReregister: [PersistentIdentifier: T] = [:],
    historyToken: (any HistoryToken)? = nil
  ) {
    assert(temporary.count == permanent.count)
    self.historyToken = historyToken
    self.storeIdentifier = storeIdentifier
    self.temporaryIdentifiers = temporary
    self.permanentIdentifiers = permanent
    self.merged = merged
    self.remapping = Mutex(nil)
    self.snapshotsToReregister = snapshotsToReregister
  }

  /// The rows that inserted models were merged with.
  var mergedIdentifiers: Set<PersistentIdentifier> { Set(merged.map { permanentIdentifiers[$0] }) }

  /// Those of them that were there before the save.
  var overwrittenIdentifiers: Set<PersistentIdentifier> {
    var identifiers = mergedIdentifiers
    guard !identifiers.isEmpty else { return [] }
    for (position, identifier) in permanentIdentifiers.enumerated() where !merged.contains(position) {
      identifiers.remove(identifier)
    }
    return identifiers
  }

  /// For each inserted model its temporary and its permanent identifier.
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
  /// The same answer with other snapshots to take over.
  func reregistering(
    _ snapshots: [PersistentIdentifier: T]
  ) -> DataStoreSaveChangesResult<T> {
    DataStoreSaveChangesResult(
      for: storeIdentifier, temporary: temporaryIdentifiers, permanent: permanentIdentifiers,
      merged: merged, snapshotsToReregister: snapshots, historyToken: historyToken)
  }

  /// What the store calls the models it was given, in the order of `temporary`.
  ///
  /// - Throws: ``SwiftDataError/invalidStoreAnswer`` when the store left one out.
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

/// An asynchronous store for contexts, which are synchronous: each call waits for the result.
///
/// Made by the container; the store itself is ``store``.
public final class AsyncStoreBridge<Base: AsyncDataStoreConfiguration>: ConcurrentDataStore {
  /// The type of the configuration.
  public typealias Configuration = AsyncConfiguration<Base>
  /// The type of the snapshots of models.
  public typealias Snapshot = Base.AsyncStore.Snapshot

  /// The store that does the work.
  public let store: Base.AsyncStore

  public var configuration: AsyncConfiguration<Base> { AsyncConfiguration(store.configuration) }
  public var identifier: String { store.identifier }
  public var schema: Schema { store.schema }
  public var enforcesUniqueConstraints: Bool { store.enforcesUniqueConstraints }
  public var appliesFetchOffset: Bool { store.appliesFetchOffset }

  /// Opens the store and waits until it is open.
  ///
  /// - Throws: what the store throws; ``SwiftDataError/loadIssueModelContainer`` on a thread that tasks share.
  public init(
    _ configuration: AsyncConfiguration<Base>, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    let base = configuration.base
    store = try AsyncCall.wait {
      try await Base.AsyncStore(base, migrationPlan: migrationPlan)
    }
  }

  /// Calls the asynchronous store and waits for it.
  ///
  /// - Throws: what the store throws; ``SwiftDataError/loadIssueModelContainer`` on a thread that tasks share.
  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot> {
    try AsyncCall.wait { [store] in try await store.fetch(request) }
  }

  /// Calls the asynchronous store and waits for it.
  ///
  /// - Throws: what the store throws; ``SwiftDataError/loadIssueModelContainer`` on a thread that tasks share.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try AsyncCall.wait { [store] in try await store.fetchCount(request) }
  }

  /// Calls the asynchronous store and waits for it.
  ///
  /// - Throws: what the store throws; ``SwiftDataError/loadIssueModelContainer`` on a thread that tasks share.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try AsyncCall.wait { [store] in try await store.fetchIdentifiers(request) }
  }

  /// Calls the asynchronous store and waits for it.
  ///
  /// - Throws: what the store throws; ``SwiftDataError/loadIssueModelContainer`` on a thread that tasks share.
  public func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot> {
    try AsyncCall.wait { [store] in try await store.save(request) }
  }

  /// Calls the asynchronous store and waits for it.
  ///
  /// - Throws: what the store throws; ``SwiftDataError/loadIssueModelContainer`` on a thread that tasks share.
  public func erase() throws { try AsyncCall.wait { [store] in try await store.erase() } }

  /// Calls the asynchronous store and waits for it.
  ///
  /// - Throws: what the store throws; ``SwiftDataError/loadIssueModelContainer`` on a thread that tasks share.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] {
    try AsyncCall.wait { [store] in
      try await store.cachedSnapshots(for: persistentIdentifiers, editingState: editingState)
    }
  }
}

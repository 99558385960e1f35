/// Stores the models of a container in an engine with asynchronous calls, such as a server.
///
/// The requirements are those of ``DataStore`` with `async`; an actor can conform. Contexts are used as with any store,
/// in code that may wait: a ``ModelActor``, the main actor, a thread of the program, or
/// ``ModelContainer/performBackgroundTask(_:)``. The code of the store runs on threads of this library, so that waiting
/// callers do not block it.
///
///     actor Remote: AsyncDataStore {
///       nonisolated let configuration: RemoteConfiguration
///       nonisolated let schema: Schema
///       nonisolated let identifier = "remote"
///
///       init(
///         _ configuration: RemoteConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
///       ) async throws { … }
///       func fetch<T>(_ request: DataStoreFetchRequest<T>) async throws
///         -> DataStoreFetchResult<T, DefaultSnapshot> { … }
///       func save(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) async throws
///         -> DataStoreSaveChangesResult<DefaultSnapshot> { … }
///     }
///
/// Not in SwiftData.
public protocol AsyncDataStore: AnyObject, Sendable {
  /// The type of the configuration, which contains the location.
  associatedtype Configuration: AsyncDataStoreConfiguration
  /// The type of the snapshots of models.
  associatedtype Snapshot: DataStoreSnapshot

  /// Opens the store. `configuration.schema` is set.
  init(
    _ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) async throws

  /// The configuration the store was opened with.
  var configuration: Configuration { get }
  /// Identifies the store; a part of its models' identifiers.
  var identifier: String { get }
  var schema: Schema { get }
  /// As ``DataStore/enforcesUniqueConstraints``.
  var enforcesUniqueConstraints: Bool { get }
  /// As ``DataStore/appliesFetchOffset``.
  var appliesFetchOffset: Bool { get }

  /// As ``DataStore/fetch(_:)``.
  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) async throws -> DataStoreFetchResult<T, Snapshot>

  /// As ``DataStore/fetchCount(_:)``.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) async throws -> Int

  /// As ``DataStore/fetchIdentifiers(_:)``.
  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) async throws -> [PersistentIdentifier]

  /// As ``DataStore/save(_:)``.
  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) async throws -> DataStoreSaveChangesResult<Snapshot>

  /// As ``DataStore/erase()``.
  func erase() async throws

  /// As ``DataStore/cachedSnapshots(for:editingState:)``.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) async throws -> [PersistentIdentifier: Snapshot]
}

extension AsyncDataStore {
  /// False: contexts do this.
  public var enforcesUniqueConstraints: Bool { false }

  /// False: contexts do this.
  public var appliesFetchOffset: Bool { false }

  /// Fetches and counts.
  ///
  /// - Throws: what the fetch, and for `erase()` the save, of the store throws.
  public func fetchCount<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) async throws -> Int {
    try await fetchIdentifiers(request).count
  }

  /// Fetches and takes the identifiers.
  ///
  /// - Throws: what the fetch, and for `erase()` the save, of the store throws.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) async throws -> [PersistentIdentifier] {
    let wanted = schema.entityNames(for: T.self)
    let identifiers = try await fetch(request).fetchedSnapshots.lazy.map(\.persistentIdentifier)
      .filter { wanted.contains($0.entityName) }
    guard let limit = request.descriptor.fetchLimit else { return Array(identifiers) }
    return Array(identifiers.prefix(max(0, limit)))
  }

  /// Fetches everything and saves its deletion.
  ///
  /// - Throws: what the fetch, and for `erase()` the save, of the store throws.
  public func erase() async throws {
    let editingState = EditingState()
    var deleted: [Snapshot] = []
    var seen: Set<PersistentIdentifier> = []
    for entity in schema.entities {
      guard let definition = entity.definition else { continue }
      for snapshot in try await allSnapshots(of: definition.modelType, editingState)
      where seen.insert(snapshot.persistentIdentifier).inserted {
        deleted.append(snapshot)
      }
    }
    guard !deleted.isEmpty else { return }
    _ = try await save(
      DataStoreSaveChangesRequest(
        inserted: [], updated: [], deleted: deleted, editingState: editingState))
  }

  /// Returns no snapshots.
  ///
  /// - Throws: what the fetch, and for `erase()` the save, of the store throws.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) async throws -> [PersistentIdentifier: Snapshot] { [:] }

  private func allSnapshots<T: PersistentModel>(
    of type: T.Type, _ editingState: EditingState
  ) async throws -> [Snapshot] {
    try await fetch(
      DataStoreFetchRequest<T>(descriptor: FetchDescriptor(), editingState: editingState)
    ).fetchedSnapshots
  }
}

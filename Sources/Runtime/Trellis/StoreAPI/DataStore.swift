import Foundation

/// A store for the models of a container, for example a database, a file or a server.
///
/// A store receives and returns values as snapshots. Contexts maintain relationships, apply delete rules, enforce
/// uniqueness and do everything that a store declares unsupported. A store must implement an initialiser, ``fetch(_:)``
/// and ``save(_:)``. The container calls a store from one thread at a time unless it conforms to
/// ``ConcurrentDataStore``.
public protocol DataStore: AnyObject {
  /// The type that describes the location of the store.
  associatedtype Configuration: DataStoreConfiguration
  /// The type that contains the values of a model.
  associatedtype Snapshot: DataStoreSnapshot

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - configuration: The configuration. The container has set its `schema`.
  ///   - migrationPlan: The plan that migrates existing data; nil without a plan.
  /// - Throws: An error if the store cannot be opened.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// The configuration the store was opened with.
  var configuration: Configuration { get }
  /// A unique identifier of the store. It is part of the identifiers of the store's models.
  var identifier: String { get }
  var schema: Schema { get }
  /// True if ``save(_:)`` enforces unique constraints. The default is false.
  ///
  /// If false, contexts compare the models of a save with all stored models of their classes, and merge or reject them
  /// as ``DefaultStore`` does. A store that has constraints, for example a database server, returns true. Contexts then
  /// fetch nothing. A new model counts as merged if `remappedIdentifiers` maps it to an existing model. The store
  /// throws to reject a save.
  ///
  /// In SwiftData, every store must enforce constraints itself.
  var enforcesUniqueConstraints: Bool { get }

  /// True if fetches skip the first `fetchOffset` models. The default is false.
  ///
  /// If false, contexts request all models up to the end of a page and remove the first ones. Every store can leave
  /// `fetchLimit` to contexts. In SwiftData, a store that ignores the offset returns wrong pages.
  var appliesFetchOffset: Bool { get }

  /// Returns snapshots of the models that match, in the requested order.
  ///
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` to let the context
  ///   filter or sort, or any error of the store.
  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot>

  /// Returns the number of models that a fetch would return.
  ///
  /// - Throws: Errors of the store.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int

  /// Returns the identifiers of the models that a fetch would return.
  ///
  /// - Throws: Errors of the store.
  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier]

  /// Writes all changes of one save, or none of them.
  ///
  /// - Throws: An error if the store rejects the changes or cannot write them.
  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot>

  /// Deletes every model.
  ///
  /// - Throws: An error if the store cannot delete its models.
  func erase() throws

  /// Informs the store that a context starts to use it.
  func initializeState(for editingState: EditingState)

  /// Returns the cached snapshots of the models; models without one are left out.
  ///
  /// - Throws: Errors of the store.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]

  /// Informs the store that a context no longer uses it.
  func invalidateState(for editingState: EditingState)
}

/// A store that can delete by predicate without a fetch of the models.
public protocol DataStoreBatching: DataStore {
  /// Deletes every model that matches.
  ///
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` if the store cannot evaluate the predicate, or any error of the
  ///   store.
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

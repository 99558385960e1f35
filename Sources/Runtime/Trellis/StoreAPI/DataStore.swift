import Foundation

/// Keeps the models of a container: a database, a file, a server.
///
/// Values reach a store and come back as snapshots. Relationships, delete rules, uniqueness
/// and everything a store says it cannot do are the context's work; a store needs an
/// initialiser, ``fetch(_:)`` and ``save(_:)``. The container calls a store that is not `Sendable`
/// from one thread at a time.
public protocol DataStore: AnyObject {
  /// What says where the store is.
  associatedtype Configuration: DataStoreConfiguration
  /// The form in which models are handed over.
  associatedtype Snapshot: DataStoreSnapshot

  /// Opens the store. `configuration.schema` is set.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// The configuration the store was opened with.
  var configuration: Configuration { get }
  /// Tells the store apart from every other one; part of its models' identifiers.
  var identifier: String { get }
  var schema: Schema { get }
  /// Whether ``save(_:)`` enforces unique constraints; false unless a store says otherwise.
  ///
  /// Contexts compare what they save with everything the store has of the classes concerned, and merge
  /// or refuse it as ``DefaultStore`` does. A store with constraints of its own, a database on a
  /// server for instance, answers true: nothing is fetched then, the new models it has merged with
  /// others are those whose `remappedIdentifiers` lead to existing ones, and what it refuses it throws.
  ///
  /// Not in SwiftData, where stores have to do this by themselves.
  var enforcesUniqueConstraints: Bool { get }

  /// Whether fetches leave out the first models as `fetchOffset` says; false unless a store says so.
  ///
  /// A store that does not is asked for everything up to the end of a page, and contexts cut it off.
  /// `fetchLimit` may be left to contexts by any store. Not in SwiftData, where a store that forgets
  /// the offset gives wrong pages.
  var appliesFetchOffset: Bool { get }

  /// The models that match, in order, each as a snapshot.
  ///
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` to
  ///   leave the work to the context.
  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot>

  /// How many models a fetch would return.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int

  /// The identifiers of the models a fetch would return.
  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier]

  /// Writes all changes or none.
  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot>

  /// Deletes every model.
  func erase() throws

  /// A context starts to use the store.
  func initializeState(for editingState: EditingState)

  /// Snapshots the store has at hand for a context.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]

  /// A context has gone away.
  func invalidateState(for editingState: EditingState)
}

/// A store that deletes by predicate without its models being fetched.
public protocol DataStoreBatching: DataStore {
  /// Deletes every model that matches.
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

import Foundation

/// A store for a container's models, for example a database, a file or a server.
///
/// A store receives and returns values as snapshots. Contexts maintain relationships, apply delete rules, enforce
/// uniqueness and provide every operation that the store reports as unsupported. A store must implement an initializer,
/// ``fetch(_:)`` and ``save(_:)``. The container calls a store from one thread at a time unless the store conforms to
/// ``ConcurrentDataStore``.
///
/// The following store keeps its models in memory and leaves filtering and sorting to the context:
///
/// ```swift
/// struct MemoryConfiguration: DataStoreConfiguration {
///   typealias Store = MemoryStore
///   let name: String
///   var schema: Schema?
/// }
///
/// final class MemoryStore: DataStore {
///   typealias Snapshot = DefaultSnapshot
///
///   let configuration: MemoryConfiguration
///   let identifier = UUID().uuidString
///   var schema: Schema { configuration.schema ?? Schema() }
///   var rows: [PersistentIdentifier: DefaultSnapshot] = [:]
///
///   init(_ configuration: MemoryConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) {
///     self.configuration = configuration
///   }
///
///   func fetch<T: PersistentModel>(
///     _ request: DataStoreFetchRequest<T>
///   ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
///     if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
///     if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
///     let found = rows.values.filter { $0.modelType is T.Type }
///     return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: found)
///   }
///
///   func save(
///     _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
///   ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
///     var permanent: [PersistentIdentifier: PersistentIdentifier] = [:]
///     for new in request.inserted.map(\.persistentIdentifier) {
///       permanent[new] = try .identifier(for: identifier, entityName: new.entityName, primaryKey: UUID())
///     }
///     for snapshot in request.inserted + request.updated {
///       let key = permanent[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
///       rows[key] = snapshot.copy(persistentIdentifier: key, remappedIdentifiers: permanent)
///     }
///     for snapshot in request.deleted { rows[snapshot.persistentIdentifier] = nil }
///     return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: permanent)
///   }
/// }
/// ```
///
/// <doc:CustomStores> describes a store in a file, with a history and migrations, and the checks for a custom store.
public protocol DataStore: AnyObject {
  /// The type that describes the store's location.
  associatedtype Configuration: DataStoreConfiguration
  /// The type that contains the values of a model.
  associatedtype Snapshot: DataStoreSnapshot

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - configuration: The configuration. The container has set its `schema`.
  ///   - migrationPlan: The plan that migrates existing data; nil if there is no plan.
  /// - Throws: An error if the store cannot be opened.
  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

  /// The configuration that opened the store.
  var configuration: Configuration { get }
  /// A unique store identifier. The identifiers of the store's models contain it.
  var identifier: String { get }
  /// The schema of the store's models.
  var schema: Schema { get }
  /// True if ``save(_:)`` enforces unique constraints. The default is false.
  ///
  /// If false, contexts compare the saved models with all stored models in the same classes, and merge or reject the
  /// saved models as ``DefaultStore`` does. A store with built-in constraints, for example a database server, returns
  /// true. Contexts then fetch nothing. A new model counts as merged if `remappedIdentifiers` maps it to an existing
  /// model. The store throws to reject a save.
  ///
  /// In SwiftData, every store must enforce constraints itself.
  var enforcesUniqueConstraints: Bool { get }

  /// True if fetches skip the first `fetchOffset` models. The default is false.
  ///
  /// If false, contexts request all models up to the end of a page and remove the first `fetchOffset` models. Every
  /// store can leave `fetchLimit` to contexts. In SwiftData, a store that ignores the offset returns wrong pages.
  var appliesFetchOffset: Bool { get }

  /// Returns snapshots of the matching models in the requested order.
  ///
  /// - Parameter request: The predicate, sort order and limit, and the context that fetches.
  /// - Returns: A snapshot for each match. The context ignores snapshots of other entities, and applies `fetchLimit` if
  ///   the store does not.
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` to let the context
  ///   filter or sort, or any error from the store.
  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot>

  /// Returns the number of models that a fetch would return.
  ///
  /// - Throws: Any error from the store.
  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int

  /// Returns the identifiers of the models that a fetch would return.
  ///
  /// - Throws: Any error from the store.
  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier]

  /// Writes all changes of a save, or none.
  ///
  /// - Parameter request: The inserted, updated and deleted models. At least one of the lists contains a model.
  /// - Returns: A permanent identifier for each inserted model, and further models that the store has changed.
  /// - Throws: An error if the store rejects the changes or cannot write them.
  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot>

  /// Deletes every model.
  ///
  /// - Throws: An error if the store cannot delete the models.
  func erase() throws

  /// Informs the store that a context starts to use it.
  func initializeState(for editingState: EditingState)

  /// Returns the cached snapshots of the models. Models that are not cached are omitted.
  ///
  /// - Throws: Any error from the store.
  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot]

  /// Informs the store that a context no longer uses it.
  func invalidateState(for editingState: EditingState)
}

/// A store that can delete by predicate instead of fetching the models first.
///
/// Your code calls ``delete(_:)`` on the store. Contexts do not call it on a custom store: they apply delete rules, and
/// pass each deleted model to ``DataStore/save(_:)``.
///
/// The following extension belongs to the store in the documentation of ``DataStore``:
///
/// ```swift
/// extension MemoryStore: DataStoreBatching {
///   func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
///     guard request.predicate == nil else { throw DataStoreError.preferInMemoryFilter }
///     rows = rows.filter { _, snapshot in
///       guard let type = snapshot.modelType, type is T.Type else { return true }
///       return type != T.self && !request.includeSubclasses
///     }
///   }
/// }
/// ```
public protocol DataStoreBatching: DataStore {
  /// Deletes every matching model.
  ///
  /// - Parameter request: The predicate, and the context or caller that deletes.
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` if the store cannot evaluate the predicate, or any error from
  ///   the store.
  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws
}

/// A store that several contexts can call concurrently.
///
/// With a concurrent store, a container serializes only saves. With any other store, it serializes all calls with a
/// lock. A conformance to `Sendable` cannot be tested at run time, so stores adopt this protocol. SwiftData does not
/// have it.
///
/// The store in the documentation of ``DataStore`` can conform once a lock guards the rows:
///
/// ```swift
/// extension MemoryStore: ConcurrentDataStore, @unchecked Sendable {}  // `rows` is guarded by a lock
/// ```
public protocol ConcurrentDataStore: DataStore, Sendable {}

// MARK: Configurations

/// The configuration with which a container opens a store.
///
/// An app changes its store by changing the configuration; models and remaining code are unaffected:
///
/// ```swift
/// let container = try ModelContainer(for: Trip.self, configurations: MemoryConfiguration(name: "trips"))
/// ```
///
/// A conforming type declares the store type as `Store`, or as `StoreType`, SwiftData's name in 2024. The documentation
/// of ``DataStore`` shows a configuration. It can also validate its values and set the default conflict policy:
///
/// ```swift
/// extension MemoryConfiguration {
///   var conflictPolicy: ConflictPolicy { .fail }
///
///   func validate() throws {
///     if name.isEmpty { throw SwiftDataError.loadIssueModelContainer }
///   }
/// }
/// ```
public protocol DataStoreConfiguration: Hashable {
  /// The store type that the configuration opens.
  associatedtype Store: DataStore = StoreType where Self == Store.Configuration
  /// SwiftData's name for ``Store`` in 2024.
  associatedtype StoreType: DataStore = Store where Self == StoreType.Configuration

  /// The configuration name, unique within the container.
  var name: String { get }
  /// The store's schema. The container sets it before it creates the store.
  var schema: Schema? { get set }
  /// The conflict policy for saves to the store. It determines how a save handles values that another context or
  /// process has saved since they were read.
  ///
  /// The default is ``ConflictPolicy/overwrite``. ``ModelContext/conflictPolicy`` takes precedence. Not in SwiftData.
  var conflictPolicy: ConflictPolicy { get }
  /// Validates the configuration before the container creates the store.
  ///
  /// - Throws: An error if a store cannot be opened with the configuration.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Accepts any configuration.
  ///
  /// - Throws: An implementation throws ``SwiftDataError`` for a configuration that cannot be opened.
  public func validate() throws {}

  /// ``ConflictPolicy/overwrite``: the last save wins.
  public var conflictPolicy: ConflictPolicy { .overwrite }
}

// MARK: Defaults

extension DataStore {
  /// False: contexts enforce unique constraints.
  public var enforcesUniqueConstraints: Bool { false }

  /// False: contexts apply the offset.
  public var appliesFetchOffset: Bool { false }

  /// Fetches the identifiers and counts them.
  ///
  /// - Throws: Errors from the store's `fetch(_:)`.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetchIdentifiers(request).count
  }

  /// Fetches the models and returns the identifiers.
  ///
  /// If the store also returns snapshots of other entities, they are omitted.
  ///
  /// - Throws: Errors from the store's `fetch(_:)`.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    let filter = ClassFilter(T._$definition, schema)
    let identifiers = try fetch(request).fetchedSnapshots.filter(filter.takes).map(\.persistentIdentifier)
    return Array(identifiers.prefix(max(0, request.descriptor.fetchLimit ?? .max)))
  }

  /// Fetches all models and saves the deletion.
  ///
  /// - Throws: Errors from the store's `fetch(_:)` and `save(_:)`.
  public func erase() throws {
    let editingState = EditingState()
    var deleted: [Snapshot] = []
    var seen: Set<PersistentIdentifier> = []
    for entity in schema.entities {
      guard let definition = entity.definition else { continue }
      for snapshot in try allSnapshots(of: definition.modelType, editingState)
      where seen.insert(snapshot.persistentIdentifier).inserted {
        deleted.append(snapshot)
      }
    }
    guard !deleted.isEmpty else { return }
    _ = try save(
      DataStoreSaveChangesRequest(
        inserted: [], updated: [], deleted: deleted, editingState: editingState))
  }

  /// Does nothing: the store keeps no state per context.
  public func initializeState(for editingState: EditingState) {}

  /// Returns no snapshots: the store has no cache.
  ///
  /// - Throws: An implementation can throw if the cache cannot be read.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] { [:] }

  /// Does nothing: the store keeps no state per context.
  public func invalidateState(for editingState: EditingState) {}

  private func allSnapshots<T: PersistentModel>(
    of type: T.Type, _ editingState: EditingState
  ) throws -> [Snapshot] {
    try fetch(DataStoreFetchRequest<T>(descriptor: FetchDescriptor(), editingState: editingState))
      .fetchedSnapshots
  }
}

// MARK: Shape and explanation

/// A store that can describe its tables, for migration tests.
package protocol ShapedStore: DataStore {
  /// Returns the tables, columns, indexes, references and recorded schema metadata as sorted strings. The result is
  /// equal for two stores created for the same version, regardless of the rows.
  func shape() throws -> [String]
  /// False if the store cannot keep U+0000 in text.
  var keepsNullCharacters: Bool { get }
}

/// A SQL store's fetch description.
package struct StoreExplanation {
  /// The reason why the context evaluates the filter. `sort` is the reason for in-memory sorting.
  package var filter: Untranslatable?
  package var sort: Untranslatable?
  /// The statement; nil if the context filters or sorts.
  package var sql: SQLFragment?
  package var plan: [String] = []
  /// True if the statement contains the filter only partially.
  package var isNarrowed = false

  package init(
    filter: Untranslatable? = nil, sort: Untranslatable? = nil, sql: SQLFragment? = nil, plan: [String] = [],
    isNarrowed: Bool = false
  ) {
    self.filter = filter
    self.sort = sort
    self.sql = sql
    self.plan = plan
    self.isNarrowed = isNarrowed
  }
}

extension SQLValue: CustomStringConvertible {
  /// The value as a SQL literal, truncated if it is long.
  package var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "'\(text.count > 60 ? text.prefix(60) + "…" : text[...])'"
    case .blob(let bytes): "\(bytes.count) bytes"
    case .list(let values): "a list of \(values.count)"
    }
  }
}

// MARK: Identifiers

extension PersistentIdentifier {
  /// Returns the permanent identifier for a row that a custom store has created.
  ///
  /// Equal arguments produce equal identifiers in every process.
  ///
  /// ```swift
  /// let identifier = try PersistentIdentifier.identifier(for: "trips.json", entityName: "Trip", primaryKey: 17)
  /// ```
  ///
  /// - Parameters:
  ///   - storeIdentifier: The store's ``DataStore/identifier``.
  ///   - entityName: The model's entity name.
  ///   - primaryKey: A key that is unique within the store and entity. `Int`, `UUID` and `String` are stored unchanged.
  /// - Returns: The identifier with which the store returns the row.
  /// - Throws: ``DataStoreError/unsupportedFeature`` if the key has no textual form.
  public static func identifier<T>(
    for storeIdentifier: String, entityName: String, primaryKey: T
  ) throws -> PersistentIdentifier
  where T: Comparable, T: CustomStringConvertible, T: Codable, T: Hashable {
    let token = IdentifierToken.interned(store: storeIdentifier, entity: entityName)
    let key: Key
    if let row = (primaryKey as? any FixedWidthInteger).flatMap({ Int64(exactly: $0) }) {
      key = .integer(row)
    } else if let uuid = primaryKey as? UUID {
      key = .boxed(IdentifierKey(.uuid(uuid)))
    } else if let string = primaryKey as? String {
      key = .boxed(IdentifierKey(.string(string)))
    } else {
      let text = primaryKey.description
      guard !text.isEmpty else { throw DataStoreError.unsupportedFeature }
      key = .boxed(IdentifierKey(.other(type: "\(T.self)", text: text)))
    }
    return PersistentIdentifier(key: key, token: token)
  }
}

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
  ///   - migrationPlan: The plan that migrates existing data; nil if there is no plan.
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

/// A store that several contexts can call concurrently.
///
/// A container serializes all calls to other stores with a lock, and only saves to this one. A conformance to `Sendable`
/// alone cannot be tested at run time, so a store conforms to this protocol. SwiftData does not have it.
public protocol ConcurrentDataStore: DataStore, Sendable {}

// MARK: Configurations

/// The configuration that a container needs to open a store.
///
/// An application changes its store by changing the configuration; its models and other code stay unchanged. A
/// conforming type names its store as `Store`, or as `StoreType`, the name used in 2024.
public protocol DataStoreConfiguration: Hashable {
  /// The type of the store that the configuration opens.
  associatedtype Store: DataStore = StoreType where Self == Store.Configuration
  /// The name of ``Store`` in 2024.
  associatedtype StoreType: DataStore = Store where Self == StoreType.Configuration

  /// The name of the configuration, unique within its container.
  var name: String { get }
  /// The models of the store. The container sets the schema before it creates the store.
  var schema: Schema? { get set }
  /// The conflict policy of saves to the store: how a save treats values that another context or process has saved
  /// since they were read.
  ///
  /// The default is ``ConflictPolicy/overwrite``. ``ModelContext/conflictPolicy`` takes precedence. Not in SwiftData.
  var conflictPolicy: ConflictPolicy { get }
  /// Validates the configuration before the container creates the store.
  ///
  /// - Throws: An error if a store cannot be opened with the configuration.
  func validate() throws
}

extension DataStoreConfiguration {
  /// Accepts the configuration.
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
  /// - Throws: Errors of the store's `fetch(_:)`.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try fetchIdentifiers(request).count
  }

  /// Fetches the models and returns their identifiers.
  ///
  /// Snapshots of other entities, which a store can return in addition, are left out.
  ///
  /// - Throws: Errors of the store's `fetch(_:)`.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    let filter = ClassFilter(T._$definition, schema)
    let identifiers = try fetch(request).fetchedSnapshots.filter(filter.takes).map(\.persistentIdentifier)
    return Array(identifiers.prefix(max(0, request.descriptor.fetchLimit ?? .max)))
  }

  /// Fetches all models and saves their deletion.
  ///
  /// - Throws: Errors of the store's `fetch(_:)` and `save(_:)`.
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
  /// - Throws: An implementation can throw if its cache cannot be read.
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

/// A store that can describe its tables, for tests of migrations.
package protocol ShapedStore: DataStore {
  /// The tables, columns, indexes and references, and what the store records of its schema, as sorted texts. They are
  /// equal for two stores that are made for one version, whatever their rows are.
  func shape() throws -> [String]
  /// False if no text of a model can contain U+0000.
  var keepsNullCharacters: Bool { get }
}

/// A SQL store's description of a fetch.
package struct StoreExplanation {
  /// The reason why the context evaluates the filter; `sort` is the reason for the order.
  package var filter: Untranslatable?
  package var sort: Untranslatable?
  /// The statement; nil if the context filters or sorts.
  package var sql: SQLFragment?
  package var plan: [String] = []
  /// True if the statement contains only a part of the filter.
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
  /// The permanent identifier of a row that a custom store has minted.
  ///
  /// Equal arguments give equal identifiers, in this process and in the next one.
  ///
  /// - Parameters:
  ///   - storeIdentifier: the ``DataStore/identifier`` of the store.
  ///   - entityName: the name of the model's entity.
  ///   - primaryKey: unique within the store and entity; `Int`, `UUID` and `String` are stored as such.
  /// - Throws: ``DataStoreError/unsupportedFeature`` when the key has no textual form.
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

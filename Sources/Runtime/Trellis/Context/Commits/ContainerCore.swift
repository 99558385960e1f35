import Dispatch
import Foundation
import Synchronization

/// A container's open stores.
///
/// The container retains its main context. The main context retains only this core, not the container, so there is no
/// reference cycle. The app may keep either one; both are released with the last reference.
final class ContainerCore: Sendable {
  let schema: Schema
  let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// Model names in older versions of the migration plan.
  let formerNames: FormerNames?
  let stores: [StoreHandle]
  let hub = CommitHub()
  /// Monitors that detect commits by other processes and containers.
  let commitMonitors: [any CommitMonitor]
  /// Callbacks for commits by other processes and containers, by observer.
  let remoteListeners = Mutex<[ObjectIdentifier: @Sendable (ExternalCommits) -> Void]>([:])
  /// Posts a notification with the store identifier and, if history was recorded, the last transaction's token.
  private let postRemoteChange: @Sendable (String, DefaultHistoryToken?) -> Void
  /// Signals for commits by other processes; empty until the first observer is added.
  let signals = Mutex<[any CommitSignal]>([])
  /// The monitor of the container's only store; `nil` if there are several stores.
  let onlyMonitor: (any CommitMonitor)?
  private let foundCycles = LazyReference<ListCycles>()
  /// Computed when the first list is read.
  var listCycles: ListCycles { foundCycles.load() ?? foundCycles.storeIfNil(ListCycles(schema)) }
  let storesByEntity: [String: StoreHandle]
  let configurations: Mutex<Set<ModelConfiguration>>

  /// - Parameters:
  ///   - stores: The open stores.
  ///   - configurations: The default stores' configurations.
  init(
    schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    stores: [StoreHandle], configurations: Set<ModelConfiguration>,
    postRemoteChange: @escaping @Sendable (String, DefaultHistoryToken?) -> Void
  ) {
    self.postRemoteChange = postRemoteChange
    self.schema = schema
    self.migrationPlan = migrationPlan
    formerNames = migrationPlan.map { FormerNames($0, of: schema) }
    var byEntity: [String: StoreHandle] = [:]
    for store in stores {
      for name in store.entityNames where byEntity[name] == nil { byEntity[name] = store }
    }
    self.stores = stores
    storesByEntity = byEntity
    commitMonitors = stores.compactMap { $0.sqlStore?.makeCommitMonitor() }
    onlyMonitor = stores.count == 1 ? commitMonitors.first : nil
    self.configurations = Mutex(configurations)
    OpenContainers.add(self)
  }

  /// Returns an entity's store, or `nil` if the container lacks the entity.
  func store(for entityName: String) -> StoreHandle? { storesByEntity[entityName] }

  /// Returns a model class's store.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if the container lacks the class, even if it has a different class
  ///   with the same name, because rows would be read and written as the wrong class.
  func store(of definition: ModelDefinition) throws -> StoreHandle {
    let name = definition.entityName
    guard let store = store(for: name) else {
      throw SwiftDataError.unknownSchema.explained(
        "'\(name)' is not in the container's schema: add it when creating the container. In a migration stage, the "
          + "container has only a single store's models; the closure runs once for each store")
    }
    if let own = schema.entitiesByName[name]?.definition, own !== definition {
      throw SwiftDataError.unknownSchema.explained(
        "the container's class '\(name)' is '\(String(reflecting: own.modelType))', not "
          + "'\(String(reflecting: definition.modelType))', which may belong to another schema version: use the "
          + "former, for example in functions that a migration calls")
    }
    return store
  }

  /// Runs a closure that calls a store. Snapshots decoded in the closure use the container's models.
  func withScope<Result>(_ body: () throws -> Result) rethrows -> Result {
    try SchemaScope.$current.withValue(schema) { try body() }
  }

  /// Calls a store for reading. Table stores do not need the scope.
  @inline(__always) func withScope<Result>(
    reading store: StoreHandle, _ body: () throws -> Result
  ) rethrows -> Result {
    store.isRelational ? try body() : try withScope(body)
  }

  /// Returns the entity with a name, or the entity that had this name in an older version, because identifiers outlive
  /// renames.
  func entity(formerly name: String) -> Schema.Entity? {
    schema.entity(formerly: name)
      ?? formerNames?.current(name).flatMap { schema.entitiesByName[$0] }
  }
}

extension ContainerCore {
  /// Delivers new commits by other connections to the container's contexts.
  ///
  /// Called before every fetch and save. If there are no new commits, the call only reads a number in SQLite or sends a
  /// query to a server.
  @inline(__always) func readExternalCommits() {
    for monitor in commitMonitors where monitor.mayHaveExternalCommits { read(monitor) }
  }

  /// Called when a store may have changed.
  private func storeMayHaveChanged() {
    for monitor in commitMonitors where monitor.isBlind || monitor.mayHaveExternalCommits { read(monitor) }
  }

  @inline(never) private func read(_ monitor: any CommitMonitor) {
    // If the commits cannot be read now, the next call finds them.
    guard let found = try? monitor.externalCommits() else { return }
    hub.post(found.commit)
    for listener in remoteListeners.withLock({ Array($0.values) }) { listener(found) }
    postRemoteChange(monitor.identifier, found.transactions.last?.token)
  }

  /// Starts reporting commits by other connections immediately instead of at the next use of the store.
  func startSignals() {
    guard !commitMonitors.isEmpty else { return }
    signals.withLock { signals in
      guard signals.isEmpty else { return }
      signals = commitMonitors.map { monitor in monitor.signal { [weak self] in self?.storeMayHaveChanged() } }
    }
  }
}

extension DataStore {
  /// Notifies contexts of all open containers that the store's data was changed externally.
  ///
  /// ```swift
  /// func rowsHaveArrived(_ identifiers: [PersistentIdentifier], in store: some DataStore) {
  ///   store.notifyExternalChange(DataStoreExternalChange(updated: identifiers))
  /// }
  /// ```
  ///
  /// May be called on any thread. Contexts apply the change before the next fetch or save; contexts with observers
  /// apply it immediately. Not in SwiftData.
  ///
  /// - Parameter change: The affected models or entities. By default, contexts reload all registered models.
  public func notifyExternalChange(_ change: DataStoreExternalChange = .everything) {
    for container in OpenContainers.containers(of: self) { container.notify(change) }
  }
}

extension ContainerCore {
  func notify(_ change: DataStoreExternalChange) {
    guard !change.isEverything else { return hub.post(Commit(isWholesale: true)) }
    var commit = Commit(updated: change.updated)
    commit.deleted = change.deleted
    let named = (change.inserted + change.updated + change.deleted).map(\.entityName)
    commit.changes.addUnknown(change.entityNames.union(named), comesOrGoes: true, schema)
    // Entity names do not show which models changed, so contexts reload all models.
    commit.isWholesale = !change.entityNames.isEmpty
    hub.post(commit)
  }
}

import Dispatch
import Foundation
import Synchronization

/// The open stores of a container.
///
/// A container retains its main context. The main context retains the core and not the container, so there is no cycle:
/// the app may keep either, and both are released with the last reference.
final class ContainerCore: Sendable {
  let schema: Schema
  let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// The names of models in older versions of the plan.
  let formerNames: FormerNames?
  let stores: [StoreHandle]
  let hub = CommitHub()
  /// Find commits of other processes and containers.
  let commitMonitors: [any CommitMonitor]
  /// Called with the commits of other processes and containers, by observer.
  let remoteListeners = Mutex<[ObjectIdentifier: @Sendable (ExternalCommits) -> Void]>([:])
  /// Posts a notification: the identifier of the store, and the token of the last transaction if it was recorded.
  private let postRemoteChange: @Sendable (String, DefaultHistoryToken?) -> Void
  /// Signals for commits of other processes; empty until the first observer.
  let signals = Mutex<[any CommitSignal]>([])
  /// The monitor of the container's only store.
  let onlyMonitor: (any CommitMonitor)?
  private let foundCycles = LazyReference<ListCycles>()
  /// Computed when the first list is read.
  var listCycles: ListCycles { foundCycles.load() ?? foundCycles.storeIfNil(ListCycles(schema)) }
  let storesByEntity: [String: StoreHandle]
  let configurations: Mutex<Set<ModelConfiguration>>

  /// - Parameters:
  ///   - stores: the open stores.
  ///   - configurations: those of the default store.
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

  /// The store of an entity; nil if the container does not have it.
  func store(for entityName: String) -> StoreHandle? { storesByEntity[entityName] }

  /// The store of a class of models.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` for one the container does not have, also where it has another
  ///   one of the name: rows of that one would be read and written as rows of this one.
  func store(of definition: ModelDefinition) throws -> StoreHandle {
    let name = definition.entityName
    guard let store = store(for: name) else {
      throw SwiftDataError.unknownSchema.explained(
        "'\(name)' is not in the schema of the container; name it where the container is made. In a stage of a migration, "
          + "the container has one store and its models; the closure runs once for each store")
    }
    if let own = schema.entitiesByName[name]?.definition, own !== definition {
      throw SwiftDataError.unknownSchema.explained(
        "the container's class '\(name)' is '\(String(reflecting: own.modelType))', not "
          + "'\(String(reflecting: definition.modelType))', which may be the class of another version: use the former, for "
          + "example in a function of a migration")
    }
    return store
  }

  /// Runs a call into a store: decoding finds the container's models, and identifiers that a save
  /// remaps are resolved.
  func withScope<Result>(_ body: () throws -> Result) rethrows -> Result {
    try SchemaScope.$current.withValue(schema) { try body() }
  }

  /// The same for reading from a store, where that needs no such thing.
  @inline(__always) func withScope<Result>(
    reading store: StoreHandle, _ body: () throws -> Result
  ) rethrows -> Result {
    store.isRelational ? try body() : try withScope(body)
  }

  /// The entity of a name, or the one that was called so in some version: identifiers outlive renamings.
  func entity(formerly name: String) -> Schema.Entity? {
    schema.entity(formerly: name)
      ?? formerNames?.current(name).flatMap { schema.entitiesByName[$0] }
  }
}

extension ContainerCore {
  /// Passes the commits of other connections since the last call to the contexts of the container.
  ///
  /// Called before every fetch and save. Without such commits, it reads a number with SQLite, or asks a server.
  @inline(__always) func readExternalCommits() {
    for monitor in commitMonitors where monitor.mayHaveExternalCommits { read(monitor) }
  }

  /// Called when a store may have changed.
  private func storeMayHaveChanged() {
    for monitor in commitMonitors where monitor.isBlind || monitor.mayHaveExternalCommits { read(monitor) }
  }

  @inline(never) private func read(_ monitor: any CommitMonitor) {
    // Commits that cannot be read now are found by the next call.
    guard let found = try? monitor.externalCommits() else { return }
    hub.post(found.commit)
    for listener in remoteListeners.withLock({ Array($0.values) }) { listener(found) }
    postRemoteChange(monitor.identifier, found.transactions.last?.token)
  }

  /// Reports commits of other connections when they happen, and not only with the next use of the store.
  func startSignals() {
    guard !commitMonitors.isEmpty else { return }
    signals.withLock { signals in
      guard signals.isEmpty else { return }
      signals = commitMonitors.map { monitor in monitor.signal { [weak self] in self?.storeMayHaveChanged() } }
    }
  }
}

extension DataStore {
  /// Tells the contexts of every open container over this store that its data has changed behind them.
  ///
  /// May be called on any thread. Contexts take notice before their next fetch or save, those of
  /// observers at once.
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
    // The change names entities, not their models.
    commit.isWholesale = !change.entityNames.isEmpty
    hub.post(commit)
  }
}

import Dispatch
import Foundation
import Synchronization

/// What a container consists of, apart from its main context: the stores and what is known of them.
///
/// The main context holds the core and not the container, which holds the context. So either of them
/// can be let go of, and both go when nobody holds one.
final class ContainerCore: Sendable {
  let schema: Schema
  let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// What models were called in older versions of the plan.
  let formerNames: FormerNames?
  let stores: [StoreHandle]
  let hub = CommitHub()
  /// What others commit to the files of the stores.
  let remoteNews: [RemoteNews]
  let remoteListeners = RemoteListeners()
  /// What wakes the container when they do; none before somebody observes.
  let signals = Mutex<[FileSignal]>([])
  private let foundCycles = LazyReference<ListCycles>()
  /// Looked for when the first list is read.
  var listCycles: ListCycles { foundCycles.load() ?? foundCycles.storeIfNil(ListCycles(schema)) }
  let storesByEntity: [String: StoreHandle]
  let configurations: Mutex<Set<ModelConfiguration>>

  init(
    schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    stores configurations: [any DataStoreConfiguration]
  ) throws {
    let given = configurations.isEmpty ? [ModelConfiguration()] : configurations
    let plan = try StorePlan(schema: schema, configurations: given)
    self.schema = schema
    self.migrationPlan = migrationPlan
    formerNames = migrationPlan.map { FormerNames($0, of: schema) }
    var stores: [StoreHandle] = []
    var byEntity: [String: StoreHandle] = [:]
    for entry in plan.entries {
      let store = try SchemaScope.$current.withValue(schema) {
        try entry.open(migrationPlan: migrationPlan)
      }
      stores.append(store)
      for name in entry.entityNames where byEntity[name] == nil { byEntity[name] = store }
    }
    self.stores = stores
    self.storesByEntity = byEntity
    remoteNews = stores.compactMap { ($0.object as? DefaultStore).flatMap { RemoteNews($0) } }
    self.configurations = Mutex(
      Set(plan.entries.compactMap { $0.configuration as? ModelConfiguration }))
    for store in stores { StoreListeners.join(self, store.object) }
  }

  /// A container over one store that is open already.
  init(_ store: DefaultStore) {
    let names = Set(store.schema.entities.map(\.name))
    let handle = SQLiteStoreHandle(
      store, configurationName: store.name, entityNames: names,
      allowsSave: store.configuration.allowsSave)
    schema = store.schema
    migrationPlan = nil
    formerNames = nil
    stores = [handle]
    remoteNews = []
    storesByEntity = Dictionary(
      names.map { ($0, handle) }, uniquingKeysWith: { first, _ in first })
    configurations = Mutex([store.configuration])
    StoreListeners.join(self, store)
  }

  /// The entity of a name, or the one that was called so in some version: identifiers outlive renamings.
  func entity(formerly name: String) -> Schema.Entity? {
    schema.entity(formerly: name)
      ?? formerNames?.current(name).flatMap { schema.entitiesByName[$0] }
  }

  deinit {
    for store in stores { StoreListeners.clean(ObjectIdentifier(store.object)) }
  }
}

/// The main context of a container, made when it is first asked for.
final class MainContextBox: @unchecked Sendable {  // read and written on the main actor only
  var context: ModelContext?

  init(_ context: ModelContext? = nil) { self.context = context }

  /// The last reference to a container may go on any thread. Its main context, and through it models
  /// the main actor may be using, go on the main thread.
  deinit {
    guard let context, !Thread.isMainThread, !Self.isOnMainQueue else { return }
    nonisolated(unsafe) let last = context
    Task { @MainActor in withExtendedLifetime(last) {} }
  }

  /// On Linux another thread may serve the main queue.
  static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

  private static let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}

/// The container of a context, as the context holds it.
struct ContainerReference {
  private let core: ContainerCore
  /// Nil in a main context.
  private let owned: ModelContainer?
  private weak var handle: ModelContainer?

  init(_ container: ModelContainer, isMain: Bool) {
    core = container.core
    owned = isMain ? nil : container
    handle = isMain ? container : nil
  }

  /// The container; a new one over the same stores where only the main context was kept.
  mutating func container(of context: ModelContext) -> ModelContainer {
    if let owned { return owned }
    if let handle { return handle }
    let container = ModelContainer(core, main: context)
    handle = container
    return container
  }
}

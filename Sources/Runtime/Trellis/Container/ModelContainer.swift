import Dispatch
public import Foundation
import Synchronization

/// The stores of an application's models, opened once and shared by any number of contexts.
///
/// A container is `Sendable`; its contexts are not. Opening creates missing folders and files and
/// applies additive schema changes; it never overwrites or deletes what it finds.
///
///     let container = try ModelContainer(for: Trip.self)      // related models are found
///     let context = ModelContext(container)
public final class ModelContainer: Sendable {
  /// Every model of the container, those found through relationships included.
  public var schema: Schema { core.schema }

  /// The plan given to the initialiser.
  public var migrationPlan: (any SchemaMigrationPlan.Type)? { core.migrationPlan }

  /// The ``ModelConfiguration``s among the configurations of the container.
  public var configurations: Set<ModelConfiguration> {
    get { core.configurations.withLock { $0 } }
    set { core.configurations.withLock { $0 = newValue } }
  }

  let core: ContainerCore
  private let main: MainContextBox

  /// The context of the main actor, with autosave on.
  ///
  /// The container keeps it; keeping only the context keeps the stores open as well.
  @MainActor public var mainContext: ModelContext {
    if let context = main.context { return context }
    let context = ModelContext(main: self)
    main.context = context
    return context
  }

  /// Opens the stores of the given configurations; all public initialisers end here.
  convenience init(
    schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    stores configurations: [any DataStoreConfiguration]
  ) throws {
    self.init(try ContainerCore(schema: schema, migrationPlan: migrationPlan, stores: configurations))
  }

  /// A container over one store that is open already.
  convenience init(_ store: some DataStore) { self.init(ContainerCore(store)) }

  /// A container over open stores.
  ///
  /// - Parameter context: a main context that has outlived its own container; nil for a new one.
  init(_ core: ContainerCore, main context: ModelContext? = nil) {
    self.core = core
    main = MainContextBox(context)
  }

  /// Removes every model of every store at once, without pending changes and delete rules.
  ///
  /// - Throws: what a store throws. Stores before it are empty then.
  public func erase() throws {
    for store in core.stores { try core.withScope { try store.erase() } }
    core.hub.post(Commit(isWholesale: true, isErasure: true))
  }

  /// As ``erase()``, ignoring a store that fails.
  public func deleteAllData() {
    for store in core.stores { try? core.withScope { try store.erase() } }
    core.hub.post(Commit(isWholesale: true, isErasure: true))
  }

  /// The identifier of the store of a configuration; nil when there is no such configuration.
  public func storeIdentifier(forConfigurationNamed name: String) -> String? {
    core.stores.first { $0.configurationName == name }?.identifier
  }

  /// The name of the configuration whose store has the identifier.
  public func configurationName(forStoreIdentifier identifier: String) -> String? {
    core.stores.first { $0.identifier == identifier }?.configurationName
  }
}

extension ModelContainer {
  /// The stores that can describe their tables, for tests.
  package var shapedStores: [any ShapedStore] { core.stores.compactMap { $0.store as? any ShapedStore } }

  /// Tells every context of this container that the data of a store has changed behind them.
  ///
  /// May be called on any thread. See ``DataStoreExternalChange``.
  public func notifyExternalChange(_ change: DataStoreExternalChange = .everything) {
    core.notify(change)
  }
}

extension ModelContainer: Equatable {
  /// Containers are equal when they share their stores.
  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs.core === rhs.core }
}

extension ModelContext {
  /// Makes an empty context of the container, which it keeps.
  public convenience init(_ container: ModelContainer) {
    self.init(ContextState(container.core, container))
  }

  /// The main context of a container.
  convenience init(main container: ModelContainer) {
    self.init(ContextState(container.core, nil, container: container))
    autosaveEnabled = true
  }

  /// The container whose stores the context reads and writes.
  ///
  /// Where a program has kept only the main context, this is a new container over the same open stores.
  public var container: ModelContainer {
    if let main = state.owner as? ModelContext { return main.container }
    if let known = (state.owner ?? state.container) as? ModelContainer { return known }
    let container = ModelContainer(core, main: self)
    state.container = container
    return container
  }
}

/// The main context of a container, made on the first request.
final class MainContextBox: @unchecked Sendable {  // read and written on the main actor only
  var context: ModelContext?

  init(_ context: ModelContext? = nil) { self.context = context }

  /// The last reference to a container may go on any thread. Its main context, and through it models
  /// the main actor may be using, go on the main thread.
  deinit {
    guard let context, !Thread.isMainThread, !MainQueue.isCurrent else { return }
    nonisolated(unsafe) let last = context
    Task { @MainActor in withExtendedLifetime(last) {} }
  }
}

extension ModelContainer {
  /// Runs work with a new context on a thread that may wait for a store, and gives back what it gives.
  ///
  ///     let count = try await container.performBackgroundTask { context in
  ///       context.insert(Trip(name: "Oslo"))
  ///       try context.save()
  ///       return try context.fetchCount(FetchDescriptor<Trip>())
  ///     }
  ///
  /// Models stay in the closure: pass identifiers or values out of it. Not in SwiftData; known from
  /// Core Data.
  ///
  /// - Throws: what the closure throws.
  public func performBackgroundTask<R: Sendable>(
    _ body: @escaping @Sendable (ModelContext) throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      // Serial queues have other threads than tasks. On Linux the global queue shares its threads with tasks, which would
      // wait until Dispatch notices that all of them are blocked.
      DispatchQueue(label: "Trellis.performBackgroundTask").async {
        continuation.resume(with: Result { try body(ModelContext(self)) })
      }
    }
  }
}

extension ModelContainer {
  /// Posted on any thread when another process, or another container, has saved to a store of a container with an
  /// observer. The notification has no object; ``RemoteChangeKey`` names the keys of its `userInfo`.
  public static let remoteChange = Notification.Name("Trellis.ModelContainer.remoteChange")

  /// The keys of a ``remoteChange`` notification's `userInfo`.
  public enum RemoteChangeKey: String, Sendable {
    /// The identifier of the store.
    case storeIdentifier
    /// The ``DefaultHistoryToken`` of the last transaction; not there where nothing was recorded.
    case historyToken
  }

  static func postRemoteChange(of store: String, _ token: DefaultHistoryToken?) {
    var info: [AnyHashable: Any] = [RemoteChangeKey.storeIdentifier: store]
    if let token { info[RemoteChangeKey.historyToken] = token }
    NotificationCenter.default.post(name: remoteChange, object: nil, userInfo: info)
  }
}

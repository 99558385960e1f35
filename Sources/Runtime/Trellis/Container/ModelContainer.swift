import Dispatch
public import Foundation
import Synchronization

/// An app's stores, opened once and shared by any number of contexts.
///
/// ```swift
/// let container = try ModelContainer(for: Trip.self)   // includes the related BucketListItem and LivingAccommodation
/// let context = ModelContext(container)
/// context.insert(Trip(name: "Fjords", destination: "Bergen", startDate: .now, endDate: .now + 7 * 86_400))
/// try context.save()
/// ```
///
/// Without a configuration, the store is the file `default.store` in the folder that ``ModelConfiguration`` describes.
///
/// A container is `Sendable`; contexts are not. Opening a container creates missing store files, applies schema changes
/// that lose no values, and runs the migration plan's stages. A file that is not a store is rejected and never
/// overwritten. If a store cannot be opened, the error's ``SwiftDataError/storeProblem`` is the reason:
///
/// ```swift
/// do {
///   let container = try ModelContainer(for: Trip.self)
///   print(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()))
/// } catch let error as SwiftDataError where error.storeProblem == .newerSchema {
///   print("a newer version of this app has written the store: update the app")
/// }
/// ```
public final class ModelContainer: Sendable {
  /// The container's models, including models found through relationships.
  public var schema: Schema { core.schema }

  /// The migration plan passed to the initializer; `nil` if none was passed.
  public var migrationPlan: (any SchemaMigrationPlan.Type)? { core.migrationPlan }

  /// The container's configurations of type ``ModelConfiguration``. Setting this property does not affect open stores.
  public var configurations: Set<ModelConfiguration> {
    get { core.configurations.withLock { $0 } }
    set { core.configurations.withLock { $0 = newValue } }
  }

  let core: ContainerCore
  private let main: MainContextBox

  /// The main actor's context, with autosave enabled: it saves half a second after the last change, see
  /// ``ModelContext/autosavePolicy``.
  ///
  /// ```swift
  /// @MainActor func printNames() throws {
  ///   for trip in try container.mainContext.fetch(FetchDescriptor<Trip>()) { print(trip.name) }
  /// }
  /// ```
  ///
  /// The container retains the context. Retaining only the context also keeps the stores open.
  @MainActor public var mainContext: ModelContext {
    if let context = main.context { return context }
    let context = ModelContext(main: self)
    main.context = context
    return context
  }

  /// Opens the stores for the given configurations. All public initializers call this initializer.
  convenience init(
    schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    stores configurations: [any DataStoreConfiguration]
  ) throws {
    self.init(try ContainerCore(schema: schema, migrationPlan: migrationPlan, stores: configurations))
  }

  /// Creates a container for an open store.
  convenience init(_ store: some DataStore) { self.init(ContainerCore(store)) }

  /// Creates a container for open stores.
  ///
  /// - Parameter context: The main context of a released container; `nil` creates a new context.
  init(_ core: ContainerCore, main context: ModelContext? = nil) {
    self.core = core
    main = MainContextBox(context)
  }

  /// Removes all models from all stores immediately, ignoring pending changes and delete rules.
  ///
  /// ```swift
  /// try container.erase()
  /// let count = try ModelContext(container).fetchCount(FetchDescriptor<Trip>())   // 0
  /// ```
  ///
  /// Contexts treat the removed models as deleted and discard pending changes to them. Models that were inserted and
  /// not saved remain pending. Default stores also remove the history, so earlier tokens expire; the store files
  /// remain, and identifiers are not reused.
  ///
  /// - Throws: Errors from a store. The stores before it have already been erased.
  public func erase() throws {
    for store in core.stores { try core.withScope { try store.erase() } }
    core.hub.post(Commit(isWholesale: true, isErasure: true))
  }

  /// Erases all stores like ``erase()``, ignoring stores that fail.
  ///
  /// ```swift
  /// func emptyContext() -> ModelContext {   // for tests that share a container
  ///   container.deleteAllData()
  ///   return ModelContext(container)
  /// }
  /// ```
  ///
  /// Use ``erase()`` if the app must know that the data was removed.
  public func deleteAllData() {
    for store in core.stores { try? core.withScope { try store.erase() } }
    core.hub.post(Commit(isWholesale: true, isErasure: true))
  }

  /// Returns the identifier of a configuration's store, or `nil` if there is no such configuration.
  ///
  /// ```swift
  /// let archive = container.storeIdentifier(forConfigurationNamed: "archive")
  /// if trip.persistentModelID.storeIdentifier == archive { print("\(trip.name) is archived") }
  /// ```
  ///
  /// - Parameter name: The ``ModelConfiguration/name``, or a custom configuration's name.
  public func storeIdentifier(forConfigurationNamed name: String) -> String? {
    core.stores.first { $0.configurationName == name }?.identifier
  }

  /// Returns the configuration name for a store identifier, or `nil` if the store is not in the container.
  ///
  /// ```swift
  /// for transaction in try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) {
  ///   let store = container.configurationName(forStoreIdentifier: transaction.storeIdentifier)
  ///   print(transaction.timestamp, store ?? "")   // 2026-05-17 09:12:44 +0000 archive
  /// }
  /// ```
  ///
  /// - Parameter identifier: The identifier from a model, a history token or a history transaction.
  public func configurationName(forStoreIdentifier identifier: String) -> String? {
    core.stores.first { $0.identifier == identifier }?.configurationName
  }
}

extension ModelContainer {
  /// The stores that can describe their tables. Used by tests.
  package var shapedStores: [any ShapedStore] { core.stores.compactMap { $0.store as? any ShapedStore } }

  /// Notifies all contexts of this container that store data was changed externally.
  ///
  /// Call this function if a custom store's data changes by means other than a save, for example after a download:
  ///
  /// ```swift
  /// container.notifyExternalChange(
  ///   DataStoreExternalChange(updated: [trip.persistentModelID], entityNames: ["BucketListItem"]))
  /// ```
  ///
  /// Default stores detect external commits themselves. May be called on any thread. To notify all containers that
  /// have a store open, call `notifyExternalChange(_:)` on the store. Not in SwiftData.
  ///
  /// - Parameter change: The changed models and entities. By default, any model may have changed, and contexts reload
  ///   all registered models.
  public func notifyExternalChange(_ change: DataStoreExternalChange = .everything) {
    core.notify(change)
  }
}

extension ModelContainer: Equatable {
  /// Returns true if both containers share the same open stores.
  ///
  /// ```swift
  /// let isShared = ModelContext(container).container == container   // true
  /// ```
  ///
  /// Two containers that open the same file are not equal.
  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs.core === rhs.core }
}

extension ModelContext {
  /// Creates a context that retains the container, with autosave disabled.
  ///
  /// ```swift
  /// let context = ModelContext(container)
  /// context.author = "import"
  /// context.insert(BucketListItem(title: "See the glacier"))
  /// try context.save()
  /// ```
  ///
  /// Use the context and its models in a single isolation domain. The main actor already has
  /// ``ModelContainer/mainContext``.
  ///
  /// - Parameter container: The container whose stores the context uses.
  public convenience init(_ container: ModelContainer) {
    self.init(ContextState(container.core, container))
  }

  /// Creates a container's main context.
  convenience init(main container: ModelContainer) {
    self.init(ContextState(container.core, nil, container: container))
    autosaveEnabled = true
  }

  /// The container that provides the context's stores.
  ///
  /// If the app has released the container and kept only the main context, this property returns a new container with
  /// the same open stores.
  public var container: ModelContainer {
    if let main = state.owner as? ModelContext { return main.container }
    if let known = (state.owner ?? state.container) as? ModelContainer { return known }
    let container = ModelContainer(core, main: self)
    state.container = container
    return container
  }
}

/// Holds a container's main context, which is created on first access.
final class MainContextBox: @unchecked Sendable {  // accessed on the main actor only
  var context: ModelContext?

  init(_ context: ModelContext? = nil) { self.context = context }

  /// Releases the main context on the main thread, because the main actor may be using its models. The container itself
  /// can be released on any thread.
  deinit {
    guard let context, !Thread.isMainThread, !MainQueue.isCurrent else { return }
    nonisolated(unsafe) let last = context
    Task { @MainActor in withExtendedLifetime(last) {} }
  }
}

extension ModelContainer {
  /// Runs a closure with a new context on a background thread and returns the closure's result.
  ///
  /// ```swift
  /// let count = try await container.performBackgroundTask { context in
  ///   context.insert(Trip(name: "Fjords", destination: "Bergen", startDate: .now, endDate: .now + 7 * 86_400))
  ///   try context.save()
  ///   return try context.fetchCount(FetchDescriptor<Trip>())
  /// }
  /// ```
  ///
  /// Models must not leave the closure: return identifiers or values. Changes that the closure does not save are
  /// discarded. Not in SwiftData; similar to Core Data.
  ///
  /// - Parameter body: Receives a new context, which must not be used after the closure returns.
  /// - Returns: The closure's result.
  /// - Throws: Errors from the closure.
  public func performBackgroundTask<R: Sendable>(
    _ body: @escaping @Sendable (ModelContext) throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      // Serial queues use threads outside the cooperative pool. On Linux, the global queue shares its threads with
      // tasks, which would be delayed until Dispatch detects that all threads are blocked.
      DispatchQueue(label: "Trellis.performBackgroundTask").async {
        continuation.resume(with: Result { try body(ModelContext(self)) })
      }
    }
  }
}

extension ModelContainer {
  /// Posted on any thread after a different process or container has saved to one of the container's stores.
  ///
  /// If a ``HistoryObserver`` or ``ResultsObserver`` was created for the container, the notification is posted shortly
  /// after the save, otherwise at the container's next fetch or save. Custom stores post no notifications. The
  /// notification has no object; ``RemoteChangeKey`` defines the `userInfo` keys.
  public static let remoteChange = Notification.Name("Trellis.ModelContainer.remoteChange")

  /// The `userInfo` keys for ``remoteChange`` notifications.
  ///
  /// ```swift
  /// let observation = NotificationCenter.default.addObserver(
  ///   forName: ModelContainer.remoteChange, object: nil, queue: nil
  /// ) { notification in
  ///   let store = notification.userInfo?[ModelContainer.RemoteChangeKey.storeIdentifier] as? String
  ///   print("store \(store ?? "") has changed")
  /// }
  /// ```
  public enum RemoteChangeKey: String, Sendable {
    /// The store identifier, a `String`.
    case storeIdentifier
    /// The last transaction's ``DefaultHistoryToken``; missing if no history was recorded.
    case historyToken
  }

  static func postRemoteChange(of store: String, _ token: DefaultHistoryToken?) {
    var info: [AnyHashable: Any] = [RemoteChangeKey.storeIdentifier: store]
    if let token { info[RemoteChangeKey.historyToken] = token }
    NotificationCenter.default.post(name: remoteChange, object: nil, userInfo: info)
  }
}

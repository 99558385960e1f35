import Foundation
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
  init(
    schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    stores configurations: [any DataStoreConfiguration]
  ) throws {
    core = try ContainerCore(
      schema: schema, migrationPlan: migrationPlan, stores: configurations)
    main = MainContextBox()
  }

  /// A container over one store that is open already.
  init(_ store: DefaultStore) {
    core = ContainerCore(store)
    main = MainContextBox()
  }

  /// Another container over open stores, for a main context that has outlived its own.
  init(_ core: ContainerCore, main context: ModelContext) {
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
  package var shapedStores: [any ShapedStore] { core.stores.compactMap { $0.object as? any ShapedStore } }

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

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
  var stores: [StoreHandle] { core.stores }
  var hub: CommitHub { core.hub }
  var listCycles: ListCycles { core.listCycles }
  private let main: MainContextBox

  /// The context of the main actor, with autosave on.
  ///
  /// The container keeps it; keeping only the context keeps the stores open as well.
  @MainActor public var mainContext: ModelContext {
    if let context = main.context { return context }
    let context = ModelContext(self, isMain: true)
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

  func store(for entityName: String) -> StoreHandle? { core.storesByEntity[entityName] }

  /// The store of a class of models.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` for one the container does not have, also where it has another
  ///   one of the name: rows of that one would be read and written as rows of this one.
  func store(of definition: ModelDefinition) throws -> StoreHandle {
    let name = definition.entityName
    guard let store = store(for: name) else {
      throw SwiftDataError.unknownSchema.explained(
        "'\(name)' is not in the schema of the container; name it where the container is made")
    }
    if let own = schema.entitiesByName[name]?.definition, own !== definition {
      throw SwiftDataError.unknownSchema.explained(
        "'\(name)' of the container is '\(String(reflecting: own.modelType))', and not "
          + "'\(String(reflecting: definition.modelType))', which may be that of another version")
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
    store.decodesSnapshots ? try withScope(body) : try body()
  }

  /// Removes every model of every store at once, without pending changes and delete rules.
  public func erase() throws {
    for store in stores { try withScope { try store.erase() } }
    hub.post(Commit(isWholesale: true, isErasure: true))
  }

  /// As ``erase()``, ignoring a store that fails.
  public func deleteAllData() {
    for store in stores { try? withScope { try store.erase() } }
    hub.post(Commit(isWholesale: true, isErasure: true))
  }

  /// The identifier of the store of a configuration; nil when there is no such configuration.
  public func storeIdentifier(forConfigurationNamed name: String) -> String? {
    stores.first { $0.configurationName == name }?.identifier
  }

  /// The name of the configuration whose store has the identifier.
  public func configurationName(forStoreIdentifier identifier: String) -> String? {
    stores.first { $0.identifier == identifier }?.configurationName
  }
}

extension ModelContainer: Equatable {
  /// Containers are equal when they share their stores.
  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs.core === rhs.core }
}

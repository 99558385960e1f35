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
  public let schema: Schema

  /// The plan given to the initialiser.
  public let migrationPlan: (any SchemaMigrationPlan.Type)?

  /// The ``ModelConfiguration``s among the configurations of the container.
  public var configurations: Set<ModelConfiguration> {
    get { modelConfigurations.withLock { $0 } }
    set { modelConfigurations.withLock { $0 = newValue } }
  }

  let stores: [StoreHandle]
  let hub = CommitHub()
  let listCycles: ListCycles
  private let storesByEntity: [String: StoreHandle]
  private let modelConfigurations: Mutex<Set<ModelConfiguration>>
  @MainActor private var main: ModelContext?

  /// The context of the main actor, with autosave on.
  @MainActor public var mainContext: ModelContext {
    if let main { return main }
    let context = ModelContext(self)
    context.autosaveEnabled = true
    main = context
    return context
  }

  /// Opens the stores of the given configurations; all public initialisers end here.
  init(
    schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?,
    stores configurations: [any DataStoreConfiguration]
  ) throws {
    let given = configurations.isEmpty ? [ModelConfiguration()] : configurations
    let plan = try StorePlan(schema: schema, configurations: given)
    self.schema = schema
    self.listCycles = ListCycles(schema)
    self.migrationPlan = migrationPlan
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
    self.modelConfigurations = Mutex(Set(plan.entries.compactMap { $0.configuration as? ModelConfiguration }))
  }

  func store(for entityName: String) -> StoreHandle? { storesByEntity[entityName] }

  /// Runs a call into a store: decoding finds the container's models, and identifiers that a save
  /// remaps are resolved.
  func withScope<Result>(_ body: () throws -> Result) rethrows -> Result {
    try SchemaScope.$current.withValue(schema) { try body() }
  }

  /// Removes every model of every store at once, without pending changes and delete rules.
  public func erase() throws {
    for store in stores { try withScope { try store.erase() } }
    hub.post(Commit(isWholesale: true))
  }

  /// As ``erase()``, ignoring a store that fails.
  public func deleteAllData() {
    for store in stores { try? withScope { try store.erase() } }
    hub.post(Commit(isWholesale: true))
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
  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs === rhs }
}

/// What has changed in a store other than by a save of the contexts that use it: somebody has edited
/// the file, a server has sent rows.
///
///     store.notifyExternalChange(DataStoreExternalChange(updated: [identifier]))
///
/// Contexts read registered models among the changed ones again and take those that are gone for
/// deleted; pending changes stay pending. ``ResultsObserver``s fetch again where the change may matter
/// to them. Not in SwiftData, where nothing of the kind exists.
public struct DataStoreExternalChange: Sendable, Hashable {
  /// Models that have come.
  public var inserted: [PersistentIdentifier]
  /// Models that may have other values.
  public var updated: [PersistentIdentifier]
  /// Models that are gone.
  public var deleted: [PersistentIdentifier]
  /// Entities any of whose models may have come, changed or gone.
  public var entityNames: Set<String>
  /// Whether anything may have changed. The most expensive answer: every registered model is read again.
  public var isEverything: Bool

  /// A change of known extent. The other ends of relationships need not be named: lists
  /// are read again.
  public init(
    inserted: [PersistentIdentifier] = [], updated: [PersistentIdentifier] = [],
    deleted: [PersistentIdentifier] = [], entityNames: Set<String> = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.entityNames = entityNames
    self.isEverything = false
  }

  /// A change nothing is known of.
  public static var everything: DataStoreExternalChange {
    var change = DataStoreExternalChange()
    change.isEverything = true
    return change
  }
}

extension DataStore {
  /// Tells the contexts of every open container over this store that its data has changed behind them.
  ///
  /// May be called on any thread. Contexts take notice before their next fetch or save, those of
  /// observers at once.
  public func notifyExternalChange(_ change: DataStoreExternalChange = .everything) {
    for container in StoreListeners.containers(of: self) { container.notify(change) }
  }
}

extension ModelContainer {
  /// Tells every context of this container that the data of a store has changed behind them.
  ///
  /// May be called on any thread. See ``DataStoreExternalChange``.
  public func notifyExternalChange(_ change: DataStoreExternalChange = .everything) {
    core.notify(change)
  }
}

extension ContainerCore {
  func notify(_ change: DataStoreExternalChange) {
    guard !change.isEverything else { return hub.post(Commit(isWholesale: true)) }
    var commit = Commit()
    var changes = ClassChanges()
    commit.updated = change.updated
    commit.deleted = change.deleted
    let named = (change.inserted + change.updated + change.deleted).lazy.map(\.entityName)
    commit.entities = change.entityNames.union(named)
    for name in commit.entities {
      // An identifier may name the root for all that inherit from it.
      for entity in schema.entitiesByName[name]?.root.hierarchy ?? [] {
        guard let definition = entity.definition else { continue }
        var change = ClassChange(definition)
        change.isUnknown = true
        change.comesOrGoes = true
        changes.add(change)
      }
    }
    commit.changes = changes
    // Which of their models have changed nobody has said.
    commit.isWholesale = !change.entityNames.isEmpty
    hub.post(commit)
  }
}

extension DataStore {
  /// Tells the contexts of every open container over this store that its data has changed behind them.
  ///
  /// May be called on any thread. Contexts take notice before their next fetch or save, those of
  /// observers at once.
  public func notifyExternalChange(_ change: DataStoreExternalChange = .everything) {
    for container in StoreListeners.containers(of: self) { container.notify(change) }
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
    // The change names entities, not their models.
    commit.isWholesale = !change.entityNames.isEmpty
    hub.post(commit)
  }
}

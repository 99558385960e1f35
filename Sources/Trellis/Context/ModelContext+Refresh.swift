extension ModelContext {
  /// Brings registered models up to date with what other contexts of the container have saved.
  ///
  /// A model with pending changes keeps them; the last save wins, column by column.
  func readMailbox() throws {
    let commits = mailbox.takeAll()
    guard !commits.isEmpty else { return }
    var stale: [String: [PersistentIdentifier]] = [:]
    for commit in commits {
      if commit.isWholesale {
        for table in tables.values {
          table.forEach { model in
            stale[table.definition.entityName, default: []].append(model._$identifier)
          }
        }
        continue
      }
      for identifier in commit.updated + commit.deleted {
        stale[identifier.entityName, default: []].append(identifier)
      }
      unloadLists(toward: commit.entities)
    }
    for (entity, identifiers) in stale {
      guard let definition = container.schema.entitiesByName[entity]?.definition else { continue }
      try refresh(Set(identifiers), definition)
    }
  }

  /// Reads the registered ones of these rows again; those that are gone count as deleted.
  private func refresh(
    _ identifiers: Set<PersistentIdentifier>, _ definition: ModelDefinition
  ) throws {
    guard let table = tables[ObjectIdentifier(definition.root)] else { return }
    var known: [PersistentIdentifier: any PersistentModel] = [:]
    for identifier in identifiers where !identifier.isTemporary {
      if let model = table.model(identifier) { known[identifier] = model }
    }
    guard !known.isEmpty else { return }
    let codec = definition.codec
    let fresh = codec.makeBatch(capacity: known.count)
    try container.withScope {
      try table.store.read(Array(known.keys), definition, editingState, into: fresh)
    }
    for index in 0..<fresh.count {
      guard let model = known.removeValue(forKey: fresh.identifier(index)) else { continue }
      switch model.phase {
      case .clean:
        fresh.restore(index, model)
        forgetLists(of: model)
      case .changed: model.side.committed = fresh.copy(index)
      case .inserted, .deleting, .gone: break
      }
    }
    for model in known.values where model.phase != .inserted {
      markGone(model)
    }
  }

  /// The row of a registered model is no more.
  func markGone(_ model: any PersistentModel) {
    let side = model.side
    pending.forget(model)
    side.phase = .gone
    side.isDeleted = true
    model._$state.owner?._withUnsafeGuaranteedRef { $0.detach(model) }
  }

  private func forgetLists(of model: any PersistentModel) {
    guard let side = model._$state.side, side.changedLists.isEmpty else { return }
    for (slot, _) in side.links.allLists { side.links.setList(slot, nil) }
  }

  /// Unloads unchanged lists whose members are of these entities.
  private func unloadLists(toward entities: Set<String>) {
    for table in tables.values {
      let relations = table.definition.relations.toMany
      guard relations.contains(where: { entities.contains($0.destination.entityName) }) else {
        continue
      }
      table.forEach { self.forgetLists(of: $0) }
    }
  }
}

/// One save: snapshots of what is pending to each store, then the answers back into the models.
struct SavePass {
  let context: ModelContext
  private var insertedIdentifiers = Set<PersistentIdentifier>()
  private var updatedIdentifiers = Set<PersistentIdentifier>()
  private var deletedIdentifiers = Set<PersistentIdentifier>()
  /// Whether a store has written something.
  private(set) var hasSaved = false

  init(context: ModelContext) { self.context = context }

  mutating func run() throws {
    let inserted = context.pending.inserted
    let changed = context.pending.changed
    let deleted = context.pending.deleted
    do {
      for store in context.container.stores {
        try save(
          store, inserted: Self.of(store, inserted), changed: Self.of(store, changed),
          deleted: Self.of(store, deleted))
      }
    } catch {
      // An earlier store may have saved its part.
      context.pending.recount()
      throw error
    }
    for dropped in context.pending.dropped { finish(deleted: dropped) }
    context.pending.removeAll()
    tellOthers(inserted: inserted)
  }

  var notificationInfo: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [:]
    let sets: [(ModelContext.NotificationKey, Set<PersistentIdentifier>)] = [
      (.insertedIdentifiers, insertedIdentifiers), (.updatedIdentifiers, updatedIdentifiers),
      (.deletedIdentifiers, deletedIdentifiers),
    ]
    for (key, identifiers) in sets {
      info[key] = identifiers
      info[key.rawValue] = identifiers
    }
    return info
  }

  private static func of(
    _ store: StoreHandle, _ models: [any PersistentModel]
  ) -> [any PersistentModel] {
    if models.isEmpty { return models }
    return models.filter { store.entityNames.contains(type(of: $0)._$definition.entityName) }
  }

  // MARK: one store

  private mutating func save(
    _ store: StoreHandle, inserted: [any PersistentModel], changed: [any PersistentModel],
    deleted: [any PersistentModel]
  ) throws {
    var snapshots = SnapshotBuilder(context: context, store: store)
    let insertions = try snapshots.insertions(inserted)
    let (updates, updatedModels) = try snapshots.updates(changed)
    let deletions = snapshots.deletions(deleted)
    guard !(insertions.isEmpty && updates.isEmpty && deletions.isEmpty) else {
      for model in changed { finish(saved: model) }
      return
    }
    guard store.allowsSave else {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "the store '\(store.configurationName)' does not allow saving")
    }
    let request = DataStoreSaveChangesRequest(
      inserted: insertions, updated: updates, deleted: deletions,
      editingState: context.editingState)
    let result = try context.container.withScope {
      try IdentifierRemapping.$current.withValue(IdentifierRemapping()) { try store.save(request) }
    }
    hasSaved = true
    try apply(result, to: snapshots.insertedModels, changed: changed, store)
    for model in updatedModels { updatedIdentifiers.insert(model._$identifier) }
    for model in deleted {
      deletedIdentifiers.insert(model._$identifier)
      finish(deleted: model)
    }
  }

  /// Gives inserted models their permanent identifiers and makes everything clean.
  private mutating func apply(
    _ result: DataStoreSaveChangesResult<DefaultSnapshot>, to inserted: [any PersistentModel],
    changed: [any PersistentModel], _ store: StoreHandle
  ) throws {
    let temporary = inserted.map(\.persistentModelID)
    let permanent = try result.permanentIdentifiers(for: temporary)
    // First the identifiers, while the maps still find a model under its temporary one; then the
    // references, then the maps.
    for (model, identifier) in zip(inserted, permanent) { model._$identifier = identifier }
    for model in inserted { settleReferences(of: model) }
    for model in changed { settleReferences(of: model) }
    for (index, model) in inserted.enumerated() {
      insertedIdentifiers.insert(permanent[index])
      register(model, insteadOf: temporary[index])
      finish(saved: model)
    }
    for model in changed { finish(saved: model) }
    for (identifier, snapshot) in result.snapshotsToReregister {
      guard let definition = context.container.schema.entitiesByName[identifier.entityName]?.definition,
        let model = context.registered(identifier, definition)
      else { continue }
      snapshot.batch.restore(snapshot.index, model)
    }
  }

  /// Enters a model under its permanent identifier. Where an upsert found a row that another object
  /// stands for, that object stays and takes the values.
  private func register(
    _ model: any PersistentModel, insteadOf temporary: PersistentIdentifier
  ) {
    guard let owner = model._$state.owner else { return }
    owner._withUnsafeGuaranteedRef { table in
      table.forget(temporary)
      guard let existing = table.model(model._$identifier), existing !== model else {
        table.register(model)
        return
      }
      let codec = type(of: model)._$definition.codec
      let batch = codec.makeBatch(capacity: 1)
      codec.capture(model, into: batch)
      batch.restore(0, existing)
      model._$state.owner = nil
    }
  }

  /// Replaces temporary identifiers in the to-one references of a model.
  private func settleReferences(of model: any PersistentModel) {
    let definition = type(of: model)._$definition
    for (slot, relation) in definition.relations.toOne.enumerated() {
      guard let relation, let reference = definition.codec.reference(slot, of: model),
        reference.isTemporary,
        let table = context.tables[ObjectIdentifier(relation.destination.root)]
      else { continue }
      definition.codec.setReference(slot, of: model, to: table.model(reference)?._$identifier)
    }
  }

  // MARK: afterwards

  private func finish(saved model: any PersistentModel) {
    guard let side = model._$state.side else { return }
    side.phase = .clean
    side.committed = nil
    side.changed = PropertySet()
    side.changedLists = PropertySet()
    side.links.removeTargets()
    for (_, list) in side.links.allLists { list.committed = list.identifiers }
  }

  private func finish(deleted model: any PersistentModel) {
    model.side.phase = .gone
    model.side.isDeleted = true
    model.side.committed = nil
    model._$state.owner?._withUnsafeGuaranteedRef { $0.detach(model) }
  }

  private func tellOthers(inserted: [any PersistentModel]) {
    guard context.container.hub.hasOthers else { return }
    var commit = Commit()
    commit.updated = Array(updatedIdentifiers)
    commit.deleted = Array(deletedIdentifiers)
    for identifier in insertedIdentifiers { commit.entities.insert(identifier.entityName) }
    for identifier in updatedIdentifiers { commit.entities.insert(identifier.entityName) }
    for identifier in deletedIdentifiers { commit.entities.insert(identifier.entityName) }
    context.container.hub.post(commit, from: context.mailbox)
  }
}

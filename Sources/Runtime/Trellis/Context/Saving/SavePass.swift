/// One save: delete rules and validation, snapshots of pending changes to each store, then the answers back into the
/// models.
final class SavePass {
  let context: ModelContext
  private var insertedIdentifiers: [PersistentIdentifier] = []
  private var updatedIdentifiers: [PersistentIdentifier] = []
  private var deletedIdentifiers: [PersistentIdentifier] = []
  private var changes = ClassChanges()
  private let hasDeletions: Bool
  /// True if the stores look for the commits of others.
  private let looksForCommits: Bool
  /// The class of all inserted models, where it is known.
  private var insertedClass: ModelDefinition?
  /// True once a store has written something.
  private var hasSaved = false
  /// The pending changes without the consequences of delete rules, to return to.
  private var before: PendingState?
  private var plan: Plan?
  var parts: [Part] = []

  /// What is pending at the end of the delete rules.
  private struct Plan {
    let work: PendingChanges.Work
    let mark: PendingChanges.Mark
    var dropping: RelationshipEditor.Departure
  }

  init(context: ModelContext, looksForCommits: Bool) {
    self.context = context
    self.looksForCommits = looksForCommits
    hasDeletions = context.pending.hasDeletions
    // Delete rules change models. When the save fails, the models must be as they were.
    before = hasDeletions ? PendingState(context) : nil
  }

  func run() throws {
    do {
      context.state.notification.begin()
      parts = try makeParts()
      try save()
    } catch {
      // Some stores may have saved their part.
      if hasSaved {
        context.pending.recount()
        context.state.saves += 1
        tellOthers()
      } else {
        before?.restore(context)
      }
      throw error
    }
    if hasSaved { context.state.saves += 1 }
    context.monitor?.undo?.register()
  }

  /// Applies the delete rules, validates, and makes the request of each store.
  private func makeParts() throws -> [Part] {
    var versions: [String: DataVersion] = [:]
    if hasDeletions {
      for store in context.core.stores { versions[store.identifier] = store.dataVersion }
    }
    if context.monitor?.undo != nil { try context.loadPendingRows() }
    // Undoing a deletion needs the values of all deleted models.
    context.state.deletedRows = hasDeletions && context.monitor?.undo == nil ? DeletedRows() : nil
    var rules = DeleteRules(context: context, rows: context.state.deletedRows)
    let denials = hasDeletions ? try rules.apply() : []
    try Validation(context: context).check(denials, shortened: rules.shortened)
    context.monitor?.undo?.prepare()
    let mark = context.pending.mark
    insertedClass = context.pending.commonInsertedClass
    let work = context.pending.work
    // Runs before identifiers are replaced, because lookups still use the temporary ones.
    var dropping = RelationshipEditor.Departure()
    for model in work.dropped { dropping.add(model) }
    plan = Plan(work: work, mark: mark, dropping: dropping)
    return try context.core.stores.map { try part(of: work, in: $0, versions[$0.identifier]) }
  }

  /// Makes the request of a store again: other connections have committed since delete rules read its rows.
  ///
  /// Runs inside the transaction of the store.
  func remakeRequest(_ index: Int) throws -> DataStoreSaveChangesRequest<DefaultSnapshot> {
    before?.restore(context)
    context.state.keepAlive = []
    context.state.deletedRows = nil
    context.state.ahead.removeAll()
    try context.readMailbox()
    try context.settleUnreadEnds()
    before = PendingState(context)
    // Stores that have written keep their parts: their rows cannot have changed.
    let remade = try makeParts()
    for other in parts.indices where !parts[other].isWriting { parts[other] = remade[other] }
    parts[index] = remade[index]
    parts[index].isWriting = true
    return remade[index].request
      ?? DataStoreSaveChangesRequest(
        inserted: [], updated: [], deleted: [], editingState: context.editingState)
  }

  /// What a ``ModelContext/didSave`` notification says.
  var notificationInfo: [AnyHashable: Any] {
    context.state.notification.info(
      inserted: insertedIdentifiers, updated: updatedIdentifiers, deleted: deletedIdentifiers)
  }

  /// The models that a store keeps.
  private func of(
    _ store: StoreHandle, _ models: [any PersistentModel]
  ) -> [any PersistentModel] {
    if models.isEmpty || context.core.stores.count == 1 { return models }
    return models.filter { store.entityNames.contains(type(of: $0)._$definition.entityName) }
  }

  // MARK: the stores

  /// What a save does in one store.
  struct Part {
    let store: StoreHandle
    let changed: [any PersistentModel]
    let deleted: [any PersistentModel]
    let updated: [any PersistentModel]
    let snapshots: SnapshotBuilder
    /// Nil where there is nothing to write.
    let request: DataStoreSaveChangesRequest<DefaultSnapshot>?
    var result: DataStoreSaveChangesResult<DefaultSnapshot>?
    /// True once the store has begun to write.
    var isWriting = false
  }

  private func save() throws {
    do {
      try write()
    } catch {
      let saved = parts.filter { $0.result != nil }
      guard !saved.isEmpty else { throw error }
      hasSaved = true
      for part in saved { try finish(part) }
      throw SwiftDataError.partialSave.listing(saved.map(\.store.configurationName), error)
    }
    hasSaved = parts.contains { $0.result != nil }
    for part in parts { try finish(part) }
    if let rows = context.state.deletedRows {
      updatedIdentifiers += rows.cleared
      changes.formUnion(rows.changes)
    }
    guard var plan else { return }
    for model in plan.work.dropped { finish(deleted: model) }
    plan.dropping.finish()
    context.pending.removeSaved(until: plan.mark)
    context.state.former.close()
    context.state.noteListeners()
    tellOthers()
    if context.state.hasLostRows, !context.hasChanges { context.state.hasLostRows = false }
  }

  private func part(
    of work: PendingChanges.Work, in store: StoreHandle, _ version: DataVersion?
  ) throws -> Part {
    let (changed, deleted) = (of(store, work.changed), of(store, work.deleted))
    var snapshots = SnapshotBuilder(context: context, store: store)
    let insertions = try snapshots.insertions(of(store, work.inserted), of: insertedClass)
    let (updates, updated) = try snapshots.updates(changed)
    let deletions = snapshots.deletions(deleted)
    let rows = store.deletesRows ? context.state.deletedRows : nil
    let deletedRows = rows?.groups.filter { store.entityNames.contains($0.definition.entityName) } ?? []
    guard !(insertions.isEmpty && updates.isEmpty && deletions.isEmpty && deletedRows.isEmpty) else {
      return Part(
        store: store, changed: changed, deleted: deleted, updated: [], snapshots: snapshots, request: nil)
    }
    var request = DataStoreSaveChangesRequest(
      inserted: insertions, updated: updates, deleted: deletions,
      editingState: context.editingState)
    request.committed = snapshots.committed
    request.deletedRows = deletedRows
    request.clearedRows = rows?.clearedRows.filter { store.entityNames.contains($0.definition.entityName) } ?? []
    request.dataVersion = version
    request.looksForCommits = looksForCommits
    return Part(
      store: store, changed: changed, deleted: deleted, updated: updated, snapshots: snapshots,
      request: request)
  }

  /// Takes over what a store has done.
  private func finish(_ part: Part) throws {
    var departure = RelationshipEditor.Departure()
    for model in part.deleted { departure.add(model) }
    if let result = part.result {
      if let token = result.historyToken {
        context.state.notification.note(token, of: result.storeIdentifier)
      }
      changes.formUnion(part.snapshots.changes)
      try apply(result, to: part.snapshots.insertedModels, changed: part.changed, part.store)
      updatedIdentifiers.append(contentsOf: part.updated.lazy.map { $0._$identifier })
    } else {
      for model in part.changed { finish(saved: model, model._$state.side, part.store) }
    }
    // A store without a result had only rows to delete that another context has deleted already.
    finish(deleted: part.deleted)
    for group in part.request?.deletedRows ?? [] {
      deletedIdentifiers += group.identifiers
      changes.addComingOrGoing(group.definition)
    }
    departure.finish()
  }

  // MARK: one store

  /// Gives inserted models their permanent identifiers and makes everything clean.
  private func apply(
    _ result: DataStoreSaveChangesResult<DefaultSnapshot>, to inserted: [any PersistentModel],
    changed: [any PersistentModel], _ store: StoreHandle
  ) throws {
    let temporary = inserted.map { $0._$identifier }
    let permanent = try result.permanentIdentifiers(for: temporary)
    try store.check(permanent, of: inserted, merged: result.merged, in: context)
    // First the identifiers, while the maps still find a model under its temporary one; then the
    // references, then the maps.
    for (model, identifier) in zip(inserted, permanent) { model._$adopt(identifier) }
    insertedIdentifiers += permanent
    if !inserted.isEmpty { context.state.hasSavedInsertions = true }
    if insertedClass?.relations.references.isEmpty != true { settleReferences(of: inserted) }
    settleReferences(of: changed)
    inserted.first?._$state.table?._withUnsafeGuaranteedRef { $0.reserve(inserted.count) }
    let undo = context.monitor?.undo
    let overwritten = undo == nil ? [] : result.overwrittenIdentifiers
    for index in inserted.indices {
      let model = inserted[index]
      let state = model._$state
      let existing = state.table?._withUnsafeGuaranteedRef {
        $0.settle(model, from: temporary[index], to: permanent[index])
      }
      if let existing = existing ?? nil {
        merge(model, into: existing)
        continue
      }
      finish(saved: model, state.side, store)
      if undo != nil, overwritten.contains(permanent[index]) { undo?.willMerge(model) }
    }
    for model in changed { finish(saved: model, model._$state.side, store) }
    for (identifier, snapshot) in result.snapshotsToReregister {
      guard let definition = context.core.schema.entitiesByName[identifier.entityName]?.definition,
        let model = context.registered(identifier, definition)
      else { continue }
      reregister(model, snapshot)
    }
    updatedIdentifiers += result.snapshotsToReregister.keys
    noteUnknownChanges(of: result.snapshotsToReregister.keys)
    forgetLists(of: result.mergedIdentifiers)
  }

  /// A row that was merged with a new model may have moved, and have more members than either knew.
  private func forgetLists(of merged: Set<PersistentIdentifier>) {
    guard !merged.isEmpty else { return }
    updatedIdentifiers += merged
    noteUnknownChanges(of: merged)
    var roots = Set<ObjectIdentifier>()
    for identifier in merged {
      guard
        let definition = context.core.schema.entitiesByName[identifier.entityName]?.definition
      else { continue }
      roots.insert(ObjectIdentifier(definition.root))
      if let model = context.registered(identifier, definition) { context.forgetLists(of: model) }
    }
    context.unloadLists { relation, _ in
      roots.contains(ObjectIdentifier(relation.destination.root))
    }
  }

  private func settleReferences(of models: [any PersistentModel]) {
    var definition: ModelDefinition?
    var hasReferences = false
    for model in models {
      let own = type(of: model)._$definition
      if own !== definition {
        definition = own
        hasReferences = !own.relations.references.isEmpty
      }
      if hasReferences { settleReferences(of: model) }
    }
  }

  /// Replaces temporary identifiers in the to-one references of a model, and drops those of deleted
  /// models.
  private func settleReferences(of model: any PersistentModel) {
    let definition = type(of: model)._$definition
    for relation in definition.relations.references {
      let slot = relation.property.slot
      guard let reference = definition.codec.reference(slot, of: model),
        reference.isTemporary || hasDeletions,
        let table = context.tables[ObjectIdentifier(relation.destination.root)]
      else { continue }
      if let target = table.model(reference) {
        let identifier = target.isUsableTarget ? target._$identifier : nil
        definition.codec.setReference(slot, of: model, to: identifier)
      } else if reference.isTemporary
        || context.state.deletedRows?.contains(reference, of: relation.destination) == true
      {
        definition.codec.setReference(slot, of: model, to: nil)
      }
    }
  }

  // MARK: afterwards

  private func finish(
    saved model: any PersistentModel, _ side: TrackedState?, _ store: StoreHandle
  ) {
    if !store.isRelational { model.storeReferences() }
    guard let side else { return }
    let changedLists = side.changedLists
    side.phase = .clean
    side.committed = nil
    side.changed = PropertySet()
    side.changedLists = PropertySet()
    guard !side.links.isEmpty else { return }
    side.links.removeTargets()
    let lists = side.links.allLists
    guard !lists.isEmpty else { return }
    let definition = type(of: model)._$definition
    side.links.setLists(
      lists.compactMap { slot, list in
        // Identifiers from before the change; the list was not read since.
        if !list.isLoaded { return changedLists.contains(slot) ? nil : (slot, list) }
        list.committed = list.usableIdentifiers
        return (slot, context.resting(list, definition.relations.toMany[slot], of: definition))
      })
  }

  private func finish(deleted models: [any PersistentModel]) {
    for model in models {
      deletedIdentifiers.append(model._$identifier)
      finish(deleted: model)
    }
  }

  private func finish(deleted model: any PersistentModel) {
    context.probe.hasUnusableModels = true
    let side = model.side
    side.links = ModelLinks()
    side.phase = .gone
    side.isDeleted = true
    side.committed = nil
    model._$state.table?._withUnsafeGuaranteedRef { $0.detach(model) }
  }

  /// Rows that the store has changed by its own rules: any property of any class of their chain.
  private func noteUnknownChanges(of identifiers: some Sequence<PersistentIdentifier>) {
    for name in Set(identifiers.lazy.map(\.entityName)) {
      for entity in context.core.schema.entitiesByName[name]?.root.hierarchy ?? [] {
        guard let definition = entity.definition else { continue }
        var change = ClassChange(definition)
        change.isUnknown = true
        changes.add(change)
      }
    }
  }

  private func tellOthers() {
    let hasOthers = context.core.hub.hasOthers
    guard hasOthers || context.watchers != nil else { return }
    var commit = Commit()
    commit.updated = updatedIdentifiers
    commit.deleted = deletedIdentifiers
    commit.changes = changes
    let tokens = Set(
      (insertedIdentifiers + updatedIdentifiers + deletedIdentifiers).lazy.map(\.token))
    commit.entities = Set(tokens.map(\.entry.entity))
    if hasOthers { context.core.hub.post(commit, from: context.mailbox) }
    context.watchers?.note(commit, isOwn: true)
  }
}

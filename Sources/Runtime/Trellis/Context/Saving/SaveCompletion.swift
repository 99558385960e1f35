/// The end of a save: gives the answers of the stores to the models, and tells observers and other contexts.
final class SaveCompletion {
  let context: ModelContext
  private let plan: SavePlan
  private var insertedIdentifiers: [PersistentIdentifier] = []
  private var updatedIdentifiers: [PersistentIdentifier] = []
  private var deletedIdentifiers: [PersistentIdentifier] = []
  /// Where the histories of the stores stand after the save, by store identifier.
  private var tokens: [String: any HistoryToken] = [:]
  private var changes = ClassChanges()

  init(_ context: ModelContext, _ plan: SavePlan) {
    self.context = context
    self.plan = plan
  }

  /// The contents of a ``ModelContext/didSave`` notification; nil if the save changed nothing.
  var notificationInfo: [AnyHashable: Any]? {
    guard plan.hasChanges else { return nil }
    return ModelContext.NotificationKey.info(
      inserted: insertedIdentifiers, updated: updatedIdentifiers, deleted: deletedIdentifiers, tokens)
  }

  /// Completes a save whose stores have all committed.
  ///
  /// - Parameter results: the results of the stores, by position of the part.
  func complete(_ results: [Int: SaveResult]) throws {
    if !results.isEmpty { context.state.saves += 1 }
    do {
      for (position, part) in plan.parts.enumerated() { try finish(part, results[position]) }
    } catch {
      context.pending.recount()
      tellOthers()
      throw error
    }
    if let rows = context.state.deletedRows {
      updatedIdentifiers += rows.cleared
      changes.formUnion(rows.changes)
    }
    for model in plan.work.dropped { finish(deleted: model) }
    plan.dropped.finish()
    context.pending.removeSaved(until: plan.mark)
    context.state.former.close()
    context.state.noteListeners()
    tellOthers()
    if context.state.hasLostRows, !context.hasChanges { context.state.hasLostRows = false }
  }

  /// Completes the parts of the stores that have committed. The changes of the other stores stay pending.
  ///
  /// - Returns: the error of the save.
  func completePartially(_ results: [Int: SaveResult], _ cause: any Error) throws -> SwiftDataError {
    context.state.saves += 1
    defer {
      context.pending.recount()
      tellOthers()
    }
    let saved = plan.parts.indices.filter { results[$0] != nil }
    for position in saved { try finish(plan.parts[position], results[position]) }
    return .partialSave.listing(saved.map { plan.parts[$0].store.configurationName }, cause)
  }

  private func finish(_ part: SavePlan.Part, _ result: SaveResult?) throws {
    var departure = RelationshipEditor.Departure()
    for model in part.deleted { departure.add(model) }
    if let result {
      if let token = result.historyToken { tokens[result.storeIdentifier] = token }
      changes.formUnion(part.snapshots.changes)
      try apply(result, to: part.snapshots.insertedModels, changed: part.changed, part.store)
      updatedIdentifiers.append(contentsOf: part.updated.lazy.map { $0._$identifier })
    } else {
      for model in part.changed { finish(saved: model, model._$state.side, part.store) }
    }
    // If there is no result, another context has already deleted all rows to delete.
    for model in part.deleted {
      deletedIdentifiers.append(model._$identifier)
      finish(deleted: model)
    }
    for group in part.request?.deletedRows ?? [] {
      deletedIdentifiers += group.identifiers
      changes.addComingOrGoing(group.definition)
    }
    departure.finish()
  }

  // MARK: one store

  /// Gives inserted models their permanent identifiers and makes everything clean.
  private func apply(
    _ result: SaveResult, to inserted: [any PersistentModel],
    changed: [any PersistentModel], _ store: StoreHandle
  ) throws {
    let temporary = inserted.map { $0._$identifier }
    let permanent = try result.permanentIdentifiers(for: temporary)
    try store.check(permanent, of: inserted, merged: result.merged, in: context)
    context.state.batch?.note(result)
    // First the identifiers, while the maps still find a model under its temporary one; then the
    // references, then the maps.
    for (model, identifier) in zip(inserted, permanent) { model._$adopt(identifier) }
    insertedIdentifiers += permanent
    if !inserted.isEmpty { context.state.hasSavedInsertions = true }
    if plan.insertedClass?.relations.references.isEmpty != true { settleReferences(of: inserted) }
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
        reference.isTemporary || plan.hasDeletions,
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
    changes.addUnknown(Set(identifiers.lazy.map(\.entityName)), context.core.schema)
  }

  private func tellOthers() {
    let hasOthers = context.core.hub.hasOthers
    guard hasOthers || context.watchers != nil else { return }
    var commit = Commit(updated: updatedIdentifiers)
    commit.deleted = deletedIdentifiers
    commit.changes = changes
    if hasOthers { context.core.hub.post(commit, from: context.mailbox) }
    context.watchers?.note(commit, isOwn: true)
  }

  // MARK: rows of the store

  /// Gives a model the row that the store has changed beyond the request.
  ///
  /// If the row no longer refers to a partner, another context has separated them.
  private func reregister(_ model: any PersistentModel, _ snapshot: DefaultSnapshot) {
    let definition = type(of: model)._$definition
    let pairs = definition.relations.references.filter { $0.inverse?.kind.isToMany == false }
    let before = pairs.map { definition.codec.reference($0.property.slot, of: model) }
    PropertyNotification.replacing(model, with: snapshot.buffer, snapshot.index) {
      snapshot.buffer.restore(snapshot.index, model)
    }
    model._$state.side?.missing = nil
    for (relation, old) in zip(pairs, before) {
      guard let old, old != definition.codec.reference(relation.property.slot, of: model),
        let inverse = relation.inverse, inverse.isOptional,
        let partner = context.registered(old, relation.destination), partner.phase == .clean
      else { continue }
      let codec = type(of: partner)._$definition.codec
      guard codec.reference(inverse.slot, of: partner) == model._$identifier else { continue }
      PropertyNotification.will(partner, inverse)
      codec.setReference(inverse.slot, of: partner, to: nil)
      PropertyNotification.did(partner, inverse)
    }
  }

  /// An upsert found a row that another object stands for: that object stays and takes the values; the
  /// new one is gone.
  private func merge(_ model: any PersistentModel, into existing: any PersistentModel) {
    let codec = type(of: model)._$definition.codec
    let buffer = codec.makeBuffer(capacity: 1)
    codec.capture(model, into: buffer)
    context.monitor?.undo?.willMerge(model, buffer, into: existing)
    PropertyNotification.replacing(existing, with: buffer, 0) { buffer.restore(0, existing) }
    existing._$state.side?.missing = nil
    model._$state.owner = nil
    let side = model.side
    context.probe.hasUnusableModels = true
    side.phase = .gone
    side.isDeleted = true
    side.links = ModelLinks()
  }
}

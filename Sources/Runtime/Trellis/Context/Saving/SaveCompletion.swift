/// Completes a save: applies store results to models and notifies observers and other contexts.
final class SaveCompletion {
  private let context: ModelContext
  private let plan: SavePlan
  private var insertedIdentifiers: [PersistentIdentifier] = []
  private var commit = Commit()
  /// The stores' history positions, by store identifier.
  private var tokens: [String: any HistoryToken] = [:]

  init(_ context: ModelContext, _ plan: SavePlan) {
    self.context = context
    self.plan = plan
  }

  /// The `userInfo` of a ``ModelContext/didSave`` notification; `nil` if the save changed nothing.
  var notificationInfo: [AnyHashable: Any]? {
    guard plan.hasChanges else { return nil }
    return ModelContext.NotificationKey.info(
      inserted: insertedIdentifiers, updated: commit.updated, deleted: commit.deleted, tokens)
  }

  /// Completes the parts whose stores have committed.
  ///
  /// - Parameters:
  ///   - results: The store results, by position of the part.
  ///   - isPartial: True if a store has failed. Changes in parts that have no result then remain pending.
  func run(_ results: [Int: SaveResult], isPartial: Bool = false) throws {
    if !results.isEmpty { context.state.saves += 1 }
    defer {
      context.state.former.close()
      context.state.updateListeners()
      notifyOtherContexts()
    }
    do {
      try finish(results, isPartial)
      if isPartial { context.pending.recount() } else { context.pending.removeSaved(plan.count) }
    } catch {
      context.pending.recount()
      throw error
    }
  }

  private func finish(_ results: [Int: SaveResult], _ isPartial: Bool) throws {
    for (position, part) in plan.parts.enumerated() where !isPartial || results[position] != nil {
      try finish(part, results[position])
    }
    if !isPartial {
      if let rows = context.state.deletedRows {
        commit.updated += rows.cleared
        commit.changes.formUnion(rows.changes)
      }
      for model in plan.dropped { context.dismiss(model) }
    }
    for list in plan.shortenedLists { list.removeGone() }
  }

  private func finish(_ part: SavePlan.Part, _ result: SaveResult?) throws {
    if let result {
      tokens[result.storeIdentifier] = result.historyToken
      commit.changes.formUnion(part.snapshots.changes)
      try apply(result, to: part.snapshots.insertedModels, changed: part.changed, part.store)
      commit.updated.append(contentsOf: part.changed.lazy.map { $0._$identifier })
    } else {
      for model in part.changed { finish(saved: model, model._$state.side, part.store) }
    }
    // If there is no result, other contexts had already deleted all of these rows.
    for model in part.deleted {
      commit.deleted.append(model._$identifier)
      context.dismiss(model)
    }
    for group in part.request?.deletedRows ?? [] {
      commit.deleted += group.identifiers
      commit.changes.addComingOrGoing(group.definition)
    }
  }

  // MARK: a store's result

  /// Assigns permanent identifiers to inserted models and marks all models as clean.
  private func apply(
    _ result: SaveResult, to inserted: [any PersistentModel],
    changed: [any PersistentModel], _ store: StoreHandle
  ) throws {
    let temporary = inserted.map { $0._$identifier }
    let permanent = try result.permanentIdentifiers(for: temporary)
    try store.check(permanent, of: inserted, merged: result.merged, model: context.registered)
    context.state.batch?.result = result
    // Identifiers are assigned first, while the identity maps still contain the temporary identifiers. References are
    // updated next, then the maps.
    for (model, identifier) in zip(inserted, permanent) { model._$adopt(identifier) }
    insertedIdentifiers += permanent
    if !inserted.isEmpty { context.state.hasSavedInsertions = true }
    if !inserted.isEmpty || plan.hasDeletions {
      updateReferences(of: inserted)
      updateReferences(of: changed)
    }
    inserted.first?._$state.table?._withUnsafeGuaranteedRef { $0.reserve(inserted.count) }
    let undo = context.undo
    let overwritten = undo == nil ? [] : result.overwrittenIdentifiers
    for index in inserted.indices {
      let model = inserted[index]
      let state = model._$state
      let existing = state.table?._withUnsafeGuaranteedRef {
        $0.resolve(model, from: temporary[index], to: permanent[index])
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
    recordUnknownChanges(of: Set(result.snapshotsToReregister.keys))
    forgetLists(of: result.mergedIdentifiers)
  }

  /// Records rows that the store changed by its own rules: any property of any class in the hierarchy may differ.
  private func recordUnknownChanges(of identifiers: Set<PersistentIdentifier>) {
    commit.updated += identifiers
    commit.changes.addUnknown(Set(identifiers.lazy.map(\.entityName)), context.core.schema)
  }

  /// Unloads lists that involve rows merged with new models. Such a row may have moved and may have more members than
  /// either model.
  private func forgetLists(of merged: Set<PersistentIdentifier>) {
    guard !merged.isEmpty else { return }
    recordUnknownChanges(of: merged)
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

  /// Replaces temporary identifiers in models' to-one references, and clears references to deleted models.
  private func updateReferences(of models: [any PersistentModel]) {
    for (definition, models) in models.grouped(of: plan.commonClass) {
      for relation in definition.relations.references {
        for model in models {
          guard let reference = definition.codec.reference(relation.slot, of: model),
            reference.isTemporary || plan.hasDeletions
          else { continue }
          definition.codec.setReference(
            relation.slot, of: model, to: context.savedReference(reference, relation.destination))
        }
      }
    }
  }

  // MARK: after the stores' results

  private func finish(
    saved model: any PersistentModel, _ side: TrackedState?, _ store: StoreHandle
  ) {
    if !store.isRelational { model.storeReferences() }
    guard let side else { return }
    let changedLists = side.changedLists
    side.becomeClean()
    guard !side.links.isEmpty else { return }
    side.links.removeTargets()
    let lists = side.links.allLists
    guard !lists.isEmpty else { return }
    let definition = type(of: model)._$definition
    side.links.setLists(
      lists.compactMap { slot, list in
        // The identifiers predate the change, and the list has not been read since.
        if !list.isLoaded { return changedLists.contains(slot) ? nil : (slot, list) }
        list.committed = list.usableIdentifiers
        return (slot, context.retainedForm(list, definition.relations.toMany[slot], of: definition))
      })
  }

  private func notifyOtherContexts() {
    if context.core.hub.hasOthers { context.core.hub.post(commit, from: context.mailbox) }
    context.watchers?.record(commit, isOwn: true)
  }

  // MARK: rows changed by the store

  /// Updates a model from a row to which the store made changes that were not requested.
  ///
  /// If the row no longer refers to a partner, a concurrent context has separated the two.
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

  /// Merges a new model into the object that already represents the upserted row. The existing object receives the
  /// values, and the new model is deleted.
  private func merge(_ model: any PersistentModel, into existing: any PersistentModel) {
    let buffer = model.capturedRow()
    context.undo?.willMerge(model, buffer, into: existing)
    PropertyNotification.replacing(existing, with: buffer, 0) { buffer.restore(0, existing) }
    existing._$state.side?.missing = nil
    // The identity map contains the existing model under the same identifier.
    model._$state.owner = nil
    context.dismiss(model)
  }
}

extension ModelContext {
  /// Returns the saved value of a to-one reference, or `nil` if the running save deletes the target.
  func savedReference(_ reference: PersistentIdentifier, _ definition: ModelDefinition) -> PersistentIdentifier? {
    if let model = registered(reference, definition) { return model.isUsableTarget ? model._$identifier : nil }
    return reference.isTemporary || state.deletedRows?.contains(reference, of: definition) == true ? nil : reference
  }
}

public import Foundation

extension ModelContext {
  /// Enters a model into the context: it is inserted by the next save.
  ///
  /// Models reached through its relationships are inserted with it. Inserting a model twice, or one
  /// that was fetched, does nothing; inserting a model whose deletion is pending takes that back.
  ///
  /// A model whose class the container does not have is reported as ``ModelIssue/unknownModel(_:reason:)``, and
  /// the next ``save()`` throws until the model is deleted from the context or ``rollback()`` drops it.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - isolation: where the context is used, for ``autosaveEnabled``. Not in SwiftData.
  public func insert<T: PersistentModel>(
    _ model: T, isolation: isolated (any Actor)? = #isolation
  ) {
    noteUse(on: isolation)
    adopt(model)
  }

  func adopt(_ model: any PersistentModel) {
    occupancy.visit(.insertion, model._$identifier) { enterModel(model) }
  }

  private func enterModel(_ model: any PersistentModel) {
    guard !state.isInStore else {
      return ModelIssue.changeDuringSave(model._$identifier, property: "insert(_:)").report()
    }
    // A new model without relationships and observers: nothing to look at but itself.
    let state = model._$state
    let definition = type(of: model)._$definition
    if state.side == nil, state.table == nil, model._$identifier.isTemporary,
      let table = try? table(for: definition)
    {
      willChange(model)
      table.register(model)
      pending.insert(model, definition)
      watchers?.noteComingOrGoing(of: model)
      return
    }
    pending.cascade = nil
    var queue: [any PersistentModel] = [model]
    var linked: [TrackedState] = []
    var returning: [any PersistentModel] = []
    // In the order of the lists: that is the order of the rows and of lists read again.
    var position = 0
    while position < queue.count {
      let next = queue[position]
      position += 1
      if let owner = next.ownerContext {
        if owner === self, next.phase == .deleting { revive(next) }
        guard owner !== self, !owner.state.isHeld else { continue }
        owner.hand(next, to: self)
        guard next._$state.table == nil else { continue }
      }
      if let side = next._$state.side, side.isDeleted, side.isPlaceholder || !next._$identifier.isTemporary {
        ModelIssue.writeToDeletedModel(next._$identifier, property: "modelContext").report()
        continue
      }
      // It shows zero values, which would overwrite the row.
      if next._$state.side?.isUnreadable == true {
        ModelIssue.writeToUnreadableModel(next._$identifier, property: "modelContext").report()
        continue
      }
      let table: IdentityTable
      do {
        table = try self.table(for: type(of: next)._$definition)
      } catch {
        ModelIssue.unknownModel(next._$identifier, reason: "\(error)").report()
        pending.insert(unknown: next)
        continue
      }
      guard next._$identifier.isTemporary else {
        enterSaved(next, table)
        if let side = next._$state.side {
          queue += side.links.reachable
          linked.append(side)
        }
        continue
      }
      if let side = next._$state.side {
        if side.isDeleted { returning.append(next) }
        side.phase = .inserted
        side.isDeleted = false
        queue += side.links.reachable
        linked.append(side)
      }
      willChange(next)
      table.register(next)
      pending.insert(next, type(of: next)._$definition)
      watchers?.noteComingOrGoing(of: next)
    }
    for side in linked { side.links.keepTargets { $0.ownerContext !== self } }
    // Observers of the other ends are notified when all of them are set.
    if !returning.isEmpty {
      holdingNotifications { for model in returning { RelationshipEditor.relink(model) } }
    }
  }

  /// Releases a model that is inserted into another context. The program does not hold this one, so it cannot
  /// save the model here and there.
  func hand(_ model: any PersistentModel, to other: ModelContext) {
    let identifier = model._$identifier
    let isNew = identifier.isTemporary
    // The other context cannot take over what lists have lost and gained.
    guard model.phase != .deleting, isNew || model._$state.side?.changedLists.isEmpty != false,
      let table = try? other.table(for: type(of: model)._$definition),
      isNew || (table.mayHold(identifier) && table.object(identifier) == nil), complete(model)
    else {
      return ModelIssue.foreignModel(identifier, property: "insert(_:)").report()
    }
    withExtendedLifetime(self) {
      let definition = type(of: model)._$definition
      for relation in definition.relations.references {
        guard let reference = definition.codec.reference(relation.slot, of: model), reference.isTemporary
        else { continue }
        // The other end may have moved before, or may have been dropped.
        let target = registered(reference, relation.destination) ?? other.registered(reference, relation.destination)
        model.side.links.setTarget(relation.slot, target)
        guard target == nil else { continue }
        let stored = model.side.committed?.reference(relation.slot)
        definition.codec.setReference(relation.slot, of: model, to: stored)
      }
      for (_, list) in model._$state.side?.links.allLists ?? [] { list.wake() }
      pending.forget(model)
      model._$state.table?._withUnsafeGuaranteedRef { $0.detach(model) }
      if isNew { model._$state.side?.becomeNew() } else { model._$state.side?.links.removeLists() }
    }
  }

  /// Enters a saved model of a context that the app has released, with the changes.
  private func enterSaved(_ model: any PersistentModel, _ table: IdentityTable) {
    let identifier = model._$identifier
    guard table.mayHold(identifier), table.object(identifier) == nil else {
      return ModelIssue.foreignModel(identifier, property: "insert(_:)").report()
    }
    table.register(model)
    // The next fetch or save reads the row, which others may have changed meanwhile.
    mailbox.putBack(Commit(updated: [identifier]))
    guard model.phase == .changed else { return }
    willChange(model)
    pending.change(model, type(of: model)._$definition)
    watchers?.noteRevert(of: model)
  }

  /// Deletes a model at the next save; a model that was never saved is dropped.
  ///
  /// The delete rules of its relationships are applied by the save. Until then relationships and
  /// fetches that include pending changes do not show it any more, and such fetches leave out what its
  /// cascades will delete. That is not deleted yet: ``PersistentModel/isDeleted`` is false, and what is given to
  /// another owner before the save stays.
  public func delete<T: PersistentModel>(_ model: T) { remove(model) }

  func remove(_ model: any PersistentModel) {
    occupancy.visit(.deletion, model._$identifier) { removeModel(model) }
  }

  private func removeModel(_ model: any PersistentModel) {
    if !pending.unknownModels.isEmpty { pending.forget(unknown: model) }
    guard let owner = model.ownerContext else { return }
    guard owner === self else {
      if let own = resolve(model._$identifier, type(of: model)._$definition) { remove(own) }
      return
    }
    let phase = model.phase
    guard phase != .deleting, phase != .gone else { return }
    guard !state.isInStore else {
      return ModelIssue.changeDuringSave(model._$identifier, property: "delete(_:)").report()
    }
    complete(model)
    undo?.willDelete(model)
    autosave?.noteChange()
    let side = model.side
    pending.delete(model, from: side.phase)
    side.isDeletedAsCommitted = side.committed == nil && !model._$identifier.isTemporary
    if side.isDeletedAsCommitted { side.committed = state.former.capture(model, type(of: model)._$definition) }
    probe.hasUnusableModels = true
    side.phase = .deleting
    side.isDeleted = true
    noteDeletion(of: model)
    RelationshipEditor.notifyOthers(of: model)
  }

  /// Tells who follows the context that a model goes or comes back, with what cascades lead to.
  private func noteDeletion(of model: any PersistentModel) {
    guard let watchers else { return }
    watchers.noteComingOrGoing(of: model)
    watchers.noteComingOrGoing(of: cascadeTargets(of: type(of: model)._$definition), with: model)
  }

  /// Deletes every model of a type that matches; all of them without a predicate.
  ///
  /// Works like ``delete(_:)`` on each match: delete rules apply, the save makes it permanent. Matches that the context has not
  /// read stay rows if the save follows without a query, so that the memory does not grow with their number. A model that
  /// a cascade of another pending deletion would delete is a match too, although fetches leave it out: it is
  /// deleted even if it is given to another owner before the save.
  ///
  /// - Parameters:
  ///   - model: the type of the models.
  ///   - predicate: what the models to delete satisfy; nil for all of them.
  ///   - includeSubclasses: whether models of subclasses are deleted too.
  /// - Throws: as ``fetch(_:isolation:)``.
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    let descriptor = FetchDescriptor<T>(predicate: predicate)
    let matches = try occupancy.occupy(.fetch) {
      try readMailbox()
      return try TracedStatement.scope(.fetch) {
        if let registered = try deleteRows(descriptor) { return registered }
        try loadPendingRows()
        return try refusingUnreadValues {
          try FetchPass(context: self, descriptor: descriptor, includesCascade: true).models()
        }
      }
    }
    for match in matches where includeSubclasses || Swift.type(of: match) == T.self { remove(match) }
  }

  /// Enters a write into the pending changes; false when the model is deleted.
  ///
  /// - Parameter keyPath: the property; evaluated only for observers.
  func noteChange(of model: any PersistentModel, _ keyPath: @autoclosure () -> AnyKeyPath) -> Bool {
    guard !state.isInStore else {
      ModelIssue.changeDuringSave(model._$identifier, property: model.propertyName(of: keyPath())).report()
      return false
    }
    if pending.cascade != nil { pending.cascade = nil }
    switch model.phase {
    case .inserted, .changed:
      willChange(model, keyPath())
      pending.index?.noteWrite(model, keyPath())
    case .clean:
      guard complete(model) else {
        ModelIssue.writeToUnreadableModel(model._$identifier, property: model.propertyName(of: keyPath())).report()
        return false
      }
      willChange(model, keyPath())
      let side = model.side
      let definition = type(of: model)._$definition
      side.committed = state.former.capture(model, definition)
      side.phase = .changed
      pending.change(model, definition)
    case .deleting, .gone:
      ModelIssue.writeToDeletedModel(model._$identifier, property: model.propertyName(of: keyPath())).report()
      return false
    }
    watchers?.noteChange(of: model, keyPath())
    return true
  }

  /// Takes back a pending deletion.
  private func revive(_ model: any PersistentModel) {
    let side = model.side
    willChange(model)
    pending.revive(model)
    side.isDeleted = false
    // Others may have deleted what it refers to in the meantime; where no store answers, saving tells.
    if let missing = try? missingReferences(of: [model]) {
      releaseReferences(of: [model], to: missing)
    }
    noteDeletion(of: model)
    RelationshipEditor.notifyOthers(of: model)
  }
}

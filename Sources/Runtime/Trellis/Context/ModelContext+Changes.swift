public import Foundation

extension ModelContext {
  /// Inserts a model and its related models into the context. The next save stores them.
  ///
  /// Inserting a model that was already inserted or fetched has no effect. Inserting a model with a pending deletion
  /// reverts the deletion.
  ///
  /// ```swift
  /// let trip = Trip(name: "Fjords", destination: "Bergen", startDate: .now, endDate: .now + 7 * 86_400)
  /// trip.bucketList = [BucketListItem(title: "Ride the funicular")]
  /// context.insert(trip)
  /// try context.save()  // stores the trip and the item
  /// ```
  ///
  /// If a stored model has the same unique values, the save updates that model, unless the constraint has a different
  /// ``Schema/ConflictPolicy``.
  ///
  /// If the container lacks the model's class, ``ModelIssue/unknownModel(_:reason:)`` is reported, and the next
  /// ``save()`` throws until the model is deleted from the context or removed by ``rollback()``. A model that belongs
  /// to a different context is ignored while the app holds that context. Once the app has released that context, the
  /// model moves to this one.
  ///
  /// - Parameters:
  ///   - model: The model to insert.
  ///   - isolation: The isolation in which the context is used, for ``autosaveEnabled``. Not in SwiftData.
  public func insert<T: PersistentModel>(
    _ model: T, isolation: isolated (any Actor)? = #isolation
  ) {
    recordUse(on: isolation)
    adopt(model)
  }

  func adopt(_ model: any PersistentModel) {
    occupancy.visit(.insertion, model._$identifier) { enterModel(model) }
  }

  private func enterModel(_ model: any PersistentModel) {
    guard !state.isInStore else {
      return ModelIssue.changeDuringSave(model._$identifier, property: "insert(_:)").report()
    }
    // Fast path for a new model that has no relationships and no observers.
    let state = model._$state
    let definition = type(of: model)._$definition
    if state.side == nil, state.table == nil, model._$identifier.isTemporary,
      let table = try? table(for: definition)
    {
      willChange(model)
      table.register(model)
      pending.insert(model, definition)
      watchers?.recordInsertionOrDeletion(of: model)
      return
    }
    pending.cascade = nil
    var queue: [any PersistentModel] = [model]
    var linked: [TrackedState] = []
    var returning: [any PersistentModel] = []
    // Models are visited in list order, which determines the order of rows and reloaded lists.
    var position = 0
    while position < queue.count {
      let next = queue[position]
      position += 1
      if let owner = next.ownerContext {
        if owner === self, next.phase == .deleting { revive(next) }
        guard owner !== self, !owner.state.isHeld else {
          if owner !== self, next === model {
            ModelIssue.foreignModel(next._$identifier, property: "insert(_:)").report()
          }
          continue
        }
        owner.transfer(next, to: self)
        guard next._$state.table == nil else { continue }
      }
      if let side = next._$state.side, side.isDeleted, side.isPlaceholder || !next._$identifier.isTemporary {
        ModelIssue.writeToDeletedModel(next._$identifier, property: "modelContext").report()
        continue
      }
      // The placeholder's zero values would overwrite the row.
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
      watchers?.recordInsertionOrDeletion(of: next)
    }
    for side in linked { side.links.keepTargets { $0.ownerContext !== self } }
    // Observers of related models are notified after all relationships have been set.
    if !returning.isEmpty {
      deferringNotifications { for model in returning { RelationshipEditor.relink(model) } }
    }
  }

  /// Moves a model to the context into which it is inserted. The app no longer holds this context, so the model cannot
  /// be saved here as well.
  func transfer(_ model: any PersistentModel, to other: ModelContext) {
    let identifier = model._$identifier
    let isNew = identifier.isTemporary
    // The target context cannot adopt pending list changes.
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
        // The related model may have moved earlier or may have been discarded.
        let target = registered(reference, relation.destination) ?? other.registered(reference, relation.destination)
        model.side.links.setTarget(relation.slot, target)
        guard target == nil else { continue }
        let stored = model.side.committed?.reference(relation.slot)
        definition.codec.setReference(relation.slot, of: model, to: stored)
      }
      for (_, list) in model._$state.side?.links.allLists ?? [] { list.retainMembers() }
      pending.forget(model)
      model._$state.table?._withUnsafeGuaranteedRef { $0.detach(model) }
      if isNew { model._$state.side?.becomeNew() } else { model._$state.side?.links.removeLists() }
    }
  }

  /// Registers a saved model, with its changes, from a context that the app has released.
  private func enterSaved(_ model: any PersistentModel, _ table: IdentityTable) {
    let identifier = model._$identifier
    guard table.mayHold(identifier), table.object(identifier) == nil else {
      return ModelIssue.foreignModel(identifier, property: "insert(_:)").report()
    }
    table.register(model)
    // The next fetch or save reads the row, which may have been changed concurrently.
    mailbox.requeue(Commit(updated: [identifier]))
    guard model.phase == .changed else { return }
    willChange(model)
    pending.change(model, type(of: model)._$definition)
    watchers?.recordRevert(of: model)
  }

  /// Deletes a model with the next save. A model that was never saved is discarded.
  ///
  /// ```swift
  /// context.delete(trip)
  /// print(trip.isDeleted)  // true
  /// try context.save()     // also deletes the bucket list, which has the delete rule .cascade
  /// ```
  ///
  /// The save applies the relationships' delete rules. Until then, the model no longer appears in relationships or in
  /// fetches that include pending changes. Such fetches also omit the models to which the deletion will cascade.
  /// ``PersistentModel/isDeleted`` is still false for these models, and those assigned to a different owner before the
  /// save are not deleted. ``rollback()`` reverts the deletion until the save.
  ///
  /// - Parameter model: The model to delete. If it belongs to a different context, this context deletes its own model
  ///   for the same row.
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
    autosave?.recordChange()
    let side = model.side
    pending.delete(model, from: side.phase)
    side.isDeletedAsCommitted = side.committed == nil && !model._$identifier.isTemporary
    if side.isDeletedAsCommitted { side.committed = state.former.capture(model, type(of: model)._$definition) }
    probe.hasUnusableModels = true
    side.phase = .deleting
    side.isDeleted = true
    recordDeletion(of: model)
    RelationshipEditor.notifyOthers(of: model)
  }

  /// Notifies watchers that a model and the models reached by cascades are deleted or restored.
  private func recordDeletion(of model: any PersistentModel) {
    guard let watchers else { return }
    watchers.recordInsertionOrDeletion(of: model)
    watchers.recordInsertionOrDeletion(of: cascadeTargets(of: type(of: model)._$definition), with: model)
  }

  /// Deletes all models of a type that match a predicate.
  ///
  /// ```swift
  /// let lastYear = Date.now - 365 * 86_400
  /// try context.delete(model: Trip.self, where: #Predicate { $0.endDate < lastYear })
  /// try context.save()
  /// ```
  ///
  /// Each match is deleted as if by ``delete(_:)``: delete rules apply, and the save makes the deletion permanent.
  /// Matches that have not been loaded remain unloaded if the save follows before any query, so that memory use does
  /// not grow with their number. Models to which another pending deletion will cascade also match, although fetches
  /// omit them. They are deleted even if they are assigned to a different owner before the save.
  ///
  /// - Parameters:
  ///   - model: The model type.
  ///   - predicate: The condition for the models to delete; `nil` for all models.
  ///   - includeSubclasses: True to also delete models of subclasses.
  /// - Throws: The same errors as ``fetch(_:isolation:)``.
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    let descriptor = FetchDescriptor<T>(predicate: predicate)
    let matches = try occupancy.performExclusively(.fetch) {
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

  /// Adds a write to the pending changes. Returns false if the write is rejected.
  ///
  /// - Parameter keyPath: The property; evaluated only if needed.
  func recordChange(of model: any PersistentModel, _ keyPath: @autoclosure () -> AnyKeyPath) -> Bool {
    guard !state.isInStore else {
      ModelIssue.changeDuringSave(model._$identifier, property: model.propertyName(of: keyPath())).report()
      return false
    }
    if pending.cascade != nil { pending.cascade = nil }
    switch model.phase {
    case .inserted, .changed:
      willChange(model, keyPath())
      pending.index?.recordWrite(model, keyPath())
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
    watchers?.recordChange(of: model, keyPath())
    return true
  }

  /// Reverts a pending deletion.
  private func revive(_ model: any PersistentModel) {
    let side = model.side
    willChange(model)
    pending.revive(model)
    side.isDeleted = false
    // Referenced rows may have been deleted concurrently. If the store cannot be read, the save reports the error.
    if let missing = try? missingReferences(of: [model]) {
      releaseReferences(of: [model], to: missing)
    }
    recordDeletion(of: model)
    RelationshipEditor.notifyOthers(of: model)
  }
}

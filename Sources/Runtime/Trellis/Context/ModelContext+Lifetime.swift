/// How long a context lives: as long as the program holds it or one of its registered models.
///
/// Models refer to their context without retaining it, and while the program holds the context it retains the
/// models with pending changes: there is no cycle. `deinit` therefore runs when the program releases the
/// context, whatever it does with the models. If it still holds models, another `ModelContext` takes over the
/// state and keeps itself until the last of them is released.
extension ModelContext {
  /// True in `deinit` if the program may hold a registered model, or autosave has something to save.
  var isNeededAfterRelease: Bool {
    if monitor?.autosave != nil, pending.hasChanges, !isUnsavable { return true }
    return registeredCount > (pending.loose?.copies ?? 0) || pending.loose?.hasCopiesInUse == true
  }

  /// Lets another context continue with the same state; called while this one is released.
  func handOver() {
    let next = ModelContext(storage)
    for table in tables.values { table.context = next }
    // Lists of insertions that were rolled back may lead in a circle, which would keep saved members.
    for model in rolledBack.compactMap(\.model) where model._$state.table == nil {
      for (_, list) in model._$state.side?.links.allLists ?? [] {
        list.remove(all: list.models.filter { $0._$state.table != nil })
      }
    }
    rolledBack = []
    watchers = nil
    // Steps hold models, so an undo manager ends with the context it was given to.
    monitor?.undo = nil
    monitor?.autosave?.rest()
    monitor?.autosave?.context = next
    next.dropIdleMonitor()
    next.saveAtRelease()
    next.keepForModels()
  }

  /// Saves what autosave has not saved yet.
  private func saveAtRelease() {
    if pending.hasChanges, monitor?.autosave != nil { isUnsavable = !saveByItself() }
  }

  /// Keeps the context until the last registered model is released, and refers to pending models weakly.
  private func keepForModels() {
    let loose = pending.loose ?? LooseModels()
    for table in tables.values { table.loose = loose }
    // Models that are released here are replaced by copies, which does not touch `self.pending`.
    var changes = pending
    pending = PendingChanges()
    loose.letGoOfCopies()
    changes.letGo(loose) { model in
      model._$state.table?._withUnsafeGuaranteedRef { loose.restLists(of: model, $0) }
    }
    pending = changes
    if registeredCount > loose.copies { keptByModels = self }
  }

  /// Releases the members of a changed list while only models keep the context.
  func restLists(of model: any PersistentModel) {
    // A save replaces identifiers, by which a resting list knows its members.
    guard let loose = pending.loose, !isSaving else { return }
    model._$state.table?._withUnsafeGuaranteedRef { loose.restLists(of: model, $0) }
  }

  /// Releases a model that is inserted into another context. This one is kept by models only, so the program cannot
  /// save the model here and there.
  func hand(_ model: any PersistentModel, to other: ModelContext) {
    let identifier = model._$identifier
    let isNew = identifier.isTemporary
    // The other context cannot take over what lists have lost and gained.
    guard model.phase != .deleting, isNew || model._$state.side?.changedLists.isEmpty != false,
      let table = try? other.table(for: type(of: model)._$definition),
      isNew || (table.mayHold(identifier) && table.object(identifier) == nil)
    else {
      return ModelIssue.foreignModel(identifier, property: "insert(_:)").report()
    }
    withExtendedLifetime(self) {
      complete(model)
      let definition = type(of: model)._$definition
      for relation in definition.relations.references {
        let slot = relation.property.slot
        guard let reference = definition.codec.reference(slot, of: model), reference.isTemporary else { continue }
        // The other end may have moved before.
        let target = registered(reference, relation.destination) ?? other.registered(reference, relation.destination)
        model.side.links.setTarget(slot, target)
      }
      for (_, list) in model._$state.side?.links.allLists ?? [] { list.wake() }
      pending.forget(model)
      model._$state.table?._withUnsafeGuaranteedRef { $0.detach(model) }
      model._$state.side?.becomeNew()
    }
  }

  /// The members of a resting list; nil, with a report, when they cannot be read.
  func lookUp(
    _ identifiers: [PersistentIdentifier], of owner: PersistentIdentifier, _ relation: Relation
  ) -> [AnyObject]? {
    var models: [PersistentIdentifier: any PersistentModel] = [:]
    for identifier in identifiers { models[identifier] = inMemory(identifier, relation.destination) }
    do {
      let missing = identifiers.filter { models[$0] == nil && !$0.isTemporary }
      for model in try load(missing, relation.destination) { models[model._$identifier] = model }
    } catch {
      noteFailedRead(of: owner, relation.property.name, error)
      return nil
    }
    return identifiers.compactMap { models[$0] }
  }
}

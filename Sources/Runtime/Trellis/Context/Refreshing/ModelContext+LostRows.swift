/// Models with unsaved changes whose rows a concurrent context or process deleted.
///
/// Only the app can decide about these changes. Until then they remain pending, and every save throws.
extension ModelContext {
  /// Handles a registered model's deleted row.
  ///
  /// - Parameter isErased: True if a request erased all rows, regardless of pending changes.
  /// - Returns: False if the model keeps pending changes.
  func detachLostRow(of model: any PersistentModel, isErased: Bool) -> Bool {
    guard !isErased, model.phase == .changed, model.side.hasLostRow || hasSomethingToLose(model) else {
      markGone(model)
      return true
    }
    model.side.hasLostRow = true
    return false
  }

  /// True if a changed model has pending changes besides relationships to deleted models.
  private func hasSomethingToLose(_ model: any PersistentModel) -> Bool {
    let side = model.side
    let definition = type(of: model)._$definition
    let columns = definition.layout.columns
    for slot in side.changed.slots {
      guard columns[slot].kind.isRelationship, definition.codec.reference(slot, of: model) == nil else {
        return true
      }
    }
    return side.changedLists.slots.contains { slot in
      guard let list = side.links.list(slot), list.isLoaded else {
        return pending.lists[.init(owner: model._$identifier, slot: slot)]?.added.isEmpty == false
      }
      let former = list.committed ?? []
      let members = list.identifiers
      let known = Set(members)
      guard definition.relations.toMany[slot].isOrdered else { return !known.isSubset(of: former) }
      return members != former.filter(known.contains)
    }
  }

  /// The models that prevent a save, each with a remedy.
  func violationsOfLostRows() -> [SwiftDataError.Violation] {
    pending.changed.lazy.filter { $0.side.hasLostRow }.map { .deletedElsewhere($0._$identifier) }
  }

  /// Removes a model that has no pending changes after the row was deleted.
  func followLostRow(of model: any PersistentModel) {
    guard let side = model._$state.side, side.hasLostRow else { return }
    let lists = RelationshipEditor.lists(with: [model])
    watchers?.recordInsertionOrDeletion(of: model)
    markGone(model)
    for list in lists { list.removeGone() }
  }

  private func markGone(_ model: any PersistentModel) {
    undo?.forget(model)
    pending.forget(model)
    // Observers are notified later.
    RelationshipEditor.notifyOthers(of: model)
    dismiss(model)
  }
}

// MARK: references

/// Pending models whose related rows were deleted or reassigned by concurrent contexts.
extension ModelContext {
  /// Clears a pending model's optional references to deleted rows, so that the save writes the values shown.
  /// Validation rejects required references.
  func releaseReferences(
    of models: [any PersistentModel], to gone: Set<PersistentIdentifier>
  ) {
    guard !gone.isEmpty else { return }
    for model in models {
      let definition = type(of: model)._$definition
      for relation in definition.relations.references where relation.property.isOptional {
        let slot = relation.property.slot
        guard let reference = definition.codec.reference(slot, of: model), gone.contains(reference)
        else { continue }
        PropertyNotification.will(model, relation.property)
        RelationshipEditor.point(model, slot, at: nil)
        PropertyNotification.did(model, relation.property)
      }
    }
  }

  /// Referenced rows that are neither registered nor stored.
  func missingReferences(of models: [any PersistentModel]) throws -> Set<PersistentIdentifier> {
    var asked: [ObjectIdentifier: (ModelDefinition, Set<PersistentIdentifier>)] = [:]
    for model in models {
      let definition = type(of: model)._$definition
      for relation in definition.relations.references {
        guard let reference = definition.codec.reference(relation.property.slot, of: model),
          !reference.isTemporary, registered(reference, relation.destination) == nil
        else { continue }
        let root = relation.destination.root
        asked[ObjectIdentifier(root), default: (root, [])].1.insert(reference)
      }
    }
    var missing = Set<PersistentIdentifier>()
    for (root, references) in asked.values {
      let found = try load(Array(references), root)
      missing.formUnion(references.subtracting(found.lazy.map(\.persistentModelID)))
    }
    return missing
  }

  /// Updates inverse relationships that could not be read when an edit was made.
  ///
  /// - Throws: The store's error if they are still unreadable, because a save of a single side would be inconsistent.
  func resolveUnreadEnds() throws {
    // An edit may reveal further unreadable models.
    while let (identifier, definition) = state.unreadEnds.first {
      let found = try load([identifier], definition).first
      state.unreadEnds[identifier] = nil
      guard let end = found else { continue }
      forEachChangedReference { model, relation, stored in
        if stored == identifier { RelationshipEditor.detach(model, from: end, relation) }
      }
    }
  }

  /// Clears partners that a concurrent context assigned to models with pending one-to-one changes, so that two models
  /// never share a partner.
  func releaseReplacedPartners() {
    forEachChangedReference { model, relation, stored in
      guard let inverse = relation.inverse, !inverse.kind.isToMany,
        let partner = resolve(stored, relation.destination), partner.phase != .deleting
      else { return }
      RelationshipEditor.unlink(partner, from: model._$identifier, inverse)
    }
  }

  /// Visits the changed to-one relationships of pending models if the stored row refers to a different model.
  private func forEachChangedReference(
    _ body: (any PersistentModel, Relation, _ stored: PersistentIdentifier) -> Void
  ) {
    for model in pending.changed {
      guard let side = model._$state.side, let row = side.committed else { continue }
      let definition = type(of: model)._$definition
      for relation in definition.relations.references where side.changed.contains(relation.slot) {
        guard let stored = row.reference(relation.slot), stored != definition.codec.reference(relation.slot, of: model)
        else { continue }
        body(model, relation, stored)
      }
    }
  }
}

// MARK: conflicts

/// Detects concurrent saves that overwrote changes in this context, for ``ConflictPolicy/fail``.
///
/// Before a save, the context adopts committed values, so that ``rollback()`` restores the current values. The values
/// before each change are kept separately for comparison.
extension ModelContext {
  func failsOnConflict(in store: StoreHandle) -> Bool {
    (conflictPolicy ?? store.conflictPolicy) == .fail
  }

  /// A model's changed values that differ in a fresh row, in addition to the known conflicts.
  func overtaken(
    _ side: TrackedState, by fresh: SnapshotBuffer, _ index: Int
  ) -> FormerRow.Overtaken? {
    guard let committed = side.committed else { return nil }
    let known = committed.overtaken
    // Values that cannot be compared count as overwritten.
    var slots =
      (try? committed.buffer.differing(committed.index, from: fresh, index, among: side.changed)) ?? side.changed
    if let known { slots.formUnion(known.slots) }
    guard !slots.isEmpty, let row = try? committed.asChanged() else { return nil }
    return FormerRow.Overtaken(row.index == 0 ? row.buffer : row.buffer.copy(row.index), slots)
  }
}

extension FormerRow {
  /// The values before the change.
  func asChanged() throws -> FormerRow {
    guard let overtaken else { return self }
    return try buffer.replacing(index, overtaken.slots, from: overtaken.buffer, 0).map { FormerRow($0) } ?? self
  }
}

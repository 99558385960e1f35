/// Models with unsaved changes whose rows another context or process has deleted.
///
/// Only the program can decide about these changes. Until then they stay pending, and every save throws.
extension ModelContext {
  /// The row of a registered model is no more.
  ///
  /// - Parameter isErased: whether all rows were taken away on demand, whatever was pending.
  /// - Returns: false when the model has something to lose: it keeps its pending changes.
  func takeLeave(of model: any PersistentModel, isErased: Bool) -> Bool {
    guard !isErased, model.phase == .changed, model.side.hasLostRow || hasSomethingToLose(model) else {
      markGone(model)
      return true
    }
    model.side.hasLostRow = true
    return false
  }

  /// Whether a changed model has more to lose than relatives that have left it.
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

  /// The models that keep a save from being one, each with the way out.
  func violationsOfLostRows() -> [SwiftDataError.Violation] {
    pending.changed.lazy.filter { $0.side.hasLostRow }.map { .deletedElsewhere($0._$identifier) }
  }

  /// A model that has nothing pending any more goes the way of its row.
  func followLostRow(of model: any PersistentModel) {
    guard let side = model._$state.side, side.hasLostRow else { return }
    let lists = RelationshipEditor.lists(with: [model])
    watchers?.noteComingOrGoing(of: model)
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

/// Pending models whose related rows other contexts have deleted or related to another row.
extension ModelContext {
  /// A pending model loses its optional references to rows that are gone: it reads nil there, and
  /// what it reads is what it saves. One that it needs is for the save to refuse.
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

  /// The rows that models refer to and that are neither registered nor in a store.
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

  /// Brings the other ends of edits up to date whose models could not be read at the time of the edit.
  ///
  /// - Throws: what the store throws when they still cannot be: with one end only, the save would write
  ///   a relationship that is another one from its other side.
  func settleUnreadEnds() throws {
    // To leave one may show another one that cannot be read.
    while let (identifier, definition) = state.unreadEnds.first {
      let found = try load([identifier], definition).first
      state.unreadEnds[identifier] = nil
      guard let end = found else { continue }
      forEachChangedReference { model, relation, stored in
        if stored == identifier { RelationshipEditor.detach(model, from: end, relation) }
      }
    }
  }

  /// Where another context has given a model with a pending one-to-one change a partner, that
  /// partner loses it again: no model is ever named by two.
  func releaseReplacedPartners() {
    forEachChangedReference { model, relation, stored in
      guard let inverse = relation.inverse, !inverse.kind.isToMany,
        let partner = resolve(stored, relation.destination), partner.phase != .deleting
      else { return }
      RelationshipEditor.unlink(partner, from: model._$identifier, inverse)
    }
  }

  /// Visits the changed to-one relationships of pending models whose rows refer to another model.
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

/// What others have overwritten of what this context has changed, for ``ConflictPolicy/fail``.
///
/// Before a save the context takes over what others have saved: ``rollback()`` then leads to the present
/// values. What the program had seen when it changed them is kept beside, as that is what counts.
extension ModelContext {
  func failsOnConflict(in store: StoreHandle) -> Bool {
    (conflictPolicy ?? store.conflictPolicy) == .fail
  }

  /// The changed values of a model that a fresh row has other ones for, with those known already.
  func overtaken(
    _ side: TrackedState, by fresh: SnapshotBuffer, _ index: Int
  ) -> FormerRow.Overtaken? {
    guard let committed = side.committed else { return nil }
    let known = committed.overtaken
    // What cannot be compared counts as overwritten.
    var slots =
      (try? committed.buffer.differing(committed.index, from: fresh, index, among: side.changed)) ?? side.changed
    if let known { slots.formUnion(known.slots) }
    guard !slots.isEmpty, let row = try? committed.asChanged() else { return nil }
    return FormerRow.Overtaken(row.index == 0 ? row.buffer : row.buffer.copy(row.index), slots)
  }
}

extension FormerRow {
  /// The values that were there when they were changed.
  func asChanged() throws -> FormerRow {
    guard let overtaken else { return self }
    return try buffer.replacing(index, overtaken.slots, from: overtaken.buffer, 0).map { FormerRow($0) } ?? self
  }
}

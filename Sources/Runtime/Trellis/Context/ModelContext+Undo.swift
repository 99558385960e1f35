#if canImport(ObjectiveC)
  public import Foundation
#endif

extension ModelContext {
  /// The manager that undoes and redoes the context's changes. Default: `nil`, which has no run-time cost.
  ///
  /// ```swift
  /// context.undoManager = UndoManager()
  /// trip.name = "Glaciers"
  /// context.undoManager?.undo()  // the trip has the former name
  /// context.undoManager?.redo()  // "Glaciers"
  /// ```
  ///
  /// Insertions, changes and deletions are registered as a step by ``processPendingChanges()``, by ``save()`` and
  /// before the manager undoes or redoes a step. Steps remain after a save: undoing creates new pending changes.
  /// ``rollback()`` empties the manager.
  ///
  /// The steps are discarded when the app releases the context. Retain the context if otherwise only models refer to
  /// it, as in `model.modelContext?.undoManager = manager`.
  ///
  /// Foundation provides `UndoManager` on Apple's platforms only; this library provides it elsewhere.
  public var undoManager: UndoManager? {
    get { undo?.manager }
    set {
      guard newValue !== undo?.manager else { return }
      state.undo = nil
      if let newValue { state.undo = UndoRecorder(self, newValue) }
    }
  }

  /// Registers changes since the last registration as a step with the ``undoManager``.
  ///
  /// ```swift
  /// context.undoManager = UndoManager()
  /// trip.name = "Glaciers"
  /// context.processPendingChanges()  // first step
  /// trip.budget = 900
  /// context.undoManager?.undo()      // restores the budget, but not the name
  /// ```
  ///
  /// Delete rules are applied to pending deletions first, so that the step is complete: cascaded models are deleted
  /// immediately, and undoing restores them. A transaction registers a step when it ends. If there is no undo manager,
  /// no step is registered, and the save applies the delete rules.
  ///
  /// Afterwards, each ``ResultsObserver`` in the context is up to date.
  public func processPendingChanges() {
    undo?.process()
    watchers?.update()
  }

  /// Marks a changed model as clean if it equals its row again.
  func resolve(_ model: any PersistentModel) {
    guard shows(model), let side = model._$state.side, side.phase == .changed, let committed = side.committed
    else { return }
    let definition = type(of: model)._$definition
    for slot in side.changedLists.slots {
      let relation = definition.relations.toMany[slot]
      guard let list = side.links.list(slot), list.isLoaded else {
        // The members' to-one references contain the changes.
        guard relation.storesMembers else { continue }
        return
      }
      // New models that were deleted remain in lists until the next save.
      let members = list.models.filter { $0.isUsableTarget || !$0._$identifier.isTemporary }.map(\._$identifier)
      guard let stored = list.committed, relation.areSame(members, stored) else { return }
      pending.lists[ListKey(owner: model._$identifier, slot: slot)] = nil
    }
    guard (try? model.capturedRow().differing(0, from: committed.buffer, committed.index))?.isEmpty == true
    else { return }
    side.changedLists = PropertySet()
    pending.forget(model)
    revert(model)
  }
}

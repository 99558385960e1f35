#if canImport(ObjectiveC)
  public import Foundation
#endif

extension ModelContext {
  /// Remembers how to take back what is done in this context; nil, and then it costs nothing, until
  /// one is given.
  ///
  /// Insertions, changes and deletions are registered as one step by ``processPendingChanges()``, by
  /// ``save()`` and before the manager undoes or redoes something. A save keeps the steps: taking one
  /// back afterwards makes new pending changes. ``rollback()`` empties the manager.
  ///
  ///     context.undoManager = UndoManager()
  ///     trip.name = "Glaciers"
  ///     context.undoManager?.undo()
  ///
  /// The manager's steps end when the program releases the context. Keep the context where only models keep it, as in
  /// `model.modelContext?.undoManager = manager`.
  ///
  /// Foundation has no `UndoManager` off Apple's platforms; this library has one there.
  public var undoManager: UndoManager? {
    get { monitor?.undo?.manager }
    set {
      guard newValue !== monitor?.undo?.manager else { return }
      monitor?.undo = nil
      if let newValue {
        ensureMonitor().undo = UndoRecorder(self, newValue)
        // The steps hold models, which hold the context: it may not hold itself, too.
        keptByModels = nil
      }
      dropIdleMonitor()
    }
  }

  /// Registers what has changed since the last time as one step of the ``undoManager``.
  ///
  /// Delete rules are applied to pending deletions first, so that the step is complete: what they
  /// delete is deleted from here on, and comes back with it. Inside of a transaction nothing is
  /// registered before its end. Registers nothing without an undo manager.
  ///
  /// Each ``ResultsObserver`` of the context is up to date afterwards.
  public func processPendingChanges() {
    monitor?.undo?.process()
    watchers?.update()
  }

  /// Makes a model clean that is as it was saved.
  func settle(_ model: any PersistentModel) {
    guard model.ownerContext === self, model.phase == .changed, let side = model._$state.side,
      let committed = side.committed
    else { return }
    let relations = type(of: model)._$definition.relations
    for slot in side.changedLists.slots {
      guard let list = side.links.list(slot), list.isLoaded else {
        // Only the other ends have changed, and they say so themselves.
        guard !relations.toMany[slot].isKeptAsList else { continue }
        side.changedLists.remove(slot)
        side.links.setList(slot, nil)
        continue
      }
      guard let stored = list.committed else { continue }
      // New models that were deleted stay in lists, hidden, until the next save.
      let members = list.models.filter { $0.isUsableTarget || !$0._$identifier.isTemporary }
        .map(\.persistentModelID)
      let isOrdered = relations.toMany[slot].isOrdered
      guard isOrdered ? members == stored : Set(members) == Set(stored) else { continue }
      side.changedLists.remove(slot)
      pending.lists[.init(owner: model._$identifier, slot: slot)] = nil
    }
    guard side.changedLists.isEmpty,
      (try? model.capturedRow().differing(0, from: committed.buffer, committed.index))?.isEmpty == true
    else { return }
    watchers?.noteRevert(of: model)
    pending.forget(model)
    side.phase = .clean
    side.committed = nil
    side.changed = PropertySet()
    side.links.removeTargets()
    let definition = type(of: model)._$definition
    side.links.setLists(
      side.links.allLists.map { slot, list in
        (slot, resting(list, definition.relations.toMany[slot], of: definition))
      })
    followLostRow(of: model)
  }
}

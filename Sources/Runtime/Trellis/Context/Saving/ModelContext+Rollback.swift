extension ModelContext {
  /// Discards pending changes and restores the last saved values.
  ///
  /// Attributes and relationships of all models return to their saved values, and observers are notified. Transient
  /// and ephemeral properties, which are not stored, do not change. The ``undoManager`` is emptied. Models whose rows
  /// were deleted by a different context or process become deleted. Inserted models leave the context.
  ///
  /// ```swift
  /// trip.name = "Glaciers"
  /// context.delete(trip)
  /// context.rollback()
  /// print(trip.isDeleted, context.hasChanges)  // false false
  /// ```
  ///
  /// Has no effect, and reports a ``ModelIssue``, while a custom store saves the pending changes.
  public func rollback() {
    guard !state.isInStore else {
      if let model = pending.models.first {
        ModelIssue.changeDuringSave(model._$identifier, property: "rollback()").report()
      }
      return
    }
    if occupancy.isDisputed, let model = pending.models.first {
      occupancy.inspect(.rollback, model._$identifier) { revertEverything() }
    } else {
      revertEverything()
    }
    if !hasChanges { autosave?.cancel() }
  }

  private func revertEverything() {
    // Observers are notified after all models have been reverted, so changes made by observers remain pending.
    deferringNotifications {
      let models = pending.models
      state.unreadEnds = [:]
      state.failedReads.removeAll()
      pending.removeAll()
      for model in models { revert(model) }
      state.former.close()
      pending.recount()
      undo?.reset()
    }
  }

  /// Restores a model's last saved state. Inserted models leave the context.
  func revert(_ model: any PersistentModel) {
    let side = model.side
    watchers?.recordRevert(of: model)
    if side.phase == .deleting {
      watchers?.recordInsertionOrDeletion(of: cascadeTargets(of: type(of: model)._$definition), with: model)
      RelationshipEditor.notifyOthers(of: model)
    }
    if model._$identifier.isTemporary {
      PropertyNotification.leaving(model, self) {
        model._$state.table?._withUnsafeGuaranteedRef { $0.detach(model) }
        probe.hasUnusableModels = true
        side.phase = .gone
        side.isDeleted = true
      }
    } else {
      let restore = {
        side.committed?.restore(model)
        side.phase = .clean
        side.isDeleted = false
        side.links.removeTargets()
        side.links.removeLists()
      }
      if let committed = side.committed {
        PropertyNotification.replacing(
          model, with: committed.buffer, committed.index, lists: side.changedLists, restore)
      } else {
        restore()
      }
    }
    side.committed = nil
    side.changed = PropertySet()
    side.changedLists = PropertySet()
    followLostRow(of: model)
  }
}

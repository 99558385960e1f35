/// Models with unsaved changes whose rows another context or process has deleted.
///
/// Only the program can decide about these changes. Until then they stay pending, and every save throws.
extension ModelContext {
  /// The row of a registered model is no more.
  ///
  /// - Parameter isErased: whether all rows were taken away on demand, whatever was pending.
  /// - Returns: false when the model has something to lose: it keeps its pending changes.
  func takeLeave(
    of model: any PersistentModel, isErased: Bool, _ departure: inout RelationshipEditor.Departure
  ) -> Bool {
    guard !isErased, model.phase == .changed, model.side.hasLostRow || hasSomethingToLose(model) else {
      markGone(model, &departure)
      return true
    }
    model.side.hasLostRow = true
    hasLostRows = true
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
    guard hasLostRows else { return [] }
    return pending.changed.lazy.filter { $0.side.hasLostRow }.map { .deletedElsewhere($0._$identifier) }
  }

  /// A model that has nothing pending any more goes the way of its row.
  func followLostRow(of model: any PersistentModel) {
    guard let side = model._$state.side, side.hasLostRow else { return }
    var departure = RelationshipEditor.Departure()
    watchers?.noteComingOrGoing(of: model)
    markGone(model, &departure)
    departure.finish()
  }

  private func markGone(
    _ model: any PersistentModel, _ departure: inout RelationshipEditor.Departure
  ) {
    departure.add(model)
    let side = model.side
    monitor?.undo?.forget(model)
    pending.forget(model)
    probe.hasUnusableModels = true
    side.phase = .gone
    side.isDeleted = true
    RelationshipEditor.notifyOthers(of: model)
    side.links = ModelLinks()
    model._$state.table?._withUnsafeGuaranteedRef { $0.detach(model) }
  }
}

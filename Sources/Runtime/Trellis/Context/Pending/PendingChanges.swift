/// A context's unsaved changes: changed models, and changes to lists that are not loaded.
struct PendingChanges {
  /// All models whose phase is ``TrackedState/Phase/inserted``, ``TrackedState/Phase/changed`` or
  /// ``TrackedState/Phase/deleting``, each once, in order of first change.
  private(set) var entries = PendingModels()
  private var insertedCount = 0
  private var changedCount = 0
  private var deletedCount = 0
  private var droppedCount = 0
  /// The models' common class; `nil` if empty or if the classes differ.
  private(set) var commonClass: ModelDefinition?
  /// Inserted models whose classes the container lacks. They block saving.
  private(set) var unknownModels: [any PersistentModel] = []
  /// Created by the first fetch that has many pending models to filter.
  var index: PendingIndex?
  /// Created by the first fetch that a cascade from a pending deletion may affect.
  var cascade: PendingCascade?
  /// Rows that the next save deletes without creating objects, see ``ModelContext/deleteRows(_:)``.
  var rows: [DeletedRows.Group] = []
  /// Members added to and removed from unloaded lists.
  var lists: [ListKey: ListChange] = [:]

  struct ListChange {
    var added: PendingModels
    var removed: Set<PersistentIdentifier> = []

    /// Records an addition or removal. Removals are applied first, so a member that is removed and added again moves to
    /// the end.
    fileprivate mutating func record(_ member: any PersistentModel, isAddition: Bool) {
      if isAddition {
        added.append(member)
      } else {
        added.removeAll { $0 === member }
        removed.insert(member._$identifier)
      }
    }
  }

  // MARK: queries

  /// True while the app holds no context and the models are therefore not retained.
  var isLoose: Bool { entries.isLoose }

  /// True if nothing is pending.
  var isEmpty: Bool { entries.isEmpty && lists.isEmpty && rows.isEmpty }

  var hasDeletions: Bool { deletedCount + droppedCount > 0 || !rows.isEmpty }

  /// True if only row deletions are pending.
  var hasOnlyRows: Bool { entries.isEmpty && lists.isEmpty && unknownModels.isEmpty }

  /// The number of rows that the next save deletes without creating objects.
  var rowCount: Int { rows.reduce(0) { $0 + $1.keys.count } }

  /// The number of changed models and rows. Insertions that were deleted before a save are not counted.
  var count: Int { insertedCount + changedCount + deletedCount + unknownModels.count + rowCount }

  var hasChanges: Bool {
    insertedCount + changedCount + deletedCount > 0 || !unknownModels.isEmpty || !rows.isEmpty
  }

  var models: [any PersistentModel] { entries.models }
  var inserted: [any PersistentModel] { filtered(insertedCount) { $0.phase == .inserted } }
  var changed: [any PersistentModel] { filtered(changedCount) { $0.phase == .changed } }
  var deleted: [any PersistentModel] {
    filtered(deletedCount) { $0.phase == .deleting && !$0._$identifier.isTemporary }
  }
  /// Inserted models that were deleted before they were saved.
  var dropped: [any PersistentModel] {
    filtered(droppedCount) { $0.phase == .deleting && $0._$identifier.isTemporary }
  }

  private func filtered(_ count: Int, where isWanted: (any PersistentModel) -> Bool) -> [any PersistentModel] {
    if count == 0 { return [] }
    return count == entries.count ? models : models.filter(isWanted)
  }

  /// Returns the pending models' lists in memory whose relationships satisfy a condition.
  func heldLists(
    where isWanted: (Relation, ModelDefinition) -> Bool
  ) -> [(owner: PersistentIdentifier, relation: Relation, list: ModelList)] {
    models.flatMap { model in
      let definition = type(of: model)._$definition
      return (model._$state.side?.links.allLists ?? []).compactMap { slot, list in
        let relation = definition.relations.toMany[slot]
        return isWanted(relation, definition) ? (model._$identifier, relation, list) : nil
      }
    }
  }

  // MARK: changes

  mutating func insert(_ model: any PersistentModel, _ definition: ModelDefinition) {
    append(model, definition)
    insertedCount += 1
  }

  private mutating func append(_ model: any PersistentModel, _ definition: ModelDefinition) {
    if entries.isEmpty {
      commonClass = definition
    } else if commonClass !== definition {
      commonClass = nil
    }
    entries.append(model)
  }

  mutating func insert(unknown model: any PersistentModel) {
    if !unknownModels.contains(where: { $0 === model }) { unknownModels.append(model) }
  }

  /// Removes a model of an unknown class.
  mutating func forget(unknown model: any PersistentModel) { unknownModels.removeAll { $0 === model } }

  mutating func reserve(_ count: Int) { entries.reserve(count) }

  mutating func change(_ model: any PersistentModel, _ definition: ModelDefinition) {
    append(model, definition)
    changedCount += 1
  }

  /// Moves a model from the given phase to deletion. The caller updates the phase afterwards.
  mutating func delete(_ model: any PersistentModel, from phase: TrackedState.Phase) {
    let isTemporary = model._$identifier.isTemporary
    if !count(-1, phase, isTemporary) { append(model, type(of: model)._$definition) }
    count(1, .deleting, isTemporary)
    cascade?.add(model)
  }

  /// Reverts a model's deletion and restores the previous phase.
  mutating func revive(_ model: any PersistentModel) {
    cascade = nil
    let side = model.side
    let isTemporary = model._$identifier.isTemporary
    count(-1, .deleting, isTemporary)
    if isTemporary {
      side.phase = .inserted
    } else if side.changed.isEmpty && side.changedLists.isEmpty && !side.hasLostRow {
      side.phase = .clean
      // The model shows the row's values again, so the former values are not needed.
      side.committed = nil
    } else {
      side.phase = .changed
    }
    if !count(1, side.phase, isTemporary) { remove(model) }
  }

  /// Removes a model from the pending changes. Call before changing the phase.
  mutating func forget(_ model: any PersistentModel) {
    cascade = nil
    if count(-1, model.phase, model._$identifier.isTemporary) { remove(model) }
  }

  private mutating func remove(_ model: any PersistentModel) {
    index = nil
    entries.removeAll { $0 === model }
  }

  /// Adjusts the count for a phase. Returns false if models in that phase are not pending.
  @discardableResult
  private mutating func count(_ step: Int, _ phase: TrackedState.Phase, _ isTemporary: Bool) -> Bool {
    switch phase {
    case .inserted: insertedCount += step
    case .changed: changedCount += step
    case .deleting where isTemporary: droppedCount += step
    case .deleting: deletedCount += step
    case .clean, .gone: return false
    }
    return true
  }

  /// Records a change to an unloaded list.
  mutating func change(list key: ListKey, member: any PersistentModel, isAddition: Bool) {
    // Modified in place: copying the lists for every member would make large moves quadratic.
    let none = ListChange(added: PendingModels(isLoose: isLoose))
    lists[key, default: none].record(member, isAddition: isAddition)
  }

  // MARK: after saving and rollback

  mutating func removeAll() {
    let isLoose = isLoose
    self = PendingChanges()
    entries = PendingModels(isLoose: isLoose)
  }

  /// Removes saved changes. Changes made since the save began remain.
  ///
  /// - Parameter count: The number of models written by the save.
  mutating func removeSaved(_ count: Int) {
    rows = []
    lists = [:]
    if entries.count > count { recount() } else { removeAll() }
  }

  /// Keeps the models whose phases are pending, and recounts them.
  mutating func recount() {
    index = nil
    cascade = nil
    (insertedCount, changedCount, deletedCount, droppedCount) = (0, 0, 0, 0)
    var seen = Set<ObjectIdentifier>()
    let kept = models.filter { model in
      let isPending = model.phase != .clean && model.phase != .gone
      guard isPending, seen.insert(ObjectIdentifier(model)).inserted else { return false }
      return count(1, model.phase, model._$identifier.isTemporary)
    }
    entries.set(kept)
  }

  /// Adds earlier pending models again, because observers may have removed them in between.
  mutating func reclaim(_ earlier: PendingChanges) {
    entries.set(earlier.models + models)
    commonClass = nil
    lists.merge(earlier.lists) { own, _ in own }
    recount()
  }

  // MARK: lifetime

  /// Stops retaining the models, and drops changes that do not belong to a registered model.
  mutating func releaseModels() {
    index = nil
    cascade = nil
    rows = []
    unknownModels = []
    setLoose(true)
  }

  /// Retains the models again.
  mutating func retainModels() {
    setLoose(false)
    recount()
  }

  private mutating func setLoose(_ isLoose: Bool) {
    entries.setLoose(isLoose)
    for key in lists.keys { lists[key]?.added.setLoose(isLoose) }
  }

  /// Called when an unretained model is released. Returns true if the model had changes.
  mutating func modelIsReleased(_ phase: TrackedState.Phase, _ identifier: PersistentIdentifier) -> Bool {
    count(-1, phase, identifier.isTemporary) && !(phase == .deleting && identifier.isTemporary)
  }
}

/// Models with pending changes, in order of first change.
///
/// The models are retained while the app holds the context, so that changes are saved even if the app releases the
/// model.
struct PendingModels {
  private var held: [any PersistentModel] = []
  /// Replaces `held` while the app holds no context.
  private var loose: [WeakModel] = []
  private(set) var isLoose = false

  private struct WeakModel {
    weak var model: (any PersistentModel)?
  }

  var models: [any PersistentModel] { isLoose ? loose.compactMap(\.model) : held }
  var count: Int { held.count + loose.count }
  var isEmpty: Bool { held.isEmpty && loose.isEmpty }

  init(isLoose: Bool = false) { self.isLoose = isLoose }

  mutating func append(_ model: any PersistentModel) {
    if isLoose { loose.append(WeakModel(model: model)) } else { held.append(model) }
  }

  mutating func reserve(_ additional: Int) { held.reserveCapacity(held.count + additional) }

  mutating func removeAll(where isRemoved: (any PersistentModel) -> Bool) { set(models.filter { !isRemoved($0) }) }

  /// Switches between strong and weak references to the models.
  mutating func setLoose(_ isLoose: Bool) {
    let models = models
    self.isLoose = isLoose
    set(models)
  }

  mutating func set(_ models: [any PersistentModel]) {
    held = isLoose ? [] : models
    loose = isLoose ? models.map(WeakModel.init) : []
  }
}

extension [any PersistentModel] {
  /// Groups the models by class, in order of appearance.
  ///
  /// - Parameter common: The models' common class, if known.
  func grouped(of common: ModelDefinition? = nil) -> [(definition: ModelDefinition, models: Self)] {
    guard let first else { return [] }
    let definition = common ?? type(of: first)._$definition
    if common != nil || allSatisfy({ type(of: $0)._$definition === definition }) { return [(definition, self)] }
    var groups: [(definition: ModelDefinition, models: Self)] = []
    var positions: [ObjectIdentifier: Int] = [:]
    for model in self {
      let definition = type(of: model)._$definition
      let position = positions[ObjectIdentifier(definition)] ?? groups.count
      if position == groups.count {
        positions[ObjectIdentifier(definition)] = position
        groups.append((definition, []))
      }
      groups[position].models.append(model)
    }
    return groups
  }
}

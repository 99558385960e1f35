/// What a context will save: the models with changes, and changes of lists that are not loaded.
struct PendingChanges {
  /// Every model whose phase is ``TrackedState/Phase/inserted``, ``TrackedState/Phase/changed`` or
  /// ``TrackedState/Phase/deleting``, once, in the order in which the changes began.
  private(set) var entries = PendingModels()
  private var insertedCount = 0
  private var changedCount = 0
  private var deletedCount = 0
  private var droppedCount = 0
  /// The class of all the models; nil if they are of several or none.
  private(set) var commonClass: ModelDefinition?
  /// Inserted models whose classes the container does not have: nothing is saved as long as there are some.
  private(set) var unknownModels: [any PersistentModel] = []
  /// Made by the first fetch that has many pending models to look at.
  var index: PendingIndex?
  /// Made by the first fetch of what cascades of the deletions may lead to.
  var cascade: PendingCascade?
  /// Rows that the next save deletes without objects, see ``ModelContext/deleteRows(_:)``.
  var rows: [DeletedRows.Group] = []
  /// Members added to and removed from lists that are not loaded.
  var lists: [ListKey: ListChange] = [:]

  struct ListChange {
    var added: PendingModels
    var removed: Set<PersistentIdentifier> = []

    /// Removals count before additions: one that comes back takes its place at the end.
    fileprivate mutating func note(_ member: any PersistentModel, isAddition: Bool) {
      if isAddition {
        added.append(member)
      } else {
        added.removeAll { $0 === member }
        removed.insert(member._$identifier)
      }
    }
  }

  // MARK: queries

  /// True while the app holds no context, and the models are not retained.
  var isLoose: Bool { entries.isLoose }

  /// Whether nothing is known of any model but what is stored.
  var isEmpty: Bool { entries.isEmpty && lists.isEmpty && rows.isEmpty }

  var hasDeletions: Bool { deletedCount + droppedCount > 0 || !rows.isEmpty }

  /// Whether nothing but rows is pending.
  var hasOnlyRows: Bool { entries.isEmpty && lists.isEmpty && unknownModels.isEmpty }

  /// The number of rows that the next save deletes without objects.
  var rowCount: Int { rows.reduce(0) { $0 + $1.keys.count } }

  /// The number of models and rows with changes. A dropped insertion is no change.
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
  /// Insertions taken back before they were saved.
  var dropped: [any PersistentModel] {
    filtered(droppedCount) { $0.phase == .deleting && $0._$identifier.isTemporary }
  }

  private func filtered(_ count: Int, where isWanted: (any PersistentModel) -> Bool) -> [any PersistentModel] {
    if count == 0 { return [] }
    return count == entries.count ? models : models.filter(isWanted)
  }

  /// The lists in memory of the models' relationships that pass the test.
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

  /// Forgets a model of an unknown class, if it is one.
  mutating func forget(unknown model: any PersistentModel) { unknownModels.removeAll { $0 === model } }

  mutating func reserve(_ count: Int) { entries.reserve(count) }

  mutating func change(_ model: any PersistentModel, _ definition: ModelDefinition) {
    append(model, definition)
    changedCount += 1
  }

  /// The model goes from its phase to deletion; its side's phase is set by the caller afterwards.
  mutating func delete(_ model: any PersistentModel, from phase: TrackedState.Phase) {
    let isTemporary = model._$identifier.isTemporary
    if !count(-1, phase, isTemporary) { append(model, type(of: model)._$definition) }
    count(1, .deleting, isTemporary)
    cascade?.add(model)
  }

  /// Takes back the deletion of a model and puts its side into the phase it had before.
  mutating func revive(_ model: any PersistentModel) {
    cascade = nil
    let side = model.side
    let isTemporary = model._$identifier.isTemporary
    count(-1, .deleting, isTemporary)
    if isTemporary {
      side.phase = .inserted
    } else if side.changed.isEmpty && side.changedLists.isEmpty && !side.hasLostRow {
      side.phase = .clean
      // The row is current again, and only the model itself follows it from here.
      side.committed = nil
    } else {
      side.phase = .changed
    }
    if !count(1, side.phase, isTemporary) { remove(model) }
  }

  /// Drops a model from the pending changes, before its phase is changed.
  mutating func forget(_ model: any PersistentModel) {
    cascade = nil
    if count(-1, model.phase, model._$identifier.isTemporary) { remove(model) }
  }

  private mutating func remove(_ model: any PersistentModel) {
    index = nil
    entries.removeAll { $0 === model }
  }

  /// Counts a model of a phase; false if models of the phase are not pending.
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

  /// Remembers a change to a list that is not loaded.
  mutating func change(list key: ListKey, member: any PersistentModel, isAddition: Bool) {
    // In place: a copy of the lists for every member would make moving many of them quadratic.
    let none = ListChange(added: PendingModels(isLoose: isLoose))
    lists[key, default: none].note(member, isAddition: isAddition)
  }

  // MARK: after saves and rollbacks

  mutating func removeAll() {
    let isLoose = isLoose
    self = PendingChanges()
    entries = PendingModels(isLoose: isLoose)
  }

  /// Forgets what a save has written. What has changed since stays.
  ///
  /// - Parameter count: the number of models that the save has written.
  mutating func removeSaved(_ count: Int) {
    rows = []
    lists = [:]
    if entries.count > count { recount() } else { removeAll() }
  }

  /// Keeps the models that are pending by their own phases, and counts them again.
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

  /// Enters what was pending before once more; observers may have dropped it in between.
  mutating func reclaim(_ earlier: PendingChanges) {
    entries.set(earlier.models + models)
    commonClass = nil
    lists.merge(earlier.lists) { own, _ in own }
    recount()
  }

  // MARK: lifetime

  /// Stops retaining the models, and drops what does not belong to a registered model.
  mutating func letGo() {
    index = nil
    cascade = nil
    rows = []
    unknownModels = []
    setLoose(true)
  }

  /// Retains the models again.
  mutating func hold() {
    setLoose(false)
    recount()
  }

  private mutating func setLoose(_ isLoose: Bool) {
    entries.setLoose(isLoose)
    for key in lists.keys { lists[key]?.added.setLoose(isLoose) }
  }

  /// Called when a model is released that was not retained; true if it had changes.
  mutating func modelIsReleased(_ phase: TrackedState.Phase, _ identifier: PersistentIdentifier) -> Bool {
    count(-1, phase, identifier.isTemporary) && !(phase == .deleting && identifier.isTemporary)
  }
}

/// Models with pending changes, in the order in which the changes began.
///
/// They are retained while the app holds the context: it may change a model, drop it, and save.
struct PendingModels {
  private var held: [any PersistentModel] = []
  /// Used instead of `held` while the app holds no context.
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

  /// Retains the models, or refers to them weakly, from now on.
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
  /// The models by class, classes and models in the order of appearance.
  ///
  /// - Parameter common: the class of all models, if it is known.
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

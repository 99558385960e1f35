/// What a context will save: the models with changes, and changes of lists that are not loaded.
struct PendingChanges {
  private(set) var insertions = PendingModels()
  private(set) var updates = PendingModels()
  private(set) var deletions = PendingModels()
  /// True while the program holds no context, and the models are not retained.
  private(set) var isLoose = false
  /// Inserted models whose classes the container does not have: nothing is saved as long as there are some.
  private(set) var unknownModels: [any PersistentModel] = []
  /// Made by the first fetch that has many pending models to look at.
  var index: PendingIndex?
  /// Made by the first fetch of what cascades of the deletions may lead to.
  var cascade: PendingCascade?
  private var insertedCount = 0
  /// The class of the inserted models while all are of one.
  private var insertedClass: ModelDefinition?
  private var changedCount = 0
  /// Deletions of models a store has; a dropped insertion is no change.
  private var deletedCount = 0
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

  /// Whether nothing is known of any model but what is stored.
  var isEmpty: Bool {
    insertions.isEmpty && updates.isEmpty && deletions.isEmpty && lists.isEmpty && rows.isEmpty
  }

  var hasDeletions: Bool { !deletions.isEmpty || !rows.isEmpty }

  /// Whether nothing but rows is pending.
  var hasOnlyRows: Bool {
    insertions.isEmpty && updates.isEmpty && deletions.isEmpty && lists.isEmpty && unknownModels.isEmpty
  }

  /// The number of rows that the next save deletes without objects.
  var rowCount: Int { rows.reduce(0) { $0 + $1.keys.count } }

  /// The number of models and rows with changes.
  var count: Int { insertedCount + changedCount + deletedCount + unknownModels.count + rowCount }

  var hasChanges: Bool {
    insertedCount + changedCount + deletedCount > 0 || !unknownModels.isEmpty || !rows.isEmpty
  }

  var inserted: [any PersistentModel] {
    insertedCount == insertions.count
      ? insertions.models : insertions.models.filter { $0.phase == .inserted }
  }

  var changed: [any PersistentModel] {
    changedCount == updates.count
      ? updates.models : updates.models.filter { $0.phase == .changed }
  }

  var deleted: [any PersistentModel] {
    deletedCount == deletions.count
      ? deletions.models
      : deletions.models.filter { $0.phase == .deleting && !$0._$identifier.isTemporary }
  }

  /// Insertions taken back before they were saved.
  var dropped: [any PersistentModel] {
    deletedCount == deletions.count
      ? [] : deletions.models.filter { $0.phase == .deleting && $0._$identifier.isTemporary }
  }

  /// What a save has to do, looked at once.
  var work: Work { Work(inserted: inserted, changed: changed, deleted: deleted, dropped: dropped) }

  struct Work {
    var inserted: [any PersistentModel]
    var changed: [any PersistentModel]
    var deleted: [any PersistentModel]
    var dropped: [any PersistentModel]
  }

  /// The definition of the inserted models, when all of them are known to be of one class.
  var commonInsertedClass: ModelDefinition? { insertions.isEmpty ? nil : insertedClass }

  mutating func insert(_ model: any PersistentModel, _ definition: ModelDefinition) {
    if insertions.isEmpty {
      insertedClass = definition
    } else if insertedClass !== definition {
      insertedClass = nil
    }
    insertions.append(model)
    insertedCount += 1
  }

  mutating func insert(unknown model: any PersistentModel) {
    if !unknownModels.contains(where: { $0 === model }) { unknownModels.append(model) }
  }

  /// Forgets a model of an unknown class, if it is one.
  mutating func forget(unknown model: any PersistentModel) { unknownModels.removeAll { $0 === model } }

  mutating func reserve(_ count: Int) { insertions.reserve(count) }

  mutating func change(_ model: any PersistentModel) {
    updates.append(model)
    changedCount += 1
  }

  /// The model goes from its phase to deletion; its side's phase is set by the caller afterwards.
  mutating func delete(_ model: any PersistentModel, from phase: TrackedState.Phase) {
    switch phase {
    case .inserted: insertedCount -= 1
    case .changed:
      changedCount -= 1
      deletedCount += 1
    default: deletedCount += 1
    }
    deletions.append(model)
  }

  /// Remembers a change to a list that is not loaded.
  mutating func change(list key: ListKey, member: any PersistentModel, isAddition: Bool) {
    // In place: a copy of the lists for every member would make moving many of them quadratic.
    lists[key, default: ListChange(added: PendingModels(isLoose: isLoose))].note(member, isAddition: isAddition)
  }

  mutating func removeAll() {
    let isLoose = isLoose
    self = PendingChanges()
    if isLoose { letGo() }
  }

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
    self.isLoose = isLoose
    insertions.setLoose(isLoose)
    updates.setLoose(isLoose)
    deletions.setLoose(isLoose)
    for key in lists.keys { lists[key]?.added.setLoose(isLoose) }
  }

  /// The lists in memory of the models' relationships that pass the test.
  func heldLists(
    where isWanted: (Relation, ModelDefinition) -> Bool
  ) -> [(owner: PersistentIdentifier, relation: Relation, list: ModelList)] {
    var found: [(owner: PersistentIdentifier, relation: Relation, list: ModelList)] = []
    for model in everything {
      let definition = type(of: model)._$definition
      for (slot, list) in model._$state.side?.links.allLists ?? [] {
        let relation = definition.relations.toMany[slot]
        if isWanted(relation, definition) { found.append((model._$identifier, relation, list)) }
      }
    }
    return found
  }

  /// Called when a model is released that was not retained; true if it had changes.
  mutating func modelIsReleased(_ phase: TrackedState.Phase, _ identifier: PersistentIdentifier) -> Bool {
    switch phase {
    case .inserted: insertedCount -= 1
    case .changed: changedCount -= 1
    case .deleting where !identifier.isTemporary: deletedCount -= 1
    case .deleting, .clean, .gone: return false
    }
    return true
  }

  /// Counts again what the models' own phases say.
  mutating func recount() {
    index = nil
    cascade = nil
    insertedClass = nil
    insertions.keepOnce { $0.phase == .inserted }
    updates.keepOnce { $0.phase == .changed }
    deletions.keepOnce { $0.phase == .deleting }
    insertedCount = insertions.count
    changedCount = updates.count
    deletedCount = deletions.models.count { !$0._$identifier.isTemporary }
  }
}

extension PendingChanges {
  /// Takes back the deletion of a model and puts its side into the phase it had before.
  mutating func revive(_ model: any PersistentModel) {
    deletions.removeAll { $0 === model }
    cascade = nil
    let side = model.side
    if model._$identifier.isTemporary {
      side.phase = .inserted
      insertedCount += 1
      if !insertions.models.contains(where: { $0 === model }) {
        insertedClass = nil
        insertions.append(model)
      }
      return
    }
    deletedCount -= 1
    if side.changed.isEmpty && side.changedLists.isEmpty && !side.hasLostRow {
      side.phase = .clean
      // The row is current again, and only the model itself follows it from here.
      side.committed = nil
    } else {
      side.phase = .changed
      changedCount += 1
      if !updates.models.contains(where: { $0 === model }) { updates.append(model) }
    }
  }
}

extension PendingChanges {
  /// Drops a model whose row is gone from the pending changes, before its phase is changed.
  mutating func forget(_ model: any PersistentModel) {
    cascade = nil
    switch model.phase {
    case .inserted:
      insertedCount -= 1
      insertions.removeAll { $0 === model }
    case .changed:
      changedCount -= 1
      updates.removeAll { $0 === model }
    case .deleting:
      if !model._$identifier.isTemporary { deletedCount -= 1 }
      deletions.removeAll { $0 === model }
    case .clean, .gone: break
    }
  }
}

extension PendingChanges {
  /// Enters what was pending before once more; observers may have dropped it in between.
  mutating func reclaim(_ earlier: PendingChanges) {
    insertions.prepend(earlier.insertions)
    updates.prepend(earlier.updates)
    deletions.prepend(earlier.deletions)
    lists.merge(earlier.lists) { own, _ in own }
    recount()
  }

  /// How much was pending when a save began.
  struct Mark {
    fileprivate let insertions, updates, deletions, rows: Int
    fileprivate let lists: Set<ListKey>
  }

  var mark: Mark {
    Mark(
      insertions: insertions.count, updates: updates.count, deletions: deletions.count,
      rows: rows.count, lists: Set(lists.keys))
  }

  /// Forgets what was pending at a mark and is saved; what observers of the save have changed since
  /// stays.
  mutating func removeSaved(until mark: Mark) {
    guard
      insertions.count != mark.insertions || updates.count != mark.updates
        || deletions.count != mark.deletions || rows.count != mark.rows
    else {
      let unknownModels = unknownModels
      removeAll()
      self.unknownModels = unknownModels
      return
    }
    insertions.removeFirst(mark.insertions)
    updates.removeFirst(mark.updates)
    deletions.removeFirst(mark.deletions)
    rows.removeFirst(mark.rows)
    lists = lists.filter { !mark.lists.contains($0.key) }
    recount()
  }
}

/// Models with pending changes, in the order in which the changes began.
///
/// They are retained while the program holds the context: it may change a model, drop it, and save.
struct PendingModels {
  private var held: [any PersistentModel] = []
  /// Used instead of `held` while the program holds no context.
  private var loose: [WeakModel] = []
  private var isLoose = false

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

  mutating func prepend(_ earlier: PendingModels) { set(earlier.models + models) }

  mutating func reserve(_ additional: Int) { held.reserveCapacity(held.count + additional) }

  mutating func removeAll(where isRemoved: (any PersistentModel) -> Bool) {
    held.removeAll(where: isRemoved)
    loose.removeAll { $0.model.map(isRemoved) ?? true }
  }

  mutating func removeFirst(_ count: Int) { set(Array(models.dropFirst(count))) }

  /// Keeps the models that pass the test, each of them once.
  mutating func keepOnce(where isKept: (any PersistentModel) -> Bool) {
    var seen = Set<ObjectIdentifier>()
    removeAll { !isKept($0) || !seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Retains the models, or refers to them weakly, from now on.
  mutating func setLoose(_ isLoose: Bool) {
    let models = models
    self.isLoose = isLoose
    set(models)
  }

  private mutating func set(_ models: [any PersistentModel]) {
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

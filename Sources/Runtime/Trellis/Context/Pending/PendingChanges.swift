/// What a context will save: the models with changes, and changes of lists that are not loaded.
struct PendingChanges {
  private(set) var insertions = PendingModels()
  private(set) var updates = PendingModels()
  private(set) var deletions = PendingModels()
  /// Set while the program no longer holds the context; see ``LooseModels``.
  private(set) var loose: LooseModels?
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
    var added = PendingModels()
    var removed = PendingModels()

    /// Removals count before additions: one that comes back takes its place at the end.
    fileprivate mutating func note(
      _ member: any PersistentModel, isAddition: Bool, _ loose: LooseModels?
    ) {
      if isAddition {
        added.append(member, loose)
      } else {
        added.removeAll { $0 === member }
        removed.append(member, loose)
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
    insertions.append(model, loose)
    insertedCount += 1
  }

  mutating func insert(unknown model: any PersistentModel) {
    if !unknownModels.contains(where: { $0 === model }) { unknownModels.append(model) }
  }

  /// Forgets a model of an unknown class, if it is one.
  mutating func forget(unknown model: any PersistentModel) { unknownModels.removeAll { $0 === model } }

  mutating func reserve(_ count: Int) { insertions.reserve(count) }

  mutating func change(_ model: any PersistentModel) {
    updates.append(model, loose)
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
    deletions.append(model, loose)
  }

  /// Remembers a change to a list that is not loaded.
  mutating func change(list key: ListKey, member: any PersistentModel, isAddition: Bool) {
    // In place: a copy of the lists for every member would make moving many of them quadratic.
    lists[key, default: ListChange()].note(member, isAddition: isAddition, loose)
  }

  mutating func removeAll() {
    let registry = loose
    self = PendingChanges()
    loose = registry
    registry?.removeAll()
  }

  /// Stops holding the models: the program no longer holds the context.
  ///
  /// - Parameter rest: called with each model before it is released.
  mutating func letGo(_ registry: LooseModels, _ rest: (any PersistentModel) -> Void) {
    loose = registry
    index = nil
    cascade = nil
    // The copies keep the models until every list refers to them without holding them.
    let held = (insertions, updates, deletions, lists)
    for models in [insertions, updates, deletions] { models.models.forEach(rest) }
    insertions.letGo(registry)
    updates.letGo(registry)
    deletions.letGo(registry)
    for key in lists.keys {
      lists[key]?.added.letGo(registry)
      lists[key]?.removed.letGo(registry)
    }
    withExtendedLifetime(held) {}
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
        insertions.append(model, loose)
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
      if !updates.models.contains(where: { $0 === model }) { updates.append(model, loose) }
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

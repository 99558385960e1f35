/// What a context will save: models held until then, and what is known of lists nobody has loaded.
struct PendingChanges {
  private(set) var insertions: [any PersistentModel] = []
  private(set) var updates: [any PersistentModel] = []
  private(set) var deletions: [any PersistentModel] = []
  /// Made by the first fetch that has many pending models to look at.
  var index: PendingIndex?
  private var insertedCount = 0
  /// The class of the inserted models while all are of one.
  private var insertedClass: ModelDefinition?
  private var changedCount = 0
  /// Deletions of models a store has; a dropped insertion is no change.
  private var deletedCount = 0
  /// Members added to and removed from lists that are not loaded.
  var lists: [ListKey: ListChange] = [:]

  struct ListKey: Hashable {
    var owner: PersistentIdentifier
    var slot: Int
  }

  struct ListChange {
    var added: [any PersistentModel] = []
    var removed: [any PersistentModel] = []

    /// Removals count before additions: one that comes back takes its place at the end.
    mutating func note(_ member: any PersistentModel, isAddition: Bool) {
      if isAddition {
        added.append(member)
      } else {
        added.removeAll { $0 === member }
        removed.append(member)
      }
    }
  }

  /// Whether nothing is known of any model but what is stored.
  var isEmpty: Bool {
    insertions.isEmpty && updates.isEmpty && deletions.isEmpty && lists.isEmpty
  }

  var hasDeletions: Bool { !deletions.isEmpty }

  var hasChanges: Bool { insertedCount + changedCount + deletedCount > 0 }

  var inserted: [any PersistentModel] {
    insertedCount == insertions.count ? insertions : insertions.filter { $0.phase == .inserted }
  }

  var changed: [any PersistentModel] {
    changedCount == updates.count ? updates : updates.filter { $0.phase == .changed }
  }

  var deleted: [any PersistentModel] {
    deletedCount == deletions.count
      ? deletions : deletions.filter { $0.phase == .deleting && !$0._$identifier.isTemporary }
  }

  /// Insertions taken back before they were saved.
  var dropped: [any PersistentModel] {
    deletedCount == deletions.count
      ? [] : deletions.filter { $0.phase == .deleting && $0._$identifier.isTemporary }
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

  mutating func reserve(_ count: Int) { insertions.reserveCapacity(insertions.count + count) }

  mutating func change(_ model: any PersistentModel) {
    updates.append(model)
    changedCount += 1
  }

  /// The model goes from its phase to deletion; its side's phase is set by the caller afterwards.
  mutating func delete(_ model: any PersistentModel, from phase: ModelSide.Phase) {
    switch phase {
    case .inserted: insertedCount -= 1
    case .changed:
      changedCount -= 1
      deletedCount += 1
    default: deletedCount += 1
    }
    deletions.append(model)
  }

  mutating func removeAll() { self = PendingChanges() }

  /// Counts again what the models' own phases say.
  mutating func recount() {
    index = nil
    insertedClass = nil
    insertions = Self.once(insertions) { $0.phase == .inserted }
    updates = Self.once(updates) { $0.phase == .changed }
    deletions = Self.once(deletions) { $0.phase == .deleting }
    insertedCount = insertions.count
    changedCount = updates.count
    deletedCount = deletions.count { !$0._$identifier.isTemporary }
  }
}

extension PendingChanges {
  /// Takes back the deletion of a model and puts its side into the phase it had before.
  mutating func revive(_ model: any PersistentModel) {
    deletions.removeAll { $0 === model }
    let side = model.side
    if model._$identifier.isTemporary {
      side.phase = .inserted
      insertedCount += 1
      if !insertions.contains(where: { $0 === model }) {
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
      if !updates.contains(where: { $0 === model }) { updates.append(model) }
    }
  }
}

extension PendingChanges {
  /// Drops a model whose row is gone from the pending changes, before its phase is changed.
  mutating func forget(_ model: any PersistentModel) {
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
  private static func once(
    _ models: [any PersistentModel], where isKept: (any PersistentModel) -> Bool
  ) -> [any PersistentModel] {
    var seen = Set<ObjectIdentifier>()
    return models.filter { isKept($0) && seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Enters what was pending before once more; observers may have dropped it in between.
  mutating func reclaim(_ earlier: PendingChanges) {
    insertions = earlier.insertions + insertions
    updates = earlier.updates + updates
    deletions = earlier.deletions + deletions
    lists.merge(earlier.lists) { own, _ in own }
    recount()
  }

  /// How much was pending when a save began.
  struct Mark {
    fileprivate let insertions, updates, deletions: Int
    fileprivate let lists: Set<ListKey>
  }

  var mark: Mark {
    Mark(
      insertions: insertions.count, updates: updates.count, deletions: deletions.count,
      lists: Set(lists.keys))
  }

  /// Forgets what was pending at a mark and is saved; what observers of the save have changed since
  /// stays.
  mutating func removeSaved(until mark: Mark) {
    guard
      insertions.count != mark.insertions || updates.count != mark.updates
        || deletions.count != mark.deletions
    else { return removeAll() }
    insertions.removeFirst(min(mark.insertions, insertions.count))
    updates.removeFirst(min(mark.updates, updates.count))
    deletions.removeFirst(min(mark.deletions, deletions.count))
    lists = lists.filter { !mark.lists.contains($0.key) }
    recount()
  }
}

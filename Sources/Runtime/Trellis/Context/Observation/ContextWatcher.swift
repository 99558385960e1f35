/// Observes a context's models.
protocol ContextWatcher: AnyObject {
  /// Called when a model was changed, inserted, deleted or reverted in the context, before a save.
  func contextWillChange(_ model: any PersistentModel, _ change: ClassChange)

  /// Called when a commit by this or a different context has been applied to the registered models.
  func contextHasSeen(_ commit: Commit, isOwn: Bool)

  /// Updates the watcher's results.
  func update()
}

/// A context's watchers, which are not retained.
final class ContextWatchers {
  private struct Entry {
    weak var watcher: (any ContextWatcher)?
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  func add(_ watcher: any ContextWatcher) { entries.append(Entry(watcher: watcher)) }

  /// Removes a watcher, and all released watchers.
  func remove(_ watcher: any ContextWatcher) {
    entries.removeAll { $0.watcher == nil || $0.watcher === watcher }
  }

  func recordChange(of model: any PersistentModel, _ keyPath: AnyKeyPath) {
    let definition = type(of: model)._$definition
    record(ClassChange(definition, definition.layout.property(for: keyPath)), of: model)
  }

  func recordInsertionOrDeletion(of model: any PersistentModel) {
    recordInsertionOrDeletion(of: [type(of: model)._$definition], with: model)
  }

  /// Records that models of related classes appear or disappear with a model.
  func recordInsertionOrDeletion(of definitions: [ModelDefinition], with model: any PersistentModel) {
    for definition in definitions {
      var change = ClassChange(definition)
      change.comesOrGoes = true
      record(change, of: model)
    }
  }

  /// Records that a model is about to lose pending changes or has just received them.
  func recordRevert(of model: any PersistentModel) {
    guard model.phase != .clean else { return }
    var change = ClassChange(type(of: model)._$definition)
    change.isEphemeral = model.phase == .changed
    change.comesOrGoes = !change.isEphemeral
    if let side = model._$state.side {
      change.columns = side.changed
      change.lists = side.changedLists
    }
    record(change, of: model)
  }

  func record(_ commit: Commit, isOwn: Bool) {
    for entry in entries { entry.watcher?.contextHasSeen(commit, isOwn: isOwn) }
  }

  /// Updates all watchers immediately.
  func update() {
    for entry in entries { entry.watcher?.update() }
  }

  private func record(_ change: ClassChange, of model: any PersistentModel) {
    for entry in entries { entry.watcher?.contextWillChange(model, change) }
  }
}

extension ModelContext {
  func add(_ watcher: any ContextWatcher) {
    let watchers = watchers ?? ContextWatchers()
    watchers.add(watcher)
    state.watchers = watchers
  }

  func remove(_ watcher: any ContextWatcher) {
    watchers?.remove(watcher)
    if watchers?.isEmpty == true { state.watchers = nil }
  }
}

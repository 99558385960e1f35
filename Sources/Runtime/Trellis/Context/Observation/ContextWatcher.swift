/// Follows what happens to the models of one context.
protocol ContextWatcher: AnyObject {
  /// A model was changed, inserted, deleted or reverted in the context; not saved yet.
  func contextWillChange(_ model: any PersistentModel, _ change: ClassChange)

  /// A commit is in the store and in the registered models: the context's own or another one's.
  func contextHasSeen(_ commit: Commit, isOwn: Bool)

  /// Brings whatever the watcher offers up to date.
  func update()
}

/// The watchers of a context. They are not retained.
final class ContextWatchers {
  private struct Entry {
    weak var watcher: (any ContextWatcher)?
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  func add(_ watcher: any ContextWatcher) { entries.append(Entry(watcher: watcher)) }

  /// Removes a watcher, and those that are gone.
  func remove(_ watcher: any ContextWatcher) {
    entries.removeAll { $0.watcher == nil || $0.watcher === watcher }
  }

  func noteChange(of model: any PersistentModel, _ keyPath: AnyKeyPath) {
    let definition = type(of: model)._$definition
    note(ClassChange(definition, definition.layout.property(for: keyPath)), of: model)
  }

  func noteComingOrGoing(of model: any PersistentModel) {
    noteComingOrGoing(of: [type(of: model)._$definition], with: model)
  }

  /// Models of other classes appear or disappear with a model.
  func noteComingOrGoing(of definitions: [ModelDefinition], with model: any PersistentModel) {
    for definition in definitions {
      var change = ClassChange(definition)
      change.comesOrGoes = true
      note(change, of: model)
    }
  }

  /// The model is about to lose its pending changes, or has just got some.
  func noteRevert(of model: any PersistentModel) {
    guard model.phase != .clean else { return }
    var change = ClassChange(type(of: model)._$definition)
    change.isEphemeral = model.phase == .changed
    change.comesOrGoes = !change.isEphemeral
    if let side = model._$state.side {
      change.columns = side.changed
      change.lists = side.changedLists
    }
    note(change, of: model)
  }

  func note(_ commit: Commit, isOwn: Bool) {
    for entry in entries { entry.watcher?.contextHasSeen(commit, isOwn: isOwn) }
  }

  /// Brings every watcher up to date now.
  func update() {
    for entry in entries { entry.watcher?.update() }
  }

  private func note(_ change: ClassChange, of model: any PersistentModel) {
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

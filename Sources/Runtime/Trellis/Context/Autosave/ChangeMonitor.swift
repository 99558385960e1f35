/// Who must know of changes before they happen: undoing and autosaving, where they are in use.
///
/// One object, so that a context that uses neither pays one comparison with nil a write.
final class ChangeMonitor {
  var undo: UndoRecorder?
  var autosave: Autosaver?

  /// A model is about to change, to be inserted, or to come back.
  func willChange(_ model: any PersistentModel, _ keyPath: AnyKeyPath? = nil) {
    undo?.willChange(model, keyPath)
    autosave?.noteChange()
  }

  /// A model is about to be deleted.
  func willDelete(_ model: any PersistentModel) {
    undo?.willDelete(model)
    autosave?.noteChange()
  }

  var isIdle: Bool { undo == nil && autosave == nil }
}

extension ModelContext {
  func ensureMonitor() -> ChangeMonitor {
    if let monitor { return monitor }
    let monitor = ChangeMonitor()
    self.monitor = monitor
    return monitor
  }

  func dropIdleMonitor() {
    if monitor?.isIdle == true { monitor = nil }
  }
}

/// Saves a context some time after a change: one task sleeps while changes are pending, none otherwise.
final class Autosaver {
  /// The context's state, which retains the autosaver.
  private unowned let storage: ContextStorage
  private var context: ModelContext { storage.context }
  private var changes: UInt64 = 0
  private var changesSeen: UInt64 = 0
  /// What the sleeping task holds; nil when none sleeps.
  private var armed: Keeper?
  private var firstChange: ContinuousClock.Instant?
  private var lastChange: ContinuousClock.Instant?

  init(_ context: ModelContext) { storage = context.storage }

  /// Something is about to change.
  func noteChange() {
    changes &+= 1
    guard armed == nil else { return }
    if let actor = context.state.isolation { return arm(actor) }
    lastChange = .now
    if firstChange == nil { firstChange = lastChange }
  }

  // MARK: with an isolation

  /// Starts the task. It keeps a main context until it has saved; any other one, and its actor, go when the
  /// program lets go of them, and the context saves then.
  private func arm(_ actor: any Actor) {
    let keeper = Keeper(context, actor)
    armed = keeper
    changesSeen = changes
    let started = ContinuousClock.now
    let delay = max(.zero, context.autosavePolicy.delay)
    let latest = started + max(delay, context.autosavePolicy.maximumLatency)
    let sleeper = Sleeper(keeper: keeper, delay: delay, latest: latest)
    Task.detached { await sleeper.run() }
  }

  /// Nothing is pending any more: the context is not kept for it.
  func rest() {
    armed?.kept = nil
    armed = nil
    firstChange = nil
  }

  /// Back in the isolation of the context; false when it is to sleep once more.
  private func wake(_ keeper: Keeper, isLate: Bool) -> Bool {
    guard armed === keeper else { return true }
    if changes != changesSeen, !isLate {
      changesSeen = changes
      return false
    }
    let changesBefore = changes
    let isSaved = save()
    rest()
    // What observers of the save have changed waits for its own turn; a failure waits for a change.
    if isSaved, context.pending.hasChanges, changes != changesBefore, let actor = context.state.isolation {
      arm(actor)
    }
    return true
  }

  /// Leads to the state, and keeps a main context until it has saved.
  private final class Keeper {
    /// Never set again.
    private(set) weak var actor: (any Actor)?
    private(set) weak var storage: ContextStorage?
    var kept: ModelContext?

    init(_ context: ModelContext, _ actor: any Actor) {
      self.actor = actor
      storage = context.storage
      kept = context.state.isMain ? context.givenToProgram : nil
    }
  }

  /// The task that sleeps.
  private struct Sleeper: @unchecked Sendable {  // the context is touched on its actor only
    let keeper: Keeper
    let delay: Duration
    let latest: ContinuousClock.Instant

    func run() async {
      var isDone = false
      while !isDone {
        try? await Task.sleep(for: max(.zero, min(delay, latest - ContinuousClock.now)))
        guard let actor = keeper.actor else { return }
        isDone = await wake(on: actor)
      }
    }

    private func wake(on actor: isolated any Actor) -> Bool {
      guard let context = keeper.storage?.context, let saver = context.monitor?.autosave else { return true }
      // Saving lets go of what may be the last reference to the context.
      return withExtendedLifetime(context.givenToProgram) {
        saver.wake(keeper, isLate: ContinuousClock.now >= latest)
      }
    }
  }

  // MARK: without

  /// The context is called and nothing is half done: saves what has waited long enough.
  func safePoint() {
    guard let firstChange, let lastChange, !context.state.isSaving, context.state.transactionDepth == 0 else { return }
    let now = ContinuousClock.now
    let policy = context.autosavePolicy
    guard now - lastChange >= policy.delay || now - firstChange >= policy.maximumLatency else {
      return
    }
    self.firstChange = nil
    _ = save()
  }

  private func save() -> Bool { context.givenToProgram.saveByItself() }
}

extension ModelContext {
  /// Saves, and reports a failure.
  func saveByItself() -> Bool {
    do {
      try save()
      return true
    } catch {
      if let onError = autosavePolicy.onError {
        onError(error)
      } else {
        ModelIssue.autosaveFailed(reason: "\(error)").report()
      }
      return false
    }
  }
}

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
    state.monitor = monitor
    return monitor
  }

  func dropIdleMonitor() {
    if monitor?.isIdle == true { state.monitor = nil }
  }
}

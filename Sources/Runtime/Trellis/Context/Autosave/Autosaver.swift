/// Saves a context some time after a change. A task of its actor sleeps until then; without an actor, the next fetch
/// saves.
final class Autosaver {
  /// The context's state, which retains the autosaver.
  private unowned let storage: ContextState
  private var context: ModelContext { storage.context }
  /// When the first and the last of the unsaved changes were made; nil if missing.
  private var changes: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?
  /// The task that sleeps.
  private var sleeper: Sleeper?

  init(_ context: ModelContext) { storage = context.state }

  /// Something is about to change.
  func noteChange() {
    let now = ContinuousClock.now
    changes = (changes?.first ?? now, now)
    wakeLater()
  }

  /// When the context is to save; nil if there are no changes.
  private var due: ContinuousClock.Instant? {
    let policy = context.autosavePolicy
    let delay = max(.zero, policy.delay)
    return changes.map { min($0.last + delay, $0.first + max(delay, policy.maximumLatency)) }
  }

  /// Nothing is pending any more: the context is not kept for it.
  func rest() {
    sleeper?.kept = nil
    sleeper = nil
    changes = nil
  }

  private func wakeLater() {
    guard sleeper == nil, let due, let actor = context.state.isolation else { return }
    let sleeper = Sleeper(context, actor)
    self.sleeper = sleeper
    Task.detached { await sleeper.run(until: due) }
  }

  /// Back in the isolation of the context.
  ///
  /// - Returns: when to wake again; nil if the task is over.
  private func wake(_ sleeper: Sleeper) -> ContinuousClock.Instant? {
    guard self.sleeper === sleeper, let due else { return nil }
    guard due <= .now else { return due }
    let isSaved = save()
    let later = changes
    rest()
    // What observers of the save have changed waits for its own turn; a failure waits for a change.
    if isSaved, context.pending.hasChanges {
      changes = later
      wakeLater()
    }
    return nil
  }

  /// The context is called and nothing is half done: without an actor, saves what has waited long enough.
  func safePoint() {
    guard sleeper == nil, let due, due <= .now, !context.state.isSaving, context.state.transactionDepth == 0
    else { return }
    _ = save()
  }

  private func save() -> Bool {
    changes = nil
    return context.givenToProgram.saveByItself()
  }

  /// A task that leads to the state. It keeps a main context until it has saved. Any other one, and its actor, go when
  /// the app releases them, and the context saves then.
  private final class Sleeper: @unchecked Sendable {  // all but the references is used on the actor only
    private weak let actor: (any Actor)?
    private weak let storage: ContextState?
    var kept: ModelContext?

    init(_ context: ModelContext, _ actor: any Actor) {
      self.actor = actor
      storage = context.state
      kept = context.state.isMain ? context.givenToProgram : nil
    }

    func run(until due: ContinuousClock.Instant) async {
      var next: ContinuousClock.Instant? = due
      while let due = next {
        try? await Task.sleep(until: due, clock: .continuous)
        guard let actor else { return }
        next = await wake(on: actor)
      }
    }

    private func wake(on actor: isolated any Actor) -> ContinuousClock.Instant? {
      guard let context = storage?.context, let saver = context.autosave else { return nil }
      // Saving lets go of what may be the last reference to the context.
      return withExtendedLifetime(context.givenToProgram) { saver.wake(self) }
    }
  }
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

extension ModelContext {
  /// A model is about to change, to be inserted, or to come back.
  func willChange(_ model: any PersistentModel, _ keyPath: @autoclosure () -> AnyKeyPath? = nil) {
    if let undo { undo.willChange(model, keyPath()) }
    autosave?.noteChange()
  }
}

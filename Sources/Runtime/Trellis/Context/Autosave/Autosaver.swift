/// Saves a context some time after a change. A task on the context's actor sleeps until then. If there is no actor,
/// the next fetch saves.
final class Autosaver {
  /// The context's state, which retains the autosaver.
  private unowned let storage: ContextLifetime
  private var context: ModelContext { storage.context }
  /// The times of the first and last unsaved changes; `nil` if there are none.
  private var changes: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?
  /// The sleeping task.
  private var sleeper: Sleeper?

  init(_ context: ModelContext) { storage = context.lifetime }

  /// Records a change that is about to be made.
  func recordChange() {
    let now = ContinuousClock.now
    changes = (changes?.first ?? now, now)
    scheduleWake()
  }

  /// The time of the next save; `nil` if nothing has changed.
  private var due: ContinuousClock.Instant? {
    let policy = context.autosavePolicy
    let delay = max(.zero, policy.delay)
    return changes.map { min($0.last + delay, $0.first + max(delay, policy.maximumLatency)) }
  }

  /// Stops waiting when no changes remain, and releases the context.
  func cancel() {
    sleeper?.kept = nil
    sleeper = nil
    changes = nil
  }

  private func scheduleWake() {
    guard sleeper == nil, let due, let actor = context.state.isolation else { return }
    let sleeper = Sleeper(context, actor)
    self.sleeper = sleeper
    Task.detached { await sleeper.run(until: due) }
  }

  /// Called in the context's isolation when the delay has passed.
  ///
  /// - Returns: The next wake-up time; `nil` if the task has ended.
  private func wake(_ sleeper: Sleeper) -> ContinuousClock.Instant? {
    guard self.sleeper === sleeper, let due else { return nil }
    guard due <= .now else { return due }
    let isSaved = save()
    let later = changes
    cancel()
    // Changes that observers make during the save start a new delay. After a failure, the next change starts a new
    // attempt.
    if isSaved, context.pending.hasChanges {
      changes = later
      scheduleWake()
    }
    return nil
  }

  /// Called when the context is used and no operation is in progress. If there is no actor, saves changes that are
  /// due.
  func safePoint() {
    guard sleeper == nil, let due, due <= .now, !context.state.isSaving, context.state.transactionDepth == 0
    else { return }
    _ = save()
  }

  private func save() -> Bool {
    changes = nil
    return context.givenToApp.saveByItself()
  }

  /// A task that sleeps until the save is due. It retains a main context until the save. Other contexts and actors are
  /// not retained, so that the app can release them. A released context then saves immediately.
  private final class Sleeper: @unchecked Sendable {  // everything except the weak references is used on the actor only
    private weak let actor: (any Actor)?
    private weak let storage: ContextLifetime?
    var kept: ModelContext?

    init(_ context: ModelContext, _ actor: any Actor) {
      self.actor = actor
      storage = context.lifetime
      kept = context.state.isMain ? context.givenToApp : nil
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
      // A save may release the last reference to the context.
      return withExtendedLifetime(context.givenToApp) { saver.wake(self) }
    }
  }
}

extension ModelContext {
  /// Saves and reports errors to the policy's handler.
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
  /// Called before a model is changed, inserted or restored.
  func willChange(_ model: any PersistentModel, _ keyPath: @autoclosure () -> AnyKeyPath? = nil) {
    if let undo { undo.willChange(model, keyPath()) }
    autosave?.recordChange()
  }
}

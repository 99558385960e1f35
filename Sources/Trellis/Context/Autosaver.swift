/// Saves a context some time after a change: one task sleeps while changes are pending, none otherwise.
final class Autosaver {
  /// The context, or the one that has taken its place.
  unowned var context: ModelContext
  /// Where the context is used; nil when it cannot be called from outside.
  private let actor: (any Actor)?
  private var changes: UInt64 = 0
  private var changesSeen: UInt64 = 0
  /// What the sleeping task holds; nil when none sleeps.
  private var armed: Keeper?
  private var firstChange: ContinuousClock.Instant?
  private var lastChange: ContinuousClock.Instant?

  init(_ context: ModelContext, on actor: (any Actor)?) {
    self.context = context
    self.actor = actor
  }

  /// Something is about to change.
  func noteChange() {
    changes &+= 1
    guard let actor else {
      lastChange = .now
      if firstChange == nil { firstChange = lastChange }
      return
    }
    if armed == nil { arm(actor) }
  }

  // MARK: with an isolation

  /// Starts the task. It keeps the context until it has saved: changes made just before everybody
  /// else lets go of it are not lost.
  private func arm(_ actor: any Actor) {
    let keeper = Keeper(context)
    armed = keeper
    changesSeen = changes
    let started = ContinuousClock.now
    let delay = max(.zero, context.autosavePolicy.delay)
    let latest = started + max(delay, context.autosavePolicy.maximumLatency)
    let sleeper = Sleeper(keeper: keeper, actor: actor, delay: delay, latest: latest)
    Task.detached { await sleeper.run() }
  }

  /// Nothing is pending any more: the context is not kept for it.
  func rest() {
    armed?.context = nil
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
    if isSaved, context.hasChanges, changes != changesBefore, let actor { arm(actor) }
    return true
  }

  /// Keeps the context until it has saved.
  private final class Keeper {
    var context: ModelContext?
    init(_ context: ModelContext) { self.context = context }
  }

  /// The task that sleeps.
  private struct Sleeper: @unchecked Sendable {  // the context is touched on its actor only
    let keeper: Keeper
    let actor: any Actor
    let delay: Duration
    let latest: ContinuousClock.Instant

    func run() async {
      var isDone = false
      while !isDone {
        try? await Task.sleep(for: max(.zero, min(delay, latest - ContinuousClock.now)))
        isDone = await wake(on: actor)
      }
    }

    private func wake(on actor: isolated any Actor) -> Bool {
      guard let context = keeper.context, let saver = context.monitor?.autosave else { return true }
      // Saving lets go of what may be the last reference to the context.
      return withExtendedLifetime(context) {
        saver.wake(keeper, isLate: ContinuousClock.now >= latest)
      }
    }
  }

  // MARK: without

  /// The context is called and nothing is half done: saves what has waited long enough.
  func safePoint() {
    guard let firstChange, let lastChange, !context.isBusy else { return }
    let now = ContinuousClock.now
    let policy = context.autosavePolicy
    guard now - lastChange >= policy.delay || now - firstChange >= policy.maximumLatency else {
      return
    }
    self.firstChange = nil
    _ = save()
  }

  /// Saves what is pending in a context that the program has released.
  ///
  /// On an actor, the sleeping task keeps the context until it has saved. Only a failed save is left there, and
  /// its changes wait for another change.
  func saveAtRelease() {
    guard actor == nil else { return }
    firstChange = nil
    _ = save()
  }

  /// Saves, and tells of a failure.
  private func save() -> Bool {
    do {
      try context.save()
      return true
    } catch {
      if let onError = context.autosavePolicy.onError {
        onError(error)
      } else {
        ModelIssue.autosaveFailed(reason: "\(error)").report()
      }
      return false
    }
  }
}

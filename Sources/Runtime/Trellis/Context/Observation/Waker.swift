import Synchronization

/// Calls a watcher back on its isolation, once for any number of reasons that come before it runs.
///
/// Commits of other contexts arrive on any thread; what they mean for a watcher is looked at where
/// the watcher lives. Without an actor to go to, only the tasks that wait for a signal are woken.
final class Waker: @unchecked Sendable {  // `watcher` is used on `isolation`, both are never written after init
  private weak var watcher: (any ContextWatcher)?
  /// Weak: an actor may own its watcher.
  private weak var isolation: (any Actor)?
  private let isScheduled = Atomic<Bool>(false)
  /// The signals of waiting tasks, by listener.
  private let signals = Mutex<[ObjectIdentifier: AsyncStream<Void>.Continuation]>([:])

  init(_ watcher: any ContextWatcher, on isolation: (any Actor)?) {
    self.watcher = watcher
    self.isolation = isolation
  }

  func wake() {
    fire()
    guard let isolation, !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { await self.update(on: isolation) }
  }

  private func update(on isolation: isolated any Actor) {
    isScheduled.store(false, ordering: .releasing)
    watcher?.update()
  }

  /// Wakes those who wait.
  func fire() {
    let signals = signals.withLock { Array($0.values) }
    for signal in signals { signal.yield() }
  }

  /// Adds the signal of a listener, or removes it.
  func setSignal(_ signal: AsyncStream<Void>.Continuation?, of listener: AnyObject) {
    signals.withLock { $0[ObjectIdentifier(listener)] = signal }
  }
}

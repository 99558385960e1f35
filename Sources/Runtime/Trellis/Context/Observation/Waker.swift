import Synchronization

/// Calls a watcher in its isolation. Requests made before the call runs are combined.
///
/// Commits by other contexts arrive on any thread; the watcher processes them in its own isolation. If there is no
/// actor, only tasks waiting for a signal are woken.
final class Waker: @unchecked Sendable {  // `watcher` is used on `isolation`; neither is written after init
  private weak var watcher: (any ContextWatcher)?
  /// Weak, because an actor may own its watcher.
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

  /// Wakes waiting tasks.
  func fire() {
    let signals = signals.withLock { Array($0.values) }
    for signal in signals { signal.yield() }
  }

  /// Sets or removes a listener's signal.
  func setSignal(_ signal: AsyncStream<Void>.Continuation?, of listener: AnyObject) {
    signals.withLock { $0[ObjectIdentifier(listener)] = signal }
  }
}

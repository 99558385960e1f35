import Synchronization

/// Calls a watcher back on its isolation, once for any number of reasons that come before it runs.
///
/// Commits of other contexts arrive on any thread; what they mean for a watcher is looked at where
/// the watcher lives. Without an actor to go to, only those who wait in ``Signal``s are woken.
final class Waker: @unchecked Sendable {  // `watcher` is used on `isolation`, both are never written after init
  private weak var watcher: (any ContextWatcher)?
  /// Weak: an actor may own its watcher.
  private weak var isolation: (any Actor)?
  private let isScheduled = Atomic<Bool>(false)
  private let signals = Mutex<[ObjectIdentifier: Signal]>([:])

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
    for signal in signals { signal.fire() }
  }

  func add(_ signal: Signal) { signals.withLock { $0[ObjectIdentifier(signal)] = signal } }

  func remove(_ signal: Signal) { signals.withLock { $0[ObjectIdentifier(signal)] = nil } }

  var hasSignals: Bool { signals.withLock { !$0.isEmpty } }
}

/// Lets one task wait until something has happened since it last waited.
final class Signal: Sendable {
  private enum State {
    case idle
    case fired
    case waiting(CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.idle)

  func fire() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if case .waiting(let continuation) = state {
        state = .idle
        return continuation
      }
      state = .fired
      return nil
    }
    waiting?.resume()
  }

  /// Whether a task waits.
  var isAwaited: Bool {
    state.withLock { if case .waiting = $0 { true } else { false } }
  }

  /// Returns after the next ``fire()``, at once if there was one since the last wait; also when the
  /// task is cancelled.
  func wait(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if case .idle = state, !Task.isCancelled {
            state = .waiting(continuation)
            return false
          }
          state = .idle
          return true
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      fire()
    }
  }
}

import Synchronization

/// Receives the commits of other processes and containers.
protocol RemoteListener: AnyObject, Sendable {
  func note(_ found: ExternalCommits)
}

/// Passes the commits of other processes and containers on to listeners.
final class RemoteListeners: Sendable {
  private struct Listener {
    weak var listener: (any RemoteListener)?
  }

  private let listeners = Mutex<[Listener]>([])
  /// Posts a notification: the identifier of the store, and the token of the last transaction if it was recorded.
  private let post: @Sendable (String, DefaultHistoryToken?) -> Void

  init(post: @escaping @Sendable (String, DefaultHistoryToken?) -> Void) { self.post = post }

  func add(_ listener: any RemoteListener) {
    listeners.withLock { listeners in
      listeners.removeAll { $0.listener == nil }
      listeners.append(Listener(listener: listener))
    }
  }

  func tell(_ found: ExternalCommits, of store: String) {
    let known = listeners.withLock { $0.compactMap(\.listener) }
    for listener in known { listener.note(found) }
    post(store, found.transactions.last?.token)
  }
}

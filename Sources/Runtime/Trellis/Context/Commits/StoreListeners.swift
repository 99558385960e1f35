import Synchronization

/// The open containers over a store, which receive its problems and external commits.
enum StoreListeners {
  private struct Listener {
    weak var core: ContainerCore?
  }

  private static let listeners = Mutex<[ObjectIdentifier: [Listener]]>([:])

  /// Called for each store of a container; the container keeps the store, so that no other object gets
  /// its identity.
  static func join(_ core: ContainerCore, _ store: AnyObject) {
    listeners.withLock { $0[ObjectIdentifier(store), default: []].append(Listener(core: core)) }
  }

  /// Called when a container has gone.
  static func clean(_ store: ObjectIdentifier) {
    listeners.withLock { listeners in
      listeners[store]?.removeAll { $0.core == nil }
      if listeners[store]?.isEmpty == true { listeners[store] = nil }
    }
  }

  static func containers(of store: AnyObject) -> [ContainerCore] {
    listeners.withLock { $0[ObjectIdentifier(store)]?.compactMap(\.core) ?? [] }
  }
}

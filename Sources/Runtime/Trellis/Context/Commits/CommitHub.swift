import Synchronization

/// Tells the contexts of a container what the others have saved.
final class CommitHub: Sendable {
  private let mailboxes = Mutex<[ObjectIdentifier: CommitMailbox]>([:])

  func join(_ mailbox: CommitMailbox) {
    mailboxes.withLock { $0[ObjectIdentifier(mailbox)] = mailbox }
  }

  func leave(_ mailbox: CommitMailbox) {
    mailboxes.withLock { $0[ObjectIdentifier(mailbox)] = nil }
  }

  /// Delivers a commit to every context but the one that made it.
  func post(_ commit: Commit, from sender: CommitMailbox? = nil) {
    let others = mailboxes.withLock { boxes in boxes.values.filter { $0 !== sender } }
    for mailbox in others { mailbox.deliver(commit) }
  }

  var hasOthers: Bool { mailboxes.withLock { $0.count > 1 } }
}

/// The commits a context has not looked at yet, as one: a context that is never used must not collect
/// what others save.
final class CommitMailbox: Sendable {
  private let commits = Mutex<Commit?>(nil)
  private let isEmpty = Atomic<Bool>(true)
  /// Those who look into the mailbox when something has come, without being asked.
  private let wakers = Mutex<[ObjectIdentifier: Waker]>([:])

  func deliver(_ commit: Commit) {
    add(commit)
    let wakers = wakers.withLock { Array($0.values) }
    for waker in wakers { waker.wake() }
  }

  func add(_ waker: Waker) { wakers.withLock { $0[ObjectIdentifier(waker)] = waker } }

  func remove(_ waker: Waker) { wakers.withLock { $0[ObjectIdentifier(waker)] = nil } }

  /// Puts a commit back that could not be looked at.
  func putBack(_ commit: Commit) { add(commit) }

  private func add(_ commit: Commit) {
    commits.withLock { waiting in
      if waiting == nil { waiting = commit } else { waiting?.formUnion(commit) }
      isEmpty.store(false, ordering: .releasing)
    }
  }

  /// Whether nothing has come since the last look.
  var isQuiet: Bool { isEmpty.load(ordering: .acquiring) }

  func take() -> Commit? {
    guard !isQuiet else { return nil }
    return commits.withLock { waiting in
      isEmpty.store(true, ordering: .releasing)
      defer { waiting = nil }
      return waiting
    }
  }
}

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

import Synchronization

/// Notifies a container's contexts of each other's commits.
final class CommitHub: Sendable {
  private let mailboxes = Mutex<[ObjectIdentifier: CommitMailbox]>([:])

  func join(_ mailbox: CommitMailbox) {
    mailboxes.withLock { $0[ObjectIdentifier(mailbox)] = mailbox }
  }

  func leave(_ mailbox: CommitMailbox) {
    mailboxes.withLock { $0[ObjectIdentifier(mailbox)] = nil }
  }

  /// Delivers a commit to every context except the sender.
  func post(_ commit: Commit, from sender: CommitMailbox? = nil) {
    let others = mailboxes.withLock { boxes in boxes.values.filter { $0 !== sender } }
    for mailbox in others { mailbox.deliver(commit) }
  }

  var hasOthers: Bool { mailboxes.withLock { $0.count > 1 } }
}

/// A context's unread commits, merged into a single commit so that an unused context does not accumulate them.
final class CommitMailbox: Sendable {
  private struct State {
    var commit: Commit?
    /// Wakers to call when a commit arrives.
    var wakers: [ObjectIdentifier: Waker] = [:]
  }

  private let state = Mutex(State())
  private let isEmpty = Atomic<Bool>(true)

  func deliver(_ commit: Commit) {
    for waker in requeue(commit) { waker.wake() }
  }

  func add(_ waker: Waker) { state.withLock { $0.wakers[ObjectIdentifier(waker)] = waker } }

  func remove(_ waker: Waker) { state.withLock { $0.wakers[ObjectIdentifier(waker)] = nil } }

  /// Puts back a commit that could not be applied.
  ///
  /// - Returns: The wakers to call for new commits.
  @discardableResult func requeue(_ commit: Commit) -> [Waker] {
    state.withLock { state in
      if state.commit == nil { state.commit = commit } else { state.commit?.formUnion(commit) }
      isEmpty.store(false, ordering: .releasing)
      return Array(state.wakers.values)
    }
  }

  /// True if no commit has arrived since the last read.
  var isQuiet: Bool { isEmpty.load(ordering: .acquiring) }

  func take() -> Commit? {
    guard !isQuiet else { return nil }
    return state.withLock { state in
      isEmpty.store(true, ordering: .releasing)
      defer { state.commit = nil }
      return state.commit
    }
  }
}

/// The process's open containers. An external change to a store is reported to all containers that have the store open.
enum OpenContainers {
  private struct Container {
    weak var core: ContainerCore?
  }

  private static let all = Mutex<[Container]>([])

  static func add(_ core: ContainerCore) {
    all.withLock { containers in
      containers.removeAll { $0.core == nil }
      containers.append(Container(core: core))
    }
  }

  static func containers(of store: AnyObject) -> [ContainerCore] {
    all.withLock { $0.compactMap(\.core) }.filter { $0.stores.contains { $0.store === store } }
  }
}

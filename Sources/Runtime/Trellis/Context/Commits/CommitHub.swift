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
  private struct State {
    var commit: Commit?
    /// Those who look into the mailbox when something has come, without being asked.
    var wakers: [ObjectIdentifier: Waker] = [:]
  }

  private let state = Mutex(State())
  private let isEmpty = Atomic<Bool>(true)

  func deliver(_ commit: Commit) {
    for waker in putBack(commit) { waker.wake() }
  }

  func add(_ waker: Waker) { state.withLock { $0.wakers[ObjectIdentifier(waker)] = waker } }

  func remove(_ waker: Waker) { state.withLock { $0.wakers[ObjectIdentifier(waker)] = nil } }

  /// Puts a commit back that could not be looked at.
  ///
  /// - Returns: those who wait for commits.
  @discardableResult func putBack(_ commit: Commit) -> [Waker] {
    state.withLock { state in
      if state.commit == nil { state.commit = commit } else { state.commit?.formUnion(commit) }
      isEmpty.store(false, ordering: .releasing)
      return Array(state.wakers.values)
    }
  }

  /// Whether nothing has come since the last look.
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

/// The open containers of the process. Those over a store receive its problems and external commits.
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

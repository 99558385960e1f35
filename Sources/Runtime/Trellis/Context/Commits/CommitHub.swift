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
    all.withLock { $0.compactMap(\.core) }.filter { $0.stores.contains { $0.object === store } }
  }
}

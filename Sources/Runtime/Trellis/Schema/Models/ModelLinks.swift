import Foundation

/// The relationships of one model that are held as objects.
struct ModelLinks {
  typealias ListEntry = (slot: Int, list: ModelList)

  /// To-one references by column slot: only while one of the two has no context.
  private var targets: [(slot: Int, model: any PersistentModel)] = []
  /// To-many lists by list slot; most models have one at most.
  private var first: ListEntry?
  private var others: [ListEntry] = []

  func target(_ slot: Int) -> (any PersistentModel)? {
    for target in targets where target.slot == slot { return target.model }
    return nil
  }

  mutating func setTarget(_ slot: Int, _ model: (any PersistentModel)?) {
    guard !targets.isEmpty || model != nil else { return }
    let rest = targets.filter { $0.slot != slot }
    targets = model.map { rest + [(slot, $0)] } ?? rest
  }

  mutating func removeTargets() { targets = [] }
  mutating func removeLists() { setLists([]) }

  /// Replaces every list.
  mutating func setLists(_ lists: [ListEntry]) {
    let old = self
    first = lists.first
    others = Array(lists.dropFirst())
    withExtendedLifetime(old) {}
  }

  /// Keeps the targets that pass the test.
  mutating func keepTargets(where isKept: (any PersistentModel) -> Bool) {
    targets = targets.filter { isKept($0.model) }
  }

  func list(_ slot: Int) -> ModelList? {
    guard let first else { return nil }
    if first.slot == slot { return first.list }
    for other in others where other.slot == slot { return other.list }
    return nil
  }

  // What goes away, goes when the lists are complete again: models that die with it may look here.
  mutating func setList(_ slot: Int, _ list: ModelList?) {
    guard let first, first.slot != slot || !others.isEmpty else {
      self.first = list.map { (slot, $0) }
      return
    }
    if first.slot == slot, let list {
      self.first = (slot, list)
    } else {
      let rest = allLists.filter { $0.slot != slot }
      setLists(list.map { rest + [(slot, $0)] } ?? rest)
    }
  }

  var isEmpty: Bool { targets.isEmpty && first == nil }

  /// Every model this one holds.
  var reachable: [any PersistentModel] {
    targets.map(\.model) + allLists.flatMap { $0.list.models }
  }

  var allLists: [ListEntry] { first.map { [$0] + others } ?? [] }
}

/// Lets models that hold each other in a chain go one after the other.
///
/// Left to itself the release of a model releases those it holds within its own, and a chain of some
/// ten thousand drafts ends the program for want of stack. A few levels may; what is held further down
/// waits until they are done.
enum ChainRelease {
  /// What a thread is releasing.
  private final class Progress {
    var depth = 0
    var waiting: [ModelLinks] = []
  }

  private static let deepest = 16

  /// Where a thread keeps its progress.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { progress in
      guard let progress = progress as UnsafeMutableRawPointer? else { return }
      Unmanaged<Progress>.fromOpaque(progress).release()
    }
    return key
  }()

  /// Releases what a dying model held, and then what that held.
  static func release(_ links: consuming ModelLinks) {
    let progress = current
    guard progress.depth < deepest else { return progress.waiting.append(links) }
    progress.depth += 1
    drop(links)
    if progress.depth == 1 {
      while let next = progress.waiting.popLast() { drop(next) }
    }
    progress.depth -= 1
  }

  private static var current: Progress {
    if let known = pthread_getspecific(key) {
      return Unmanaged<Progress>.fromOpaque(known).takeUnretainedValue()
    }
    let progress = Progress()
    pthread_setspecific(key, Unmanaged.passRetained(progress).toOpaque())
    return progress
  }

  /// The last of its references goes here.
  @inline(never) private static func drop(_ links: consuming ModelLinks) {}
}

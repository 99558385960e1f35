import Foundation

/// The members of a to-many relationship as the owner's context knows them.
///
/// Members are held strongly where their own references back are identifiers. Where lists may lead
/// back to the owner, a saved list keeps identifiers only; see ``ListCycles``.
package class ModelList {
  /// False for a list of identifiers, whose members are looked up on request.
  let isLoaded: Bool
  /// Nil while the members are those of the last load.
  private var known: [PersistentIdentifier]??
  /// The members, without their type: generic code over them is many times slower, because the compiler does not know
  /// the class while this module is compiled.
  private var objects: [AnyObject] {
    get { resting == nil ? loaded : resting?.members ?? [] }
    _modify {
      guard var list = resting else {
        yield &loaded
        return
      }
      let known = list.members
      var members = known ?? []
      yield &members
      // Members that cannot be read now stay, and those that came follow them.
      list.identifiers = (known == nil ? list.identifiers : []) + identifiers(of: members)
      resting = list
    }
  }
  private var loaded: [AnyObject] = []
  /// The members of a list that holds none of them, looked up whenever the list is used.
  private var resting: Resting?
  /// The members again, for quick questions once there are many.
  private var index: Set<ObjectIdentifier>?
  /// Members that were taken out of the list and not yet out of `objects`, all of which is moved once
  /// for all of them.
  private var leaving: Set<ObjectIdentifier> = []

  /// The members' identifiers at the last save or load; nil when not loaded then.
  var committed: [PersistentIdentifier]? {
    get { known ?? identifiers }
    set { known = .some(newValue) }
  }

  init(isLoaded: Bool) {
    self.isLoaded = isLoaded
    known = .some(nil)
  }

  /// A loaded list of objects of the class, each of them once, that is as the store has it: its
  /// identifiers need not be copied before the first change.
  required init(stored members: [AnyObject]) {
    isLoaded = true
    known = nil
    loaded = members
  }

  private struct Resting {
    var identifiers: [PersistentIdentifier]
    /// The members; nil when they cannot be read now.
    let lookUp: ([PersistentIdentifier]) -> [AnyObject]?

    var members: [AnyObject]? { lookUp(identifiers) }
  }

  /// Releases the members of a loaded list: from now on they are looked up whenever the list is used.
  final func rest(_ lookUp: @escaping ([PersistentIdentifier]) -> [AnyObject]?) {
    guard isLoaded, resting == nil else { return }
    settle()
    let old = members
    index = nil
    loaded = []
    resting = Resting(identifiers: identifiers(of: old), lookUp: lookUp)
    withExtendedLifetime(old) {}
  }

  /// Holds the members of a resting list again, if they can be read.
  final func wake() {
    guard let members = resting?.members else { return }
    resting = nil
    loaded = members
  }

  /// Called before the members change.
  private final func settle() {
    if known == nil { known = .some(identifiers) }
  }

  /// The class of the members.
  var memberType: ObjectIdentifier? { nil }
  var models: [any PersistentModel] { [] }
  var identifiers: [PersistentIdentifier] { models.map(\.persistentModelID) }
  /// The identifiers of models of the class of the members.
  fileprivate func identifiers(of members: [AnyObject]) -> [PersistentIdentifier] { [] }
  /// Whether the model is of the class of the members.
  fileprivate func canHold(_ model: any PersistentModel) -> Bool { false }
  /// Takes out every deleted member at once.
  func removeDeleted() {}
  /// Puts the members into the order of these identifiers; others follow.
  func arrange(as identifiers: [PersistentIdentifier]) {}
  func copy() -> ModelList { copied(into: ModelList(isLoaded: isLoaded)) }

  final var count: Int { objects.count - leaving.count }

  /// The members, which are of the class `memberType`.
  final var members: [AnyObject] {
    if !leaving.isEmpty { finishLeaving() }
    return objects
  }

  private final func finishLeaving() {
    let all = objects
    objects = all.filter { !leaving.contains(ObjectIdentifier($0)) }
    leaving = []
    // Members that have no other owner are released here, when the list is complete.
    withExtendedLifetime(all) {}
  }

  final func holds(_ object: AnyObject) -> Bool {
    if index == nil {
      let objects = objects
      // Objects of a resting list may be others the next time.
      if objects.count < 16 || resting != nil { return objects.contains { $0 === object } }
      index = Set(objects.lazy.map { ObjectIdentifier($0) })
    }
    return index?.contains(ObjectIdentifier(object)) ?? false
  }

  final func append(_ model: any PersistentModel) {
    guard canHold(model), !holds(model) else { return }
    settle()
    if leaving.contains(ObjectIdentifier(model)) { finishLeaving() }
    objects.append(model)
    index?.insert(ObjectIdentifier(model))
  }

  final func remove(_ model: any PersistentModel) {
    guard holds(model) else { return }
    settle()
    if index == nil {
      objects = objects.filter { $0 !== model }
    } else {
      index?.remove(ObjectIdentifier(model))
      leaving.insert(ObjectIdentifier(model))
      // Not more are kept alive than there are members.
      if leaving.count > 64, leaving.count > objects.count / 2 { finishLeaving() }
    }
  }

  /// Takes out all of these members at once.
  final func remove(all models: [any PersistentModel]) {
    let gone = Set(models.lazy.map { ObjectIdentifier($0) })
    setMembers(members.filter { !gone.contains(ObjectIdentifier($0)) })
  }

  final func removeAll() { setMembers([]) }

  /// Replaces all members by others of the class.
  fileprivate final func setMembers(_ members: [AnyObject]) {
    settle()
    let old = objects
    objects = members
    index = nil
    leaving = []
    withExtendedLifetime(old) {}
  }

  /// Replaces the members of a range by others of the class, none of which is in the list elsewhere.
  ///
  /// - Parameter whole: what `members` is afterwards, when the caller has that already.
  final func replace(_ range: Range<Int>, with models: [AnyObject], whole: [AnyObject]?) {
    settle()
    let old = members
    if index != nil {
      for member in old[range] { index?.remove(ObjectIdentifier(member)) }
      for member in models { index?.insert(ObjectIdentifier(member)) }
    }
    if let whole { objects = whole } else { objects.replaceSubrange(range, with: models) }
    withExtendedLifetime(old) {}
  }

  fileprivate final func copied(into list: ModelList) -> ModelList {
    list.loaded = members
    list.resting = resting
    list.known = known
    return list
  }
}

final class TypedModelList<M: PersistentModel>: ModelList {
  override init(isLoaded: Bool) { super.init(isLoaded: isLoaded) }

  required init(stored members: [AnyObject]) { super.init(stored: members) }

  var typed: [M] { unsafeBitCast(members, to: [M].self) }

  override var memberType: ObjectIdentifier? { ObjectIdentifier(M.self) }
  override var models: [any PersistentModel] { typed }
  override var identifiers: [PersistentIdentifier] { typed.map(\._$identifier) }
  override func identifiers(of members: [AnyObject]) -> [PersistentIdentifier] {
    unsafeBitCast(members, to: [M].self).map(\._$identifier)
  }
  override func canHold(_ model: any PersistentModel) -> Bool { model is M }
  override func copy() -> ModelList { copied(into: TypedModelList<M>(isLoaded: isLoaded)) }

  override func removeDeleted() {
    let all = typed
    let usable = all.filter(\.isUsableTarget)
    guard usable.count < all.count else { return }
    setMembers(unsafeBitCast(usable, to: [AnyObject].self))
    let gone = Set(all.lazy.filter { $0.phase == .gone }.map(\._$identifier))
    committed?.removeAll(where: gone.contains)
  }

  override func arrange(as identifiers: [PersistentIdentifier]) {
    let places = Dictionary(
      identifiers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let end = identifiers.count
    let arranged = typed.enumerated().sorted { lhs, rhs in
      let left = places[lhs.element._$identifier] ?? end
      let right = places[rhs.element._$identifier] ?? end
      return (left, lhs.offset) < (right, rhs.offset)
    }.map(\.element)
    setMembers(unsafeBitCast(arranged, to: [AnyObject].self))
  }
}

/// A to-many relationship of one model.
struct ListKey: Hashable {
  var owner: PersistentIdentifier
  var slot: Int
}

// MARK: Links

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

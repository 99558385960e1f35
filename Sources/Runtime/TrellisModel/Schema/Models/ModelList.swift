/// A to-many relationship's members in the owner's context.
///
/// The list retains members that refer to the owner only by identifier. If lists may lead from a member back to the
/// owner, a saved list does not retain its members; see ``ListCycles``.
package final class ModelList {
  /// The codec of the members' class.
  package let codec: any ModelCodec
  /// False for a list that contains identifiers and looks up the members on demand.
  package let isLoaded: Bool
  /// The committed identifiers; nil while they are equal to the current members.
  private var known: [PersistentIdentifier]??
  /// The untyped members. Generic code would be many times slower, because the class is unknown when this module is
  /// compiled.
  private var objects: [AnyObject] {
    get { released?.members ?? loaded }
    _modify {
      guard var members = released?.members else {
        yield &loaded
        return
      }
      yield &members
      released?.identifiers = codec.identifiers(of: members)
    }
  }
  private var loaded: [AnyObject] = []
  /// The state for a list that does not retain members and looks them up for each use.
  private var released: ReleasedMembers?
  /// The members as a set, for fast lookups in long lists.
  private var index: Set<ObjectIdentifier>?
  /// Removed members that are still in `objects`, so that the remaining elements are moved only once.
  private var leaving: Set<ObjectIdentifier> = []

  /// The members' identifiers at the last save or load; nil if the list was not loaded then.
  package var committed: [PersistentIdentifier]? {
    get { known ?? identifiers }
    set { known = .some(newValue) }
  }

  /// Creates an empty list.
  init(_ codec: any ModelCodec, isLoaded: Bool) {
    self.codec = codec
    self.isLoaded = isLoaded
    known = .some(nil)
  }

  /// Creates a loaded list that is equal to the stored members, which are unique objects. The identifiers are copied
  /// only before the first change.
  init(_ codec: any ModelCodec, stored members: [AnyObject]) {
    self.codec = codec
    isLoaded = true
    known = nil
    loaded = members
  }

  package func copy() -> ModelList {
    let list = ModelList(codec, isLoaded: isLoaded)
    list.loaded = members
    list.released = released
    list.known = known
    return list
  }

  // MARK: released

  private struct ReleasedMembers {
    var identifiers: [PersistentIdentifier]
    let lookUp: ([PersistentIdentifier]) -> [AnyObject]

    var members: [AnyObject] { lookUp(identifiers) }
  }

  /// Releases a loaded list's members. Afterwards, they are looked up for each use.
  package func releaseMembers(_ lookUp: @escaping ([PersistentIdentifier]) -> [AnyObject]) {
    guard isLoaded, released == nil else { return }
    resolve()
    let old = members
    index = nil
    loaded = []
    released = ReleasedMembers(identifiers: codec.identifiers(of: old), lookUp: lookUp)
    withExtendedLifetime(old) {}
  }

  /// Retains a released list's members again.
  package func retainMembers() {
    loaded = objects
    released = nil
  }

  // MARK: members

  package var count: Int { objects.count - leaving.count }

  /// The members, which are instances of the codec's class.
  package var members: [AnyObject] {
    if !leaving.isEmpty { finishLeaving() }
    return objects
  }

  package var models: [any PersistentModel] { members.map(codec.model(from:)) }
  package var identifiers: [PersistentIdentifier] { codec.identifiers(of: members) }
  /// The identifiers for members that are not deleted.
  package var usableIdentifiers: [PersistentIdentifier] { models.filter(\.isUsableTarget).map(\._$identifier) }

  private func finishLeaving() {
    let all = objects
    objects = all.filter { !leaving.contains(ObjectIdentifier($0)) }
    leaving = []
    // Members that have no other owner are deallocated here, when the list is consistent.
    withExtendedLifetime(all) {}
  }

  package func holds(_ object: AnyObject) -> Bool {
    if index == nil {
      let objects = objects
      // A released list may return different objects for each lookup.
      if objects.count < 16 || released != nil { return objects.contains { $0 === object } }
      index = Set(objects.lazy.map { ObjectIdentifier($0) })
    }
    return index?.contains(ObjectIdentifier(object)) ?? false
  }

  // MARK: changes

  /// Records the committed identifiers. Called before the members change.
  private func resolve() {
    if known == nil { known = .some(identifiers) }
  }

  package func append(_ model: any PersistentModel) {
    guard codec.takes(model), !holds(model) else { return }
    resolve()
    if leaving.contains(ObjectIdentifier(model)) { finishLeaving() }
    objects.append(model)
    index?.insert(ObjectIdentifier(model))
  }

  package func remove(_ model: any PersistentModel) {
    guard holds(model) else { return }
    resolve()
    if index == nil {
      objects = objects.filter { $0 !== model }
    } else {
      index?.remove(ObjectIdentifier(model))
      leaving.insert(ObjectIdentifier(model))
      // Limits how many removed objects are still retained.
      if leaving.count > 64, leaving.count > objects.count / 2 { finishLeaving() }
    }
  }

  /// Removes all given members at once.
  package func remove(all models: [any PersistentModel]) {
    let gone = Set(models.lazy.map { ObjectIdentifier($0) })
    setMembers(members.filter { !gone.contains(ObjectIdentifier($0)) })
  }

  /// Removes every member whose deletion is final.
  package func removeGone() {
    let gone = models.filter { $0.phase == .gone }
    guard !gone.isEmpty else { return }
    remove(all: gone)
    let identifiers = Set(gone.map(\._$identifier))
    committed?.removeAll(where: identifiers.contains)
  }

  /// Sorts the members in the order of the identifiers, followed by all remaining members.
  package func arrange(as identifiers: [PersistentIdentifier]) {
    let places = Dictionary(identifiers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let present = self.identifiers.map { places[$0] ?? identifiers.count }
    let members = members
    setMembers(members.indices.sorted { (present[$0], $0) < (present[$1], $1) }.map { members[$0] })
  }

  /// Replaces all members with unique objects of the class.
  package func setMembers(_ members: [AnyObject]) {
    resolve()
    let old = objects
    objects = members
    index = nil
    leaving = []
    withExtendedLifetime(old) {}
  }

  /// Replaces all members with unique objects of the class.
  ///
  /// - Parameters:
  ///   - old: Previous members that may be missing from the new members.
  ///   - new: New members that may be missing from the previous members.
  package func replace(by members: [AnyObject], removing old: Set<ObjectIdentifier>, adding new: Set<ObjectIdentifier>)
  {
    resolve()
    let former = self.members
    index?.subtract(old)
    index?.formUnion(new)
    objects = members
    withExtendedLifetime(former) {}
  }
}

/// A model's to-many relationship.
package struct ListKey: Hashable {
  var owner: PersistentIdentifier
  var slot: Int

  package init(owner: PersistentIdentifier, slot: Int) {
    self.owner = owner
    self.slot = slot
  }
}

// MARK: Links

/// A model's relationships that are retained as objects.
package struct ModelLinks {
  package typealias ListEntry = (slot: Int, list: ModelList)

  /// To-one targets by column slot. Used only while either model is outside a context.
  private var targets: [(slot: Int, model: any PersistentModel)] = []
  /// To-many lists by list slot.
  package private(set) var allLists: [ListEntry] = []

  package init(targets: [(slot: Int, model: any PersistentModel)] = [], allLists: [ListEntry] = []) {
    self.targets = targets
    self.allLists = allLists
  }

  package func target(_ slot: Int) -> (any PersistentModel)? {
    for target in targets where target.slot == slot { return target.model }
    return nil
  }

  package mutating func setTarget(_ slot: Int, _ model: (any PersistentModel)?) {
    guard !targets.isEmpty || model != nil else { return }
    let rest = targets.filter { $0.slot != slot }
    targets = model.map { rest + [(slot, $0)] } ?? rest
  }

  package mutating func removeTargets() { targets = [] }
  package mutating func removeLists() { setLists([]) }

  // Old values are released after the lists are consistent, because models deallocated with them may access these
  // lists.

  /// Replaces every list.
  package mutating func setLists(_ lists: [ListEntry]) {
    let old = allLists
    allLists = lists
    withExtendedLifetime(old) {}
  }

  /// Keeps the targets that satisfy the condition.
  package mutating func keepTargets(where isKept: (any PersistentModel) -> Bool) {
    targets = targets.filter { isKept($0.model) }
  }

  package func list(_ slot: Int) -> ModelList? {
    for entry in allLists where entry.slot == slot { return entry.list }
    return nil
  }

  package mutating func setList(_ slot: Int, _ list: ModelList?) {
    let old = self.list(slot)
    if let index = allLists.firstIndex(where: { $0.slot == slot }) {
      if let list { allLists[index].list = list } else { allLists.remove(at: index) }
    } else if let list {
      allLists.append((slot, list))
    }
    withExtendedLifetime(old) {}
  }

  package var isEmpty: Bool { targets.isEmpty && allLists.isEmpty }

  /// Every model that this model retains.
  package var reachable: [any PersistentModel] {
    targets.map(\.model) + allLists.flatMap { $0.list.models }
  }
}

/// Deallocates a chain of models that retain each other, one model at a time.
///
/// By default, deallocating a model recursively deallocates the models that it retains, so a chain with about ten
/// thousand drafts overflows the stack. A few nested levels are allowed; links below those wait until they have
/// finished.
enum ChainRelease {
  private static let deepest = 16

  /// Releases a deallocated model's links, followed by the links waiting below it.
  static func release(_ links: consuming ModelLinks) {
    let thread = ThreadState.current
    guard thread.releaseDepth < deepest else { return thread.waitingLinks.append(links) }
    thread.releaseDepth += 1
    drop(links)
    if thread.releaseDepth == 1 {
      while let next = thread.waitingLinks.popLast() { drop(next) }
    }
    thread.releaseDepth -= 1
  }

  /// Releases the last reference.
  @inline(never) private static func drop(_ links: consuming ModelLinks) {}
}

/// The members of a to-many relationship as the owner's context knows them.
///
/// Members are held strongly where their own references back are identifiers. Where lists may lead
/// back to the owner, a saved list keeps identifiers only; see ``ListCycles``.
package final class ModelList {
  /// The codec of the members' class.
  package let codec: any ModelCodec
  /// False for a list of identifiers, whose members are looked up on request.
  package let isLoaded: Bool
  /// Nil while the members are those of the last load.
  private var known: [PersistentIdentifier]??
  /// The members, without their type: generic code over them is many times slower, because the compiler does not know
  /// the class while this module is compiled.
  private var objects: [AnyObject] {
    get { resting?.members ?? loaded }
    _modify {
      guard var members = resting?.members else {
        yield &loaded
        return
      }
      yield &members
      resting?.identifiers = codec.identifiers(of: members)
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
  package var committed: [PersistentIdentifier]? {
    get { known ?? identifiers }
    set { known = .some(newValue) }
  }

  /// An empty list.
  init(_ codec: any ModelCodec, isLoaded: Bool) {
    self.codec = codec
    self.isLoaded = isLoaded
    known = .some(nil)
  }

  /// A loaded list of objects of the class, each of them once, that is as the store has it: its
  /// identifiers need not be copied before the first change.
  init(_ codec: any ModelCodec, stored members: [AnyObject]) {
    self.codec = codec
    isLoaded = true
    known = nil
    loaded = members
  }

  package func copy() -> ModelList {
    let list = ModelList(codec, isLoaded: isLoaded)
    list.loaded = members
    list.resting = resting
    list.known = known
    return list
  }

  // MARK: resting

  private struct Resting {
    var identifiers: [PersistentIdentifier]
    let lookUp: ([PersistentIdentifier]) -> [AnyObject]

    var members: [AnyObject] { lookUp(identifiers) }
  }

  /// Releases the members of a loaded list: from now on they are looked up whenever the list is used.
  package func rest(_ lookUp: @escaping ([PersistentIdentifier]) -> [AnyObject]) {
    guard isLoaded, resting == nil else { return }
    settle()
    let old = members
    index = nil
    loaded = []
    resting = Resting(identifiers: codec.identifiers(of: old), lookUp: lookUp)
    withExtendedLifetime(old) {}
  }

  /// Holds the members of a resting list again.
  package func wake() {
    loaded = objects
    resting = nil
  }

  // MARK: members

  package var count: Int { objects.count - leaving.count }

  /// The members, which are of the class of the codec.
  package var members: [AnyObject] {
    if !leaving.isEmpty { finishLeaving() }
    return objects
  }

  package var models: [any PersistentModel] { members.map(codec.model(from:)) }
  package var identifiers: [PersistentIdentifier] { codec.identifiers(of: members) }
  /// The identifiers of the members that are not deleted.
  package var usableIdentifiers: [PersistentIdentifier] { models.filter(\.isUsableTarget).map(\._$identifier) }

  private func finishLeaving() {
    let all = objects
    objects = all.filter { !leaving.contains(ObjectIdentifier($0)) }
    leaving = []
    // Members that have no other owner are released here, when the list is complete.
    withExtendedLifetime(all) {}
  }

  package func holds(_ object: AnyObject) -> Bool {
    if index == nil {
      let objects = objects
      // Objects of a resting list may be others the next time.
      if objects.count < 16 || resting != nil { return objects.contains { $0 === object } }
      index = Set(objects.lazy.map { ObjectIdentifier($0) })
    }
    return index?.contains(ObjectIdentifier(object)) ?? false
  }

  // MARK: changes

  /// Called before the members change.
  private func settle() {
    if known == nil { known = .some(identifiers) }
  }

  package func append(_ model: any PersistentModel) {
    guard codec.takes(model), !holds(model) else { return }
    settle()
    if leaving.contains(ObjectIdentifier(model)) { finishLeaving() }
    objects.append(model)
    index?.insert(ObjectIdentifier(model))
  }

  package func remove(_ model: any PersistentModel) {
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
  package func remove(all models: [any PersistentModel]) {
    let gone = Set(models.lazy.map { ObjectIdentifier($0) })
    setMembers(members.filter { !gone.contains(ObjectIdentifier($0)) })
  }

  /// Takes out every member whose deletion is final.
  package func removeGone() {
    let gone = models.filter { $0.phase == .gone }
    guard !gone.isEmpty else { return }
    remove(all: gone)
    let identifiers = Set(gone.map(\._$identifier))
    committed?.removeAll(where: identifiers.contains)
  }

  /// Puts the members into the order of these identifiers; others follow.
  package func arrange(as identifiers: [PersistentIdentifier]) {
    let places = Dictionary(identifiers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let present = self.identifiers.map { places[$0] ?? identifiers.count }
    let members = members
    setMembers(members.indices.sorted { (present[$0], $0) < (present[$1], $1) }.map { members[$0] })
  }

  /// Replaces all members by others of the class, each of them once.
  package func setMembers(_ members: [AnyObject]) {
    settle()
    let old = objects
    objects = members
    index = nil
    leaving = []
    withExtendedLifetime(old) {}
  }

  /// Replaces the members by others of the class, each of them once.
  ///
  /// - Parameters:
  ///   - old: members that may not be among them.
  ///   - new: those that may not be in the list yet.
  package func replace(by members: [AnyObject], removing old: Set<ObjectIdentifier>, adding new: Set<ObjectIdentifier>)
  {
    settle()
    let former = self.members
    index?.subtract(old)
    index?.formUnion(new)
    objects = members
    withExtendedLifetime(former) {}
  }
}

/// A to-many relationship of one model.
package struct ListKey: Hashable {
  var owner: PersistentIdentifier
  var slot: Int

  package init(owner: PersistentIdentifier, slot: Int) {
    self.owner = owner
    self.slot = slot
  }
}

// MARK: Links

/// The relationships of one model that are held as objects.
package struct ModelLinks {
  package typealias ListEntry = (slot: Int, list: ModelList)

  /// To-one references by column slot: only while one of the two has no context.
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

  // What goes away, goes when the lists are complete again: models that die with it may look here.

  /// Replaces every list.
  package mutating func setLists(_ lists: [ListEntry]) {
    let old = allLists
    allLists = lists
    withExtendedLifetime(old) {}
  }

  /// Keeps the targets that pass the test.
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

  /// Every model this one holds.
  package var reachable: [any PersistentModel] {
    targets.map(\.model) + allLists.flatMap { $0.list.models }
  }
}

/// Lets models that hold each other in a chain go one after the other.
///
/// Left to itself the release of a model releases those it holds within its own, and a chain of some
/// ten thousand drafts ends the program for want of stack. A few levels may; what is held further down
/// waits until they are done.
enum ChainRelease {
  private static let deepest = 16

  /// Releases what a dying model held, and then what that held.
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

  /// The last of its references goes here.
  @inline(never) private static func drop(_ links: consuming ModelLinks) {}
}

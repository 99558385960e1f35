/// The members of a to-many relationship as the owner's context knows them.
///
/// Members are held strongly where their own references back are identifiers. Where lists may lead
/// back to the owner, a saved list keeps identifiers only; see ``ListCycles``.
class ModelList {
  /// False for a list of identifiers, whose members are looked up when asked for.
  let isLoaded: Bool
  /// The members' identifiers at the last save or load; nil when not loaded then.
  var committed: [PersistentIdentifier]?

  init(isLoaded: Bool) { self.isLoaded = isLoaded }

  var models: [any PersistentModel] { [] }
  var count: Int { 0 }
  func contains(_ model: any PersistentModel) -> Bool { false }
  func append(_ model: any PersistentModel) {}
  func remove(_ model: any PersistentModel) {}
  func removeAll() {}
  /// Takes out every deleted member at once.
  func removeDeleted() {}
  /// Takes out all of these members at once.
  func remove(all models: [any PersistentModel]) {}
  /// Puts the members into the order of these identifiers; others follow.
  func arrange(as identifiers: [PersistentIdentifier]) {}
  func copy() -> ModelList { ModelList(isLoaded: isLoaded) }

  var identifiers: [PersistentIdentifier] { models.map(\.persistentModelID) }
}

final class TypedModelList<M: PersistentModel>: ModelList {
  var members: [M] = []
  /// The members again, for quick questions once there are many.
  private var index: Set<ObjectIdentifier>?

  override var models: [any PersistentModel] { members }
  override var count: Int { members.count }

  override func contains(_ model: any PersistentModel) -> Bool {
    if members.count < 16 { return members.contains { $0 === model } }
    if index == nil { index = Set(members.lazy.map(ObjectIdentifier.init)) }
    return index?.contains(ObjectIdentifier(model)) ?? false
  }

  override func append(_ model: any PersistentModel) {
    guard let model = model as? M, !contains(model) else { return }
    members.append(model)
    index?.insert(ObjectIdentifier(model))
  }

  override func remove(_ model: any PersistentModel) {
    guard contains(model) else { return }
    members.removeAll { $0 === model }
    index?.remove(ObjectIdentifier(model))
  }

  override func removeAll() {
    members = []
    index = nil
  }

  override func copy() -> ModelList {
    let list = TypedModelList<M>(isLoaded: isLoaded)
    list.members = members
    list.committed = committed
    return list
  }

  override func removeDeleted() { removeAll { !$0.isUsableTarget } }

  override func remove(all models: [any PersistentModel]) {
    let gone = Set(models.lazy.map { ObjectIdentifier($0) })
    removeAll { gone.contains(ObjectIdentifier($0)) }
  }

  override func arrange(as identifiers: [PersistentIdentifier]) {
    let places = Dictionary(
      identifiers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let end = identifiers.count
    members = members.enumerated().sorted { lhs, rhs in
      let left = places[lhs.element._$identifier] ?? end
      let right = places[rhs.element._$identifier] ?? end
      return (left, lhs.offset) < (right, rhs.offset)
    }.map(\.element)
  }

  private func removeAll(where isGone: (M) -> Bool) {
    let count = members.count
    members.removeAll(where: isGone)
    if members.count != count { index = nil }
  }

  /// Replaces the members of a range by others, none of which is in the list elsewhere.
  func replace(_ range: Range<Int>, with models: [M]) {
    if index != nil {
      for member in members[range] { index?.remove(ObjectIdentifier(member)) }
      for member in models { index?.insert(ObjectIdentifier(member)) }
    }
    members.replaceSubrange(range, with: models)
  }
}

/// The relationships of one model that are held as objects.
struct ModelLinks {
  /// To-one references by column slot: only while one of the two has no context.
  private var targets: [(slot: Int, model: any PersistentModel)] = []
  /// To-many lists by list slot.
  private var lists: [(slot: Int, list: ModelList)] = []

  func target(_ slot: Int) -> (any PersistentModel)? {
    for target in targets where target.slot == slot { return target.model }
    return nil
  }

  mutating func setTarget(_ slot: Int, _ model: (any PersistentModel)?) {
    targets.removeAll { $0.slot == slot }
    if let model { targets.append((slot, model)) }
  }

  mutating func removeTargets() { targets = [] }
  mutating func removeLists() { lists = [] }

  /// Replaces every list.
  mutating func setLists(_ lists: [(slot: Int, list: ModelList)]) { self.lists = lists }

  /// Drops the targets that can be found by identifier now: those of the same context.
  mutating func releaseTargets(registeredIn context: ModelContext) {
    targets.removeAll { $0.model.ownerContext === context }
  }

  func list(_ slot: Int) -> ModelList? {
    for list in lists where list.slot == slot { return list.list }
    return nil
  }

  mutating func setList(_ slot: Int, _ list: ModelList?) {
    lists.removeAll { $0.slot == slot }
    if let list { lists.append((slot, list)) }
  }

  var isEmpty: Bool { targets.isEmpty && lists.isEmpty }

  /// Every model this one holds.
  var reachable: [any PersistentModel] {
    targets.map(\.model) + lists.flatMap { $0.list.models }
  }

  var allLists: [(slot: Int, list: ModelList)] { lists }
}

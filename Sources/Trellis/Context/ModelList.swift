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

  func replace(with models: [M]) {
    members = models
    index = nil
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

  /// Every model this one holds.
  var reachable: [any PersistentModel] {
    targets.map(\.model) + lists.flatMap { $0.list.models }
  }

  var allLists: [(slot: Int, list: ModelList)] { lists }
}

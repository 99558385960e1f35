/// The members of a to-many relationship as the owner's context knows them.
///
/// Members are held strongly where their own references back are identifiers. Where lists may lead
/// back to the owner, a saved list keeps identifiers only; see ``ListCycles``.
class ModelList {
  /// False for a list of identifiers, whose members are looked up when asked for.
  let isLoaded: Bool
  /// Nil while the members are those of the last load.
  private var known: [PersistentIdentifier]??

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
  }

  /// Called before the members change.
  fileprivate final func settle() {
    if known == nil { known = .some(identifiers) }
  }

  fileprivate final func copyCommitted(from other: ModelList) { known = other.known }

  /// The class of the members.
  var memberType: ObjectIdentifier? { nil }
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
  private(set) var members: [M] = []
  /// The members again, for quick questions once there are many.
  private var index: Set<ObjectIdentifier>?

  override init(isLoaded: Bool) { super.init(isLoaded: isLoaded) }

  required init(stored members: [AnyObject]) {
    self.members = unsafeBitCast(members, to: [M].self)
    super.init(stored: members)
  }

  override var memberType: ObjectIdentifier? { ObjectIdentifier(M.self) }
  override var models: [any PersistentModel] { members }
  override var identifiers: [PersistentIdentifier] { members.map(\._$identifier) }
  override var count: Int { members.count }

  override func contains(_ model: any PersistentModel) -> Bool {
    if members.count < 16 { return members.contains { $0 === model } }
    if index == nil { index = Set(members.lazy.map(ObjectIdentifier.init)) }
    return index?.contains(ObjectIdentifier(model)) ?? false
  }

  override func append(_ model: any PersistentModel) {
    guard let model = model as? M, !contains(model) else { return }
    settle()
    members.append(model)
    index?.insert(ObjectIdentifier(model))
  }

  override func remove(_ model: any PersistentModel) {
    guard contains(model) else { return }
    settle()
    members.removeAll { $0 === model }
    index?.remove(ObjectIdentifier(model))
  }

  override func removeAll() {
    settle()
    members = []
    index = nil
  }

  override func copy() -> ModelList {
    let list = TypedModelList<M>(isLoaded: isLoaded)
    list.members = members
    list.copyCommitted(from: self)
    return list
  }

  override func removeDeleted() { removeAll { !$0.isUsableTarget } }

  override func remove(all models: [any PersistentModel]) {
    let gone = Set(models.lazy.map { ObjectIdentifier($0) })
    removeAll { gone.contains(ObjectIdentifier($0)) }
  }

  override func arrange(as identifiers: [PersistentIdentifier]) {
    settle()
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
    guard members.contains(where: isGone) else { return }
    settle()
    members.removeAll(where: isGone)
    index = nil
  }

  /// Replaces the members of a range by others, none of which is in the list elsewhere.
  func replace(_ range: Range<Int>, with models: [M]) {
    settle()
    if index != nil {
      for member in members[range] { index?.remove(ObjectIdentifier(member)) }
      for member in models { index?.insert(ObjectIdentifier(member)) }
    }
    members.replaceSubrange(range, with: models)
  }
}

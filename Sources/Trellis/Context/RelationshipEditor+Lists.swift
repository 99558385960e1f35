extension RelationshipEditor {
  /// Assigns a to-many relationship.
  ///
  /// A member named twice keeps its first place. What the old and the new list have in common at
  /// both ends is not looked at again: appending one member to a long list costs no more than
  /// finding out that nothing else has changed.
  static func setMembers<M: PersistentModel, D: PersistentModel, Value>(
    of owner: M, slot: Int, to newValue: [D], keyPath: KeyPath<M, Value>
  ) {
    guard owner.isUsableTarget || owner.prepareChange(keyPath) else { return }
    let relation = type(of: owner)._$definition.relations.toMany[slot]
    let known = owner._$state.side?.links.list(slot) as? TypedModelList<D>
    var change = ListAssignment(newValue, to: known)
    change.adopt { RelationshipEditor.adopt($0, for: owner, relation) as? D }
    guard completeList(of: owner, slot, relation) != nil, owner.prepareChange(keyPath) else { return }
    let registrar = owner._$state.side?.registrar
    if let registrar {
      registrar.willSet(owner, keyPath: keyPath)
      guard owner.staysPrepared(keyPath) else { return }
    }
    guard let list = completeList(of: owner, slot, relation) as? TypedModelList<D> else { return }
    if registrar != nil || !change.fits(list) {
      // The list was not in memory, or new models brought members of their own with them, or
      // observers have changed it, saved, or deleted members.
      change = ListAssignment(newValue, to: list)
      change.adopt { RelationshipEditor.adopt($0, for: owner, relation) as? D }
    }
    let (range, members) = change.replacement(in: list)
    let before = list.members[range]
    let old = Set(before.lazy.map { ObjectIdentifier($0) })
    let new = Set(members.lazy.map { ObjectIdentifier($0) })
    asAWhole(owner) {
      list.replace(range, with: members)
      owner.side.changedLists.insert(slot)
      for member in before where !new.contains(ObjectIdentifier(member)) {
        detach(owner, from: member, relation)
      }
      for member in members where !old.contains(ObjectIdentifier(member)) {
        attach(owner, to: member, relation)
      }
    }
    registrar?.didSet(owner, keyPath: keyPath)
  }
}

/// What an assignment changes in a list: the members between those that both ends share.
private struct ListAssignment<D: PersistentModel> {
  private let newValue: [D]
  private var prefix = 0
  private var suffix = 0
  private let count: Int
  private var members: [D] = []

  init(_ newValue: [D], to list: TypedModelList<D>?) {
    self.newValue = newValue
    let old = list.map { $0.isLoaded ? $0.members : [] } ?? []
    count = old.count
    let shorter = min(old.count, newValue.count)
    while prefix < shorter, old[prefix] === newValue[prefix] { prefix += 1 }
    while suffix < shorter - prefix,
      old[old.count - 1 - suffix] === newValue[newValue.count - 1 - suffix]
    { suffix += 1 }
    // A member that is named again at the shared end has its first place before it.
    if suffix > 0, let list,
      newValue[prefix..<newValue.count - suffix].contains(where: { list.contains($0) })
    {
      suffix = 0
    }
  }

  /// Takes the new members over, without those that cannot be and those named twice.
  mutating func adopt(_ adopted: (D) -> D?) {
    var seen = Set<ObjectIdentifier>()
    members = newValue[prefix..<newValue.count - suffix].compactMap { candidate in
      guard let member = adopted(candidate), seen.insert(ObjectIdentifier(member)).inserted else {
        return nil
      }
      return member
    }
  }

  /// Whether the list is still the one this was made for.
  func fits(_ list: TypedModelList<D>) -> Bool {
    list.members.count == count
      && zip(list.members.prefix(prefix), newValue).allSatisfy { $0 === $1 }
  }

  /// The members to be replaced and those to put there.
  func replacement(in list: TypedModelList<D>) -> (Range<Int>, [D]) {
    let range = prefix..<list.members.count - suffix
    guard prefix > 0, members.contains(where: { list.contains($0) }) else { return (range, members) }
    let shared = Set(list.members.prefix(prefix).lazy.map { ObjectIdentifier($0) })
    return (range, members.filter { !shared.contains(ObjectIdentifier($0)) })
  }
}

import Foundation

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
    let given = unsafeBitCast(newValue, to: [AnyObject].self)
    let adopt = { (candidate: AnyObject) -> AnyObject? in
      RelationshipEditor.adopt(unsafeDowncast(candidate, to: D.self), for: owner, relation) as? D
    }
    var change = ListAssignment(given, to: owner._$state.side?.links.list(slot))
    change.adopt(adopt)
    guard completeList(of: owner, slot, relation) != nil else {
      return addToUnread(given.compactMap(adopt), of: owner, relation)
    }
    guard owner.prepareChange(keyPath) else { return }
    let registrar = owner._$state.side?.registrar
    if let registrar {
      registrar.willSet(owner, keyPath: keyPath)
      guard owner.staysPrepared(keyPath) else { return }
    }
    guard let list = completeList(of: owner, slot, relation),
      list.memberType == ObjectIdentifier(D.self)
    else { return }
    if registrar != nil || !change.fits(list) {
      // The list was not in memory, or new models brought their own members with them, or
      // observers have changed it, saved, or deleted members.
      change = ListAssignment(given, to: list)
      change.adopt(adopt)
    }
    let (range, members, whole) = change.replacement(in: list)
    replace(range, of: list, with: members, whole: whole, of: owner, relation)
    registrar?.didSet(owner, keyPath: keyPath)
  }

  /// Replaces list members, and changes the other ends.
  ///
  /// - Parameter whole: the list afterwards, if the caller has that array.
  private static func replace(
    _ range: Range<Int>, of list: ModelList, with members: [AnyObject], whole: [AnyObject]? = nil,
    of owner: any PersistentModel, _ relation: Relation
  ) {
    let codec = relation.destination.codec
    let before = Array(list.members[range])
    let old = Set(before.lazy.map { ObjectIdentifier($0) })
    let new = Set(members.lazy.map { ObjectIdentifier($0) })
    asAWhole(owner) {
      list.replace(range, with: members, whole: whole)
      owner.side.changedLists.insert(relation.slot)
      for member in before where !new.contains(ObjectIdentifier(member)) {
        detach(owner, from: codec.model(from: member), relation)
      }
      for member in members where !old.contains(ObjectIdentifier(member)) {
        attach(owner, to: codec.model(from: member), relation)
      }
    }
  }

  /// Assigns a relationship whose type is known only at run time. Observers are notified afterwards.
  ///
  /// - Parameter members: models in the same context; a single model for a to-one relationship, or none.
  static func assign(_ members: [any PersistentModel], to model: any PersistentModel, _ relation: Relation) {
    let old = relation.isToMany ? nil : currentTarget(of: model, relation.slot, relation)
    if let old, old === members.first { return }
    guard model.prepareChange(relation.property.keyPath) else { return }
    asAWhole(model) {
      PropertyNotification.will(model, relation.property)
      if !relation.isToMany {
        move(model, from: old, to: members.first, relation)
      } else if let list = completeList(of: model, relation.slot, relation) {
        replace(0..<list.count, of: list, with: members, of: model, relation)
      }
    }
  }

  /// Keeps what is given to a list that could not be read, which read as empty. Who was in it stays.
  private static func addToUnread(
    _ members: [AnyObject], of owner: any PersistentModel, _ relation: Relation
  ) {
    asAWhole(owner) {
      for case let member as any PersistentModel in members {
        add(member, to: owner, relation.property)
        attach(owner, to: member, relation)
      }
    }
  }
}

/// What an assignment changes in a list: the members between those that both ends share.
private struct ListAssignment {
  private let newValue: [AnyObject]
  /// The members the list had. Holding them makes sure that another list is another array.
  private let old: [AnyObject]
  private var prefix = 0
  private var suffix = 0
  private var members: [AnyObject] = []
  /// Whether `members` is what was given, as it was given.
  private var isAsGiven = false

  init(_ newValue: [AnyObject], to list: ModelList?) {
    self.newValue = newValue
    old = list.map { $0.isLoaded ? $0.members : [] } ?? []
    let shorter = min(old.count, newValue.count)
    prefix = Self.sharedPrefix(old, newValue)
    while suffix < shorter - prefix,
      old[old.count - 1 - suffix] === newValue[newValue.count - 1 - suffix]
    { suffix += 1 }
    // A member that is named again at the shared end has its first place before it.
    if suffix > 0, let list,
      newValue[prefix..<newValue.count - suffix].contains(where: { list.holds($0) })
    {
      suffix = 0
    }
  }

  /// How many members at the beginning are the same. Most of a long list is compared at once.
  private static func sharedPrefix(_ one: [AnyObject], _ other: [AnyObject]) -> Int {
    let count = min(one.count, other.count)
    return one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        guard let one = one.baseAddress, let other = other.baseAddress else { return 0 }
        let size = MemoryLayout<AnyObject>.stride
        let block = 128
        var prefix = 0
        while prefix + block <= count,
          memcmp(one + prefix * size, other + prefix * size, block * size) == 0
        { prefix += block }
        while prefix < count, memcmp(one + prefix * size, other + prefix * size, size) == 0 {
          prefix += 1
        }
        return prefix
      }
    }
  }

  /// Takes the new members over, without those that cannot be and those named twice.
  mutating func adopt(_ adopted: (AnyObject) -> AnyObject?) {
    var seen = Set<ObjectIdentifier>()
    isAsGiven = true
    members = []
    for candidate in newValue[prefix..<newValue.count - suffix] {
      guard let member = adopted(candidate), seen.insert(ObjectIdentifier(member)).inserted else {
        isAsGiven = false
        continue
      }
      if member !== candidate { isAsGiven = false }
      members.append(member)
    }
  }

  /// Whether the list is still the one this was made for.
  func fits(_ list: ModelList) -> Bool {
    let members = list.members
    guard members.count == old.count else { return false }
    return members.withUnsafeBytes { one in
      old.withUnsafeBytes { other in
        one.baseAddress == other.baseAddress || one.elementsEqual(other)
      }
    }
  }

  /// The members to be replaced, those to put there, and the whole list where it is what was given.
  func replacement(in list: ModelList) -> (Range<Int>, [AnyObject], whole: [AnyObject]?) {
    let range = prefix..<list.count - suffix
    let whole = isAsGiven ? newValue : nil
    guard prefix > 0, members.contains(where: { list.holds($0) }) else {
      return (range, members, whole)
    }
    let shared = Set(list.members.prefix(prefix).lazy.map { ObjectIdentifier($0) })
    return (range, members.filter { !shared.contains(ObjectIdentifier($0)) }, nil)
  }
}

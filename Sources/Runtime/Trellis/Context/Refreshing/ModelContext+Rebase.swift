extension ModelContext {
  /// Reads a changed list again and repeats the change on what is stored now.
  ///
  /// Members are merged one by one. Where only one of the two has moved members, their order is
  /// its; where both have, it is that of this context, and what the other has added stays behind the
  /// member it was put behind.
  func rebase(_ list: ModelList, of owner: any PersistentModel, _ relation: Relation) throws {
    let base = list.committed ?? []
    let stored = try savedMembers(
      of: owner._$identifier, type(of: owner)._$definition, relation.property.slot, relation)
    let own = list.models
    let known = Set(base)
    let ownIdentifiers = Set(own.lazy.map { $0._$identifier })
    let storedIdentifiers = Set(stored.lazy.map { $0._$identifier })
    let isMoved =
      own.lazy.map { $0._$identifier }.filter { known.contains($0) }
      .elementsEqual(base.filter { ownIdentifiers.contains($0) }) == false
    /// Whether neither of the two has taken the member out.
    func stays(_ member: any PersistentModel) -> Bool {
      let identifier = member._$identifier
      guard known.contains(identifier) else { return !hasLeft(member, owner, relation) }
      return ownIdentifiers.contains(identifier) && storedIdentifiers.contains(identifier)
        && !hasLeft(member, owner, relation)
    }
    let (first, second) = isMoved ? (own, stored) : (stored, own)
    list.removeAll()
    for member in Self.merge(first.filter(stays), second.filter(stays)) { list.append(member) }
    list.committed = stored.map(\.persistentModelID)
  }

  /// The members of the first list in their order; each of the others behind the member it follows
  /// in the second list.
  private static func merge(
    _ first: [any PersistentModel], _ second: [any PersistentModel]
  ) -> [any PersistentModel] {
    let places = Dictionary(
      first.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { old, _ in old })
    var leading: [any PersistentModel] = []
    var following: [Int: [any PersistentModel]] = [:]
    var last: Int?
    for member in second {
      if let place = places[ObjectIdentifier(member)] {
        last = place
      } else if let last {
        following[last, default: []].append(member)
      } else {
        leading.append(member)
      }
    }
    guard !leading.isEmpty || !following.isEmpty else { return first }
    return leading + first.enumerated().flatMap { [$1] + (following[$0] ?? []) }
  }
}

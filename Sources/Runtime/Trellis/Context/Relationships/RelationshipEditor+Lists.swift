extension RelationshipEditor {
  /// Assigns a to-many relationship.
  ///
  /// A duplicate member keeps its first position. The common prefix and suffix of the old and new lists are skipped,
  /// so appending a member to a long list costs no more than comparing the two lists.
  static func setMembers<M: PersistentModel, D: PersistentModel, Value>(
    of owner: M, slot: Int, to newValue: [D], keyPath: KeyPath<M, Value>
  ) {
    let relation = type(of: owner)._$definition.relations.toMany[slot]
    let given = unsafeBitCast(newValue, to: [AnyObject].self)
    assign(keyPath, of: owner) { () -> (list: ModelList?, members: [AnyObject])? in
      let members = adopt(given, besides: owner._$state.side?.links.list(slot)) {
        adopt(unsafeDowncast($0, to: D.self), for: owner, relation) as? D
      }
      guard let list = completeList(of: owner, slot, relation) else { return (nil, members) }
      return list.codec === D._$definition.codec ? (list, members) : nil
    } apply: { list, members in
      if let list { return replace(list, by: members, of: owner, relation) }
      // The list was unreadable and appeared empty. Existing members remain.
      for case let member as any PersistentModel in members {
        edit(owner, relation.property, member, isAddition: true)
        attach(owner, to: member, relation)
      }
    }
  }

  /// Returns the new list members, minus duplicates and models that cannot be adopted.
  private static func adopt(
    _ given: [AnyObject], besides list: ModelList?, _ adopted: (AnyObject) -> AnyObject?
  ) -> [AnyObject] {
    let list = list?.isLoaded == true ? list : nil
    let (_, range) = differingRanges(list?.members ?? [], given)
    let members = given[range].compactMap(adopted)
    let isAsGiven = members.count == range.count && zip(members, given[range]).allSatisfy { $0 === $1 }
    let isUnique =
      Set(members.map { ObjectIdentifier($0) }).count == members.count
      && !members.contains { list?.holds($0) == true }
    if isAsGiven && isUnique { return given }
    var seen = Set<ObjectIdentifier>()
    return (given[..<range.lowerBound] + members + given[range.upperBound...]).filter {
      seen.insert(ObjectIdentifier($0)).inserted
    }
  }

  /// Returns the differing ranges of two lists, between the common prefix and suffix.
  private static func differingRanges(_ old: [AnyObject], _ new: [AnyObject]) -> (Range<Int>, Range<Int>) {
    let shorter = min(old.count, new.count)
    var (start, end) = (0, 0)
    while start < shorter, old[start] === new[start] { start += 1 }
    while end < shorter - start, old[old.count - 1 - end] === new[new.count - 1 - end] { end += 1 }
    return (start..<old.count - end, start..<new.count - end)
  }

  /// Replaces list members and updates the inverse.
  private static func replace(
    _ list: ModelList, by members: [AnyObject], of owner: any PersistentModel, _ relation: Relation
  ) {
    let codec = relation.destination.codec
    let present = list.members
    let (left, right) = differingRanges(present, members)
    let (before, after) = (present[left], members[right])
    let old = Set(before.lazy.map { ObjectIdentifier($0) })
    let new = Set(after.lazy.map { ObjectIdentifier($0) })
    list.replace(by: members, removing: old, adding: new)
    owner.side.changedLists.insert(relation.slot)
    for member in before where !new.contains(ObjectIdentifier(member)) {
      detach(owner, from: codec.model(from: member), relation)
    }
    for member in after where !old.contains(ObjectIdentifier(member)) {
      attach(owner, to: codec.model(from: member), relation)
    }
  }

  /// Assigns a relationship whose type is known only at run time. Observers are notified afterwards.
  ///
  /// - Parameter members: Models in the same context; at most a single model for a to-one relationship.
  static func assign(_ members: [any PersistentModel], to model: any PersistentModel, _ relation: Relation) {
    let old = relation.isToMany ? nil : currentTarget(of: model, relation.slot, relation)
    if let old, old === members.first { return }
    guard model.prepareChange(relation.property.keyPath) else { return }
    asAWhole(model) {
      PropertyNotification.will(model, relation.property)
      if !relation.isToMany {
        move(model, from: old, to: members.first, relation)
      } else if let list = completeList(of: model, relation.slot, relation) {
        replace(list, by: members, of: model, relation)
      }
    }
  }
}

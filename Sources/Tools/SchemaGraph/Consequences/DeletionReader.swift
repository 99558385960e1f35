import SchemaModel

/// Follows delete rules from model to model, using each relationship once.
struct DeletionReader {
  let index: ModelIndex
  private var told: Set<String> = []

  init(index: ModelIndex) { self.index = index }

  mutating func deletion(of model: String) -> Deletion? { deletion(of: model, by: nil) }

  /// - Parameter way: The relationship whose cascade reaches the model; `nil` for the first model.
  private mutating func deletion(of model: String, by way: OwnedRelationship?) -> Deletion? {
    guard let entity = index.entity(model) else { return nil }
    var deletion = Deletion(
      model: index.declaration(entity), amount: way?.relationship.isToMany ?? false ? .all : .one,
      cause: way.map(index.declaration))
    let descendants = index.descendants(of: model)
    deletion.submodels = descendants.map(\.name)
    // The consequences depend on the relationship, because its owner is deleted as well.
    guard told.insert("\(model) \(way?.title ?? "")").inserted else {
      deletion.isRepeated = true
      return deletion
    }
    for (owners, isCertain) in [(index.lineage(of: model), true), (descendants, false)] {
      for owner in owners {
        let condition = isCertain ? nil : owner.name
        note(owner.attributes, condition, &deletion)
        for relationship in owner.relationships {
          let one = OwnedRelationship(owner: owner.name, relationship: relationship)
          follow(one, by: way, condition, &deletion)
        }
      }
    }
    for one in index.oneDirectional(to: model) {
      // If the relationship is unique, no other object refers to the deleted object.
      let isWay = one.title == way?.title
      if isWay, one.relationship.isUnique { continue }
      let isCertain = index.isKind(model, of: one.relationship.destination)
      // A reference that has no inverse is cleared, as with `.nullify`.
      loosen(
        one, DeletionConsequence(.nullify, one.relationship.end), cause: nil,
        isCertain ? nil : one.relationship.destination, isOthers: isWay, &deletion)
    }
    return deletion
  }

  private func note(_ attributes: [ResolvedAttribute], _ condition: String?, _ deletion: inout Deletion) {
    for attribute in attributes where !attribute.isTransient {
      let name = condition.map { "\($0).\(attribute.name)" } ?? attribute.name
      if attribute.options.contains(.preserveValueOnDeletion) { deletion.preserved.append(name) }
      if attribute.options.contains(.externalStorage), attribute.type.unwrapped == .scalar(.data) {
        deletion.files.append(name)
      }
    }
  }

  private mutating func follow(
    _ one: OwnedRelationship, by way: OwnedRelationship?, _ condition: String?, _ deletion: inout Deletion
  ) {
    let relationship = one.relationship
    let inverse = index.inverse(of: relationship)
    let isWayBack = way != nil && inverse?.title == way?.title
    // The destination is the object from which the cascade came, which is already recorded.
    if isWayBack, !relationship.isToMany { return }
    let consequence = DeletionConsequence(relationship.deleteRule, inverse?.relationship.end ?? .none)
    switch consequence {
    case .deletion:
      guard var next = self.deletion(of: relationship.destination, by: one) else { return }
      next.condition = condition
      next.isOthers = isWayBack
      deletion.deletions.append(next)
    case .refusal:
      deletion.effects.append(
        DeletionEffect(
          kind: .denied, property: index.declaration(one), cause: index.declaration(one), condition: condition,
          isOthers: isWayBack))
      // A list's minimum count is checked regardless of the delete rule.
      if let inverse, inverse.relationship.isToMany, inverse.relationship.minimumCount ?? 0 > 0 {
        loosen(inverse, .shorterList, cause: one, condition, isOthers: isWayBack, &deletion)
      }
    case .nothing, .clearedReference, .missingReference, .shorterList, .danglingReference:
      guard let inverse else { return }
      loosen(inverse, consequence, cause: one, condition, isOthers: isWayBack, &deletion)
    }
  }

  /// Adds the effect of removing the deleted object from the inverse.
  private func loosen(
    _ end: OwnedRelationship, _ consequence: DeletionConsequence, cause: OwnedRelationship?, _ condition: String?,
    isOthers: Bool, _ deletion: inout Deletion
  ) {
    let minimum = end.relationship.isToMany ? end.relationship.minimumCount ?? 0 : 0
    let kind: DeletionEffect.Kind
    switch consequence {
    case .shorterList: kind = minimum > 0 ? .tooFew : .removedFromList
    case .missingReference: kind = .required
    case .clearedReference: kind = .nullified
    case .danglingReference: kind = end.relationship.isRequired ? .readsPlaceholder : .readsNil
    case .nothing, .deletion, .refusal: return
    }
    deletion.effects.append(
      DeletionEffect(
        kind: kind, property: index.declaration(end), cause: cause.map(index.declaration),
        minimum: minimum > 0 ? minimum : nil, condition: condition, isOthers: isOthers))
  }
}

extension ResolvedRelationship {
  /// The relationship kind, as seen from the inverse.
  fileprivate var end: RelationshipEnd { isToMany ? .list : isRequired ? .requiredReference : .optionalReference }
}

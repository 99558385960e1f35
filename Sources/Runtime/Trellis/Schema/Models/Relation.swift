import DeletionRules

/// A relationship of a model class and the property at its other end.
package final class Relation: Sendable {
  package let property: ModelProperty
  package let destination: ModelDefinition
  /// The property of the destination that mirrors this one; nil for a one-way relationship.
  package let inverse: ModelProperty?
  package let deleteRule: Schema.Relationship.DeleteRule
  /// What the deletion of an owner does to the other end.
  let consequence: DeletionConsequence
  // What loops over many models ask, so that no property is copied for it.
  package let slot: Int
  package let isToMany: Bool
  let inverseSlot: Int
  let inverseIsToMany: Bool
  /// True for a list whose members have positions.
  package let isOrdered: Bool
  /// True for a list that is stored; false for a list that tables derive from to-one references.
  package var storesMembers: Bool { inverse == nil || inverseIsToMany || isOrdered }
  /// Whether a list at the other end may run short when a model leaves it.
  package var endsInBoundedList: Bool { (inverse?.minimumCount ?? 0) > 0 }

  package init?(_ property: ModelProperty) {
    guard let type = property.kind.destination else { return nil }
    self.property = property
    self.destination = type._$definition
    self.deleteRule = property.relationship?.deleteRule ?? .nullify
    self.slot = property.slot
    self.isToMany = property.kind.isToMany
    self.isOrdered = property.relationship?.isOrdered == true
    let layout = destination.layout
    let inverse: ModelProperty?
    if let keyPath = property.relationship?.inverseKeyPath {
      inverse = layout.property(for: keyPath)
    } else {
      inverse = layout.properties.first {
        $0.relationship?.inverseKeyPath == property.keyPath
      }
    }
    self.inverse = inverse
    self.inverseSlot = inverse?.slot ?? -1
    self.inverseIsToMany = inverse?.kind.isToMany ?? false
    let end: RelationshipEnd =
      switch inverse {
      case nil: .none
      case let inverse? where inverse.kind.isToMany: .list
      case let inverse?: inverse.isOptional ? .optionalReference : .requiredReference
      }
    consequence = DeletionConsequence(deleteRule.deletionRule, end)
  }
}

extension Relation {
  /// True if two lists have the same members, and the same order if the list has one.
  package func areSame(_ lhs: [PersistentIdentifier], _ rhs: [PersistentIdentifier]) -> Bool {
    isOrdered ? lhs == rhs : Set(lhs) == Set(rhs)
  }
}

/// The relationships of one model class by slot.
package final class RelationTable: Sendable {
  /// By column slot; nil for attributes.
  package let toOne: [Relation?]
  /// By list slot.
  package let toMany: [Relation]
  package let all: [Relation]
  /// Those with a property at the other end.
  let mirrored: [Relation]
  let hasMirroredReferences: Bool
  /// The to-one relationships alone.
  package let references: [Relation]
  /// Those a save has to judge: required ones, and lists with bounds.
  package let checked: [Relation]
  /// Those whose other end is a list that must not run short.
  let bounding: [Relation]

  package init(of layout: ModelLayout) {
    toOne = layout.columns.map { $0.kind.isRelationship ? Relation($0) : nil }
    toMany = layout.lists.compactMap { Relation($0) }
    references = toOne.compactMap { $0 }
    all = references + toMany
    mirrored = all.filter { $0.inverse != nil }
    hasMirroredReferences = references.contains { $0.inverse != nil }
    checked = all.filter { relation in
      relation.property.kind.isToMany
        ? relation.property.minimumCount > 0 || relation.property.maximumCount > 0
        : !relation.property.isOptional
    }
    bounding = all.filter(\.endsInBoundedList)
  }

  package func relation(for property: ModelProperty) -> Relation? {
    property.kind.isToMany ? toMany[property.slot] : toOne[property.slot]
  }
}

extension Schema.Relationship.DeleteRule {
  fileprivate var deletionRule: DeletionRule {
    switch self {
    case .nullify: .nullify
    case .cascade: .cascade
    case .deny: .deny
    case .noAction: .noAction
    }
  }
}

extension ModelProperty {
  /// The fewest members of a to-many relationship; 0 without a bound.
  package var minimumCount: Int { kind.isToMany ? relationship?.minimumModelCount ?? 0 : 0 }
  /// The most members of a to-many relationship; 0 without a bound.
  package var maximumCount: Int { kind.isToMany ? relationship?.maximumModelCount ?? 0 : 0 }
}

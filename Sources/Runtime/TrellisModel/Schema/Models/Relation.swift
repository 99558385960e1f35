package import SchemaFacts

/// A model class's relationship and the inverse property.
package final class Relation: Sendable {
  package let property: ModelProperty
  package let destination: ModelDefinition
  /// The destination's inverse property; nil for a one-way relationship.
  package let inverse: ModelProperty?
  /// The consequence of an owner's deletion for related models.
  package let consequence: DeletionConsequence
  package var slot: Int { property.slot }
  package var isToMany: Bool { property.kind.isToMany }
  package var inverseSlot: Int { inverse?.slot ?? -1 }
  package var inverseIsToMany: Bool { inverse?.kind.isToMany ?? false }
  /// True if the list is ordered.
  package let isOrdered: Bool
  /// True if the members are stored; false if they are derived from the inverse to-one references.
  package var storesMembers: Bool { inverse == nil || inverseIsToMany || isOrdered }
  /// True if removing a model may reduce the inverse list below the minimum count.
  package var endsInBoundedList: Bool { (inverse?.minimumCount ?? 0) > 0 }

  package init?(_ property: ModelProperty) {
    guard let type = property.kind.destination else { return nil }
    self.property = property
    self.destination = type._$definition
    self.isOrdered = property.relationship?.isOrdered == true
    let layout = destination.layout
    if let keyPath = property.relationship?.inverseKeyPath {
      inverse = layout.property(for: keyPath)
    } else {
      inverse = layout.properties.first {
        $0.relationship?.inverseKeyPath == property.keyPath
      }
    }
    let end: RelationshipEnd =
      switch inverse {
      case nil: .none
      case let inverse? where inverse.kind.isToMany: .list
      case let inverse?: inverse.isOptional ? .optionalReference : .requiredReference
      }
    let rule = property.relationship.flatMap { DeleteRule(rawValue: $0.deleteRule.rawValue) }
    consequence = DeletionConsequence(rule ?? .nullify, end)
  }
}

extension Relation {
  /// Returns the violation if `.deny` rejects an owner's deletion.
  ///
  /// - Parameter others: The related models.
  package func denial(of owner: PersistentIdentifier, by others: [PersistentIdentifier]) -> SwiftDataError.Violation {
    SwiftDataError.Violation(
      model: owner, properties: [property.name], rule: .deny,
      reason: property.relationship?.denyMessage ?? "cannot be deleted while it is related to", others: others)
  }

  /// True if two lists have the same members, and the same order if the list is ordered.
  package func areSame(_ lhs: [PersistentIdentifier], _ rhs: [PersistentIdentifier]) -> Bool {
    isOrdered ? lhs == rhs : Set(lhs) == Set(rhs)
  }
}

/// A model class's relationships by slot.
package final class RelationTable: Sendable {
  /// To-one relationships by column slot; nil for attributes.
  package let toOne: [Relation?]
  /// To-many relationships by list slot.
  package let toMany: [Relation]
  package let all: [Relation]
  /// Relationships with an inverse property.
  package let mirrored: [Relation]
  package let hasMirroredReferences: Bool
  /// To-one relationships.
  package let references: [Relation]
  /// Relationships that a save validates: required references, and lists with bounds.
  package let checked: [Relation]

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
  }

  package func relation(for property: ModelProperty) -> Relation? {
    property.kind.isToMany ? toMany[property.slot] : toOne[property.slot]
  }
}

extension ModelProperty {
  /// A to-many relationship's minimum member count; 0 if unbounded.
  package var minimumCount: Int { kind.isToMany ? relationship?.minimumModelCount ?? 0 : 0 }
  /// A to-many relationship's maximum member count; 0 if unbounded.
  package var maximumCount: Int { kind.isToMany ? relationship?.maximumModelCount ?? 0 : 0 }
}

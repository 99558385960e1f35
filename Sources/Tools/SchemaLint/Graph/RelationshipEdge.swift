package import SchemaModel

/// A relationship as an edge between two models.
package struct RelationshipEdge: Sendable, Equatable {
  /// The model that declares it.
  package let owner: String
  package let relationship: ResolvedRelationship
  /// Its place in the graph's list.
  package let index: Int
  /// The place of the other side of the pair.
  package internal(set) var inverse: Int?

  /// `Trip.bucketList`
  package var title: String { "\(owner).\(relationship.name)" }

  package var isToMany: Bool {
    switch relationship.cardinality {
    case .toOne: false
    case .toMany: true
    }
  }

  /// Whether there is always exactly one model at the end.
  package var isRequired: Bool {
    switch relationship.cardinality {
    case .toOne(let isOptional): !isOptional
    case .toMany: false
    }
  }

  package func has(_ rule: DeleteRule) -> Bool { relationship.deleteRule == rule }
}

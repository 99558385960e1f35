package import SchemaModel

/// A relationship as an edge between two models.
package struct RelationshipEdge: Sendable {
  /// The model that declares the relationship.
  package let owner: String
  package let relationship: ResolvedRelationship
  /// The index in the graph's edge list.
  package let index: Int
  /// The inverse's index.
  package internal(set) var inverse: Int?

  /// For example `Trip.bucketList`.
  package var title: String { "\(owner).\(relationship.name)" }

  package var isToMany: Bool { relationship.isToMany }

  /// True if there is always a destination.
  package var isRequired: Bool { relationship.isRequired }

  package func has(_ rule: DeleteRule) -> Bool { relationship.deleteRule == rule }
}

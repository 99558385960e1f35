/// Asks a store for the members of a to-many relationship.
struct DataStoreRelatedRequest: Sendable {
  /// Models of one entity or of those that inherit from it, all of them in the store.
  let owners: [PersistentIdentifier]
  /// The entity that has the relationship.
  let entityName: String
  /// The number of the relationship among the to-many relationships of the entity.
  let slot: Int
  /// The context that asks.
  let editingState: EditingState
}

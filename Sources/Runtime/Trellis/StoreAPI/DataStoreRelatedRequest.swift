/// A request for the members of a to-many relationship.
struct DataStoreRelatedRequest: Sendable {
  /// Models of one entity or its subentities. The store contains all of them.
  let owners: [PersistentIdentifier]
  /// The entity that declares the relationship.
  let entityName: String
  /// The index of the relationship among the to-many relationships of the entity.
  let slot: Int
  /// The context that sends the request.
  let editingState: EditingState
}

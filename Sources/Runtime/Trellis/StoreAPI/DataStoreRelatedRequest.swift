/// A request for the members of a to-many relationship.
package struct DataStoreRelatedRequest: Sendable {
  /// Models of one entity or its subentities. The store contains all of them.
  package let owners: [PersistentIdentifier]
  /// The entity that declares the relationship.
  package let entityName: String
  /// The index of the relationship among the to-many relationships of the entity.
  package let slot: Int
  /// The context that sends the request.
  package let editingState: EditingState

  package init(owners: [PersistentIdentifier], entityName: String, slot: Int, editingState: EditingState) {
    self.owners = owners
    self.entityName = entityName
    self.slot = slot
    self.editingState = editingState
  }
}

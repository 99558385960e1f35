/// A store that hands out rows instead of snapshots, so that nothing is copied twice and rows of
/// models a context already knows are not decoded.
///
/// Every other store is asked through ``DataStore/fetch(_:)``. Rows are valid inside the closure
/// only.
public protocol DataStoreStreaming: DataStore where Snapshot == DefaultSnapshot {
  /// Calls `row` for every match, in order.
  ///
  /// - Throws: as ``DataStore/fetch(_:)``, before the first row.
  func stream<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, row: (inout StatementRow) throws -> Void
  ) throws

  /// Calls `row` for every member of a to-many relationship: owner by owner, in any order of the
  /// owners, the members of each in theirs: by position when ordered, else by key.
  func streamRelated(
    _ request: DataStoreRelatedRequest,
    row: (_ owner: PersistentIdentifier, _ member: inout StatementRow) throws -> Void
  ) throws

  /// Calls `row` for each of the models that exists, in any order.
  ///
  /// The models are of one entity of the store or of those that inherit from it.
  func stream(
    _ identifiers: [PersistentIdentifier], editingState: EditingState,
    row: (inout StatementRow) throws -> Void
  ) throws
}

/// Asks a store for the members of a to-many relationship.
public struct DataStoreRelatedRequest: Sendable {
  /// Models of one entity or of those that inherit from it, all of them in the store.
  public let owners: [PersistentIdentifier]
  /// The entity that has the relationship.
  public let entityName: String
  /// The number of the relationship among the to-many relationships of the entity.
  public let slot: Int
  /// The context that asks.
  public let editingState: EditingState

  /// A request.
  public init(
    owners: [PersistentIdentifier], entityName: String, slot: Int, editingState: EditingState
  ) {
    self.owners = owners
    self.entityName = entityName
    self.slot = slot
    self.editingState = editingState
  }
}

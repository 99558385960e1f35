public import Foundation

/// A request for models.
public struct DataStoreFetchRequest<T: PersistentModel>: Sendable {
  /// The models to fetch and their order.
  public let descriptor: FetchDescriptor<T>
  /// The context that sends the request.
  public let editingState: EditingState

  /// Creates a request. Unlike in SwiftData, the initialiser is public, so that stores can be called without a context.
  public init(descriptor: FetchDescriptor<T>, editingState: EditingState) {
    self.descriptor = descriptor
    self.editingState = editingState
  }
}

/// A request to write the changes of one save.
///
/// Inserted snapshots have temporary identifiers and refer to each other by these identifiers, in any order and with
/// cycles. All other snapshots refer to permanent identifiers or to inserted snapshots.
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot>: Sendable {
  /// The new models, with temporary identifiers.
  public let inserted: [SnapshotType]
  /// The changed models.
  public let updated: [SnapshotType]
  /// The deleted models with their last known values.
  public let deleted: [SnapshotType]
  /// The context that sends the request.
  public let editingState: EditingState
  /// Rows to delete that have no registered object. Only stores that find such rows themselves receive them.
  package var deletedRows: [DeletedRows.Group] = []
  /// True if the history must not record the save.
  package var isTimeless = false
  /// The values of the updated models that the context read before it changed them, at the positions of `updated`.
  /// Empty if the conflict policy needs no comparison.
  package var committed: [FormerRow?] = []
  /// The references that the store clears because of deletions. Recorded in the history.
  package var clearedRows: [DeletedRows.Cleared] = []

  /// Creates a request. Unlike in SwiftData, the initialiser is public, so that stores can be called without a context.
  public init(
    inserted: [SnapshotType], updated: [SnapshotType], deleted: [SnapshotType],
    editingState: EditingState
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.editingState = editingState
  }
}

/// A request to delete by predicate.
public struct DataStoreBatchDeleteRequest<T: PersistentModel>: Sendable {
  /// The condition of the models to delete; nil deletes all models of the type.
  public let predicate: Predicate<T>?
  /// True if models of subclasses are deleted as well.
  public let includeSubclasses: Bool
  /// The context that sends the request.
  public let editingState: EditingState

  /// Creates a request. Unlike in SwiftData, the initialiser is public, so that stores can be called without a context.
  public init(
    predicate: Predicate<T>?, includeSubclasses: Bool = true, editingState: EditingState
  ) {
    self.predicate = predicate
    self.includeSubclasses = includeSubclasses
    self.editingState = editingState
  }
}

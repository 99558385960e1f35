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
  /// True if new models overwrite the rows with their unique values, whatever the policies of the constraints say.
  package var overwritesConflicts = false
  /// The values of the updated models that the context read before it changed them, at the positions of `updated`.
  /// Empty if the conflict policy needs no comparison.
  package var committed: [FormerRow?] = []
  /// The version of the data that the delete rules were applied to; nil if the save deletes nothing.
  package var dataVersion: DataVersion?
  /// True if the context has not looked for the commits of others. The store looks, and throws ``UnseenCommits`` if it
  /// finds some.
  package var looksForCommits = false
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

/// The version of a store's data.
package struct DataVersion: Sendable {
  /// Increases with each commit to the store; nil if the store cannot observe all commits.
  package var number: UInt64?

  package init(number: UInt64? = nil) { self.number = number }

  /// True if no other connection can have committed between the two versions.
  package func isSame(as other: DataVersion) -> Bool { number != nil && number == other.number }
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

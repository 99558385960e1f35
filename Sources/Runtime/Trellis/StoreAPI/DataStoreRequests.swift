public import Foundation

/// Asks a store for models.
public struct DataStoreFetchRequest<T: PersistentModel>: Sendable {
  /// What to fetch.
  public let descriptor: FetchDescriptor<T>
  /// The context that asks.
  public let editingState: EditingState

  /// Departing from SwiftData, stores can be called without a context.
  public init(descriptor: FetchDescriptor<T>, editingState: EditingState) {
    self.descriptor = descriptor
    self.editingState = editingState
  }
}

/// Asks a store to write the changes of one save.
///
/// Inserted snapshots have temporary identifiers and refer to each other by them, in any order and
/// in circles. References of all other snapshots are to permanent identifiers or to inserted ones.
public struct DataStoreSaveChangesRequest<SnapshotType: DataStoreSnapshot>: Sendable {
  /// The new models, with temporary identifiers.
  public let inserted: [SnapshotType]
  /// The changed models.
  public let updated: [SnapshotType]
  /// The deleted models, as they were last known.
  public let deleted: [SnapshotType]
  /// The context that asks.
  public let editingState: EditingState
  /// More rows to delete, those nobody has an object of: of stores that know them only.
  var deletedRows: [DeletedRows.Group] = []
  /// Whether not even the time of the save is written down: the store is to be always the same.
  var isTimeless = false
  /// What the context had read of the updated models when they were changed, at the same positions; empty
  /// where nobody compares.
  var committed: [FormerRow?] = []
  /// The data that the delete rules were applied to; nil if the save deletes nothing.
  var dataVersion: DataVersion?
  /// The references of rows that the store clears because of that, for its history.
  var clearedRows: [DeletedRows.Cleared] = []

  /// Departing from SwiftData, stores can be called without a context.
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

/// The state of the data of a store.
struct DataVersion: Sendable {
  /// Increases with each commit to the store; nil if the store cannot observe all commits.
  var number: UInt64?

  /// False if another connection may have committed between the two versions.
  func isSame(as other: DataVersion) -> Bool { number != nil && number == other.number }
}

/// Asks a store to delete by predicate.
public struct DataStoreBatchDeleteRequest<T: PersistentModel>: Sendable {
  /// What the models must satisfy; nil for all models of the type.
  public let predicate: Predicate<T>?
  /// Whether models of subclasses are deleted as well.
  public let includeSubclasses: Bool
  /// The context that asks.
  public let editingState: EditingState

  /// Departing from SwiftData, stores can be called without a context.
  public init(
    predicate: Predicate<T>?, includeSubclasses: Bool = true, editingState: EditingState
  ) {
    self.predicate = predicate
    self.includeSubclasses = includeSubclasses
    self.editingState = editingState
  }
}

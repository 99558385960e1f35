/// A change of a store that no context of the container has saved, for example an edited file or rows received from a
/// server.
///
///     store.notifyExternalChange(DataStoreExternalChange(updated: [identifier]))
///
/// Contexts read the changed registered models again and treat missing models as deleted. Pending changes stay pending.
/// ``ResultsObserver``s fetch again if the change can affect their results. SwiftData has no equivalent.
public struct DataStoreExternalChange: Sendable, Hashable {
  /// Inserted models.
  public var inserted: [PersistentIdentifier]
  /// Models whose values can have changed.
  public var updated: [PersistentIdentifier]
  /// Deleted models.
  public var deleted: [PersistentIdentifier]
  /// Entities with inserted, updated or deleted models that are not listed.
  public var entityNames: Set<String>
  /// True if any model can have changed. Contexts then read every registered model again, which is slow.
  public var isEverything: Bool

  /// Creates a change of known models and entities.
  ///
  /// The destinations of changed relationships can be left out, because contexts read relationships again.
  public init(
    inserted: [PersistentIdentifier] = [], updated: [PersistentIdentifier] = [],
    deleted: [PersistentIdentifier] = [], entityNames: Set<String> = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.entityNames = entityNames
    self.isEverything = false
  }

  /// A change of unknown extent.
  public static var everything: DataStoreExternalChange {
    var change = DataStoreExternalChange()
    change.isEverything = true
    return change
  }
}

/// What has changed in a store other than by a save of the contexts that use it: somebody has edited
/// the file, a server has sent rows.
///
///     store.notifyExternalChange(DataStoreExternalChange(updated: [identifier]))
///
/// Contexts read registered models among the changed ones again and take those that are gone for
/// deleted; pending changes stay pending. ``ResultsObserver``s fetch again where the change may matter
/// to them. Not in SwiftData, where nothing of the kind exists.
public struct DataStoreExternalChange: Sendable, Hashable {
  /// Models that have come.
  public var inserted: [PersistentIdentifier]
  /// Models that may have other values.
  public var updated: [PersistentIdentifier]
  /// Models that are gone.
  public var deleted: [PersistentIdentifier]
  /// Entities any of whose models may have come, changed or gone.
  public var entityNames: Set<String>
  /// Whether anything may have changed. The most expensive answer: every registered model is read again.
  public var isEverything: Bool

  /// A change of known extent. The other ends of relationships need not be named: lists
  /// are read again.
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

  /// A change nothing is known of.
  public static var everything: DataStoreExternalChange {
    var change = DataStoreExternalChange()
    change.isEverything = true
    return change
  }
}

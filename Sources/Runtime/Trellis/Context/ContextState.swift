/// The state of a ``ModelContext``: registered models, pending changes and observers.
///
/// ``ModelContext`` is declared below the stores, which do not use its state.
final class ContextState: ContextStorage {
  /// The stores of the container.
  let core: ContainerCore
  /// The container; see ``container``.
  var owner: ContextOwner
  var editingState: EditingState = EditingState()
  var conflictPolicy: ConflictPolicy?
  var autosavePolicy = ModelContext.AutosavePolicy()
  /// Whether this is the main context of a container.
  let isMain: Bool
  /// One identity map for each root entity in use.
  var tables: [ObjectIdentifier: IdentityTable] = [:]
  /// The table that was requested last.
  var lastTable: (definition: ModelDefinition, table: IdentityTable)?
  /// The to-many relationship that a handle was made of last.
  var lastList: (keyPath: AnyKeyPath, definition: ModelDefinition, slot: Int)?
  /// True once a save gave new models permanent identifiers.
  var hasSavedInsertions = false
  /// The context that has saved them, if it is not this one; see ``ModelContext/withStoredValues(_:)``.
  var identifierSource: ModelContext?
  let probe: TrackingProbe
  var pending: PendingChanges = PendingChanges()
  /// Whether the row of a model with pending changes may be gone; see `ModelContext+LostRows.swift`.
  var hasLostRows: Bool = false
  /// The content of the notifications of the last save.
  @exclusivity(unchecked) var notification: SaveNotification = SaveNotification()
  /// Failed reads since the last rollback.
  var failedReads: FailedReads = FailedReads()
  /// Models that an edit has left and could not read; see ``settleUnreadEnds()``.
  var unreadEnds: [PersistentIdentifier: ModelDefinition] = [:]
  // No code outside of `FormerValues` runs during an access.
  @exclusivity(unchecked) var former: FormerValues = FormerValues()
  /// Commits of other contexts that this one has not read yet.
  let mailbox: CommitMailbox
  var occupancy: ContextOccupancy { probe.occupancy }
  /// The actor that uses the context, if known; see `ModelContext+Isolation.swift`.
  weak var isolation: (any Actor)?
  /// Observers of the changes of this context; nil without any.
  var watchers: ContextWatchers? { didSet { noteListeners() } }
  /// How many saves have written something, and how many transactions are running.
  var saves: Int = 0
  var transactionDepth: Int = 0
  /// Commits of other contexts that this one has read since the transaction began.
  var readInTransaction: Commit?
  /// Rows read before they are requested.
  var ahead: ReadAhead = ReadAhead()
  var isSaving: Bool = false
  /// True while a custom store saves changes of this context. Changes by the store are refused, because the save would
  /// mark them as saved.
  var isInStore: Bool = false { didSet { noteListeners() } }
  /// Notifications that are delivered at the end of the running operation.
  var held: HeldNotifications?
  /// The undo manager and autosave; nil without both.
  var monitor: ChangeMonitor? { didSet { noteListeners() } }
  /// The batch of snapshots that the context saves; nil for the contexts of programs.
  var batch: BatchSave?
  /// Rows that a running save deletes without objects.
  var deletedRows: DeletedRows?
  /// Models that a running save has read and retains until its end.
  var keepAlive: [any PersistentModel] = []
  /// This context while registered models keep it and the program has released it.
  var keptByModels: ModelContext?
  /// True if the changes could not be saved when the program released the context.
  var isUnsavable: Bool = false
  /// Insertions that were rolled back and may hold registered models in their lists.
  var rolledBack: [LooseModel] = []

  /// - Parameter isMain: true for the main context of a container, which saves on its own.
  init(_ core: ContainerCore, _ owner: ContextOwner, isMain: Bool) {
    self.isMain = isMain
    self.owner = owner
    self.core = core
    probe = TrackingProbe()
    mailbox = CommitMailbox()
    super.init()
    core.hub.join(mailbox)
    for store in core.stores { store.initializeState(for: editingState) }
  }

  override func contextIsReleased(_ context: ModelContext) {
    guard !context.isNeededAfterRelease else { return context.handOver() }
    if monitor?.autosave != nil, pending.hasChanges {
      ModelIssue.unsavedChanges(
        count: pending.inserted.count + pending.changed.count + pending.deleted.count + pending.rowCount
      ).report()
    }
    for table in tables.values { table.close() }
    core.hub.leave(mailbox)
    for store in core.stores { store.invalidateState(for: editingState) }
  }

  /// Called when an observer of all writes is added or removed.
  func noteListeners() {
    probe.hasListeners =
      monitor != nil || watchers != nil || pending.index != nil || isInStore
  }
}

/// The container of a context, which a layer above declares.
struct ContextOwner {
  /// The container, or the main context that leads to it; nil in a main context, which its container retains.
  let retained: AnyObject?
  /// The container, where the context does not retain it.
  weak var container: AnyObject?

  init(retained: AnyObject) { self.retained = retained }

  /// The owner of a main context.
  init(unretained container: AnyObject) {
    retained = nil
    self.container = container
  }
}

/// The state of a ``ModelContext``: registered models, pending changes and observers.
///
/// ``ModelContext`` is declared below the stores, which do not use its state. A context retains its state. The state
/// does not retain its context. It retains models with pending changes while the app holds a context, and
/// itself while models are registered that need it without a context. So there is no cycle.
final class ContextState: ContextStorage {
  @exclusivity(unchecked) var handle: Unmanaged<ModelContext>?
  /// True while the program holds a context.
  @exclusivity(unchecked) var isHeld = true
  /// The state itself while registered models need it and the program holds no context.
  @exclusivity(unchecked) var keptByModels: ContextState?
  /// The program's context, or one for the running operation.
  var context: ModelContext { handle?.takeUnretainedValue() ?? ModelContext(self) }
  /// The stores of the container.
  let core: ContainerCore
  /// The container, or a main context that leads to it; nil in a main context, which its container retains.
  let owner: AnyObject?
  /// The container of a main context.
  weak var container: AnyObject?
  var editingState: EditingState = EditingState()
  var conflictPolicy: ConflictPolicy?
  var autosavePolicy = ModelContext.AutosavePolicy()
  /// Whether this is the main context of a container, which saves on its own.
  var isMain: Bool { owner == nil }
  /// One identity map for each root entity in use.
  var tables: [ObjectIdentifier: IdentityTable] = [:]
  /// The table that was requested last.
  var lastTable: (definition: ModelDefinition, table: IdentityTable)?
  /// The to-many relationship that a handle was made of last.
  var lastList: (keyPath: AnyKeyPath, definition: ModelDefinition, slot: Int)?
  /// True if the running query has read the store, and so meets new commits by itself.
  var hasAskedStore = false
  /// True once a save gave new models permanent identifiers.
  var hasSavedInsertions = false
  /// The context that has saved them, if it is not this one; see ``ModelContext/withStoredValues(_:)``.
  var identifierSource: ModelContext?
  let probe: TrackingProbe
  var pending: PendingChanges = PendingChanges()
  /// Failed reads since the last rollback.
  var failedReads: FailedReads = FailedReads()
  /// Models that an edit has left and could not read; see ``settleUnreadEnds()``.
  var unreadEnds: [PersistentIdentifier: ModelDefinition] = [:]
  // No code outside of `FormerValues` runs during an access.
  @exclusivity(unchecked) var former: FormerValues = FormerValues()
  /// Commits of other contexts that this one has not read yet.
  let mailbox: CommitMailbox
  /// The actor that uses the context, if known.
  weak var isolation: (any Actor)?
  /// Observers of the changes of this context; nil if missing.
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
  /// Records the changes for an undo manager; nil if missing.
  var undo: UndoRecorder? { didSet { noteListeners() } }
  var autosave: Autosaver? { didSet { noteListeners() } }
  /// The batch of snapshots that the context saves; nil for the contexts of programs.
  var batch: BatchSave?
  /// Rows that a running save deletes without objects.
  var deletedRows: DeletedRows?
  /// Models that a running save has read and retains until its end.
  var keepAlive: [any PersistentModel] = []
  /// True if the changes could not be saved when the app released the context.
  var isUnsavable: Bool = false

  /// - Parameters:
  ///   - owner: the container, or a main context that leads to it; nil for a main context.
  ///   - container: the container of a main context.
  init(_ core: ContainerCore, _ owner: AnyObject?, container: AnyObject? = nil) {
    self.owner = owner
    self.container = container
    self.core = core
    probe = TrackingProbe()
    mailbox = CommitMailbox()
    core.hub.join(mailbox)
    for handle in core.stores {
      handle.serialised { handle.store.initializeState(for: editingState) }
    }
  }

  deinit {
    core.hub.leave(mailbox)
    for handle in core.stores {
      handle.serialised { handle.store.invalidateState(for: editingState) }
    }
  }

  /// Called when an observer of all writes is added or removed.
  func noteListeners() {
    probe.hasListeners =
      undo != nil || autosave != nil || watchers != nil || pending.index != nil || isInStore
  }

  // MARK: lifetime

  func handleIsReleased() {
    if isHeld {
      watchers = nil
      // Steps hold models, so an undo manager ends with the context that it was given to.
      undo = nil
      autosave?.rest()
      if autosave != nil, pending.hasChanges, !isUnsavable {
        // Observers of the save may keep the context.
        let context = ModelContext(self)
        isUnsavable = !context.saveByItself()
        return
      }
      let count = pending.count
      // Lists that lead back to their owners would keep all of them.
      for (owner, relation, list) in pending.heldLists(where: core.listCycles.mayClose) {
        list.rest { [weak self] in self?.context.readMembers($0, of: owner, relation) ?? [] }
      }
      releasePendingModels()
      isHeld = false
      pending.recount()
      if pending.count < count { ModelIssue.unsavedChanges(count: count - pending.count).report() }
    }
    keptByModels = tables.values.contains { $0.count > 0 } ? self : nil
  }

  /// Lets go of the models with pending changes. They are released before the function returns.
  @inline(never) private func releasePendingModels() {
    let held = pending
    pending.letGo()
    withExtendedLifetime(held) {}
  }
}

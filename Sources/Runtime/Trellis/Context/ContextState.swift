/// The state of a ``ModelContext``: registered models, pending changes and observers.
///
/// ``ModelContext`` is declared in a layer below the stores, which do not use this state. A context retains its state,
/// but the state does not retain its context. While the app holds a context, the state retains models with pending
/// changes. After the context has been released, the state retains itself as long as registered models need it.
/// Therefore no reference cycle remains.
final class ContextState: ContextLifetime {
  /// The container's stores.
  let core: ContainerCore
  /// The container, or a main context that refers to it; `nil` in a main context, because the container retains the
  /// main context.
  let owner: AnyObject?
  /// A main context's container.
  weak var container: AnyObject?
  var editingState: EditingState = EditingState()
  var conflictPolicy: ConflictPolicy?
  var autosavePolicy = ModelContext.AutosavePolicy()
  /// True for a container's main context, which has autosave enabled.
  var isMain: Bool { owner == nil }
  /// The identity maps, by root entity.
  var tables: [ObjectIdentifier: IdentityTable] = [:]
  /// The last requested identity map.
  var lastTable: (definition: ModelDefinition, table: IdentityTable)?
  /// The to-many relationship for which a query was last created.
  var lastList: (keyPath: AnyKeyPath, definition: ModelDefinition, slot: Int)?
  /// True if the running query has read the store and therefore detects new commits itself.
  var hasAskedStore = false
  /// True after a save has assigned permanent identifiers to new models.
  var hasSavedInsertions = false
  /// The context that saved the new models, if different; see ``ModelContext/withStoredValues(_:)``.
  var identifierSource: ModelContext?
  let probe: TrackingProbe
  var pending: PendingChanges = PendingChanges()
  /// Failed reads since the last rollback.
  var failedReads: FailedReads = FailedReads()
  /// Former relationship targets that could not be read during an edit; see ``resolveUnreadEnds()``.
  var unreadEnds: [PersistentIdentifier: ModelDefinition] = [:]
  // No external code runs during an access by `FormerValues`.
  @exclusivity(unchecked) var former: FormerValues = FormerValues()
  /// Unread commits by other contexts.
  let mailbox: CommitMailbox
  /// The actor that uses the context, if known.
  weak var isolation: (any Actor)?
  /// The observers of the context's changes; `nil` if there are none.
  var watchers: ContextWatchers? { didSet { updateListeners() } }
  /// The number of saves that wrote changes, and the nesting depth of transactions.
  var saves: Int = 0
  var transactionDepth: Int = 0
  /// Commits by other contexts that were applied since the transaction began.
  var readInTransaction: Commit?
  /// Rows that were read ahead.
  var ahead: ReadAhead = ReadAhead()
  var isSaving: Bool = false
  /// True while a custom store saves this context's changes. Changes that the store makes to models are rejected,
  /// because the save would mark them as saved.
  var isInStore: Bool = false { didSet { updateListeners() } }
  /// Notifications to send at the end of the running operation.
  var held: HeldNotifications?
  /// Records changes for an undo manager, if any.
  var undo: UndoRecorder? { didSet { updateListeners() } }
  var autosave: Autosaver? { didSet { updateListeners() } }
  /// The batch of snapshots that the context saves; `nil` for the app's contexts.
  var batch: BatchSave?
  /// Rows that the running save deletes without creating objects.
  var deletedRows: DeletedRows?
  /// Models that the running save has read and retains until it ends.
  var keepAlive: [any PersistentModel] = []
  /// True if the changes could not be saved when the app released the context.
  var isUnsavable: Bool = false

  /// - Parameters:
  ///   - owner: The container, or a main context that refers to it; `nil` for a main context.
  ///   - container: A main context's container.
  init(_ core: ContainerCore, _ owner: AnyObject?, container: AnyObject? = nil) {
    self.owner = owner
    self.container = container
    self.core = core
    probe = TrackingProbe()
    mailbox = CommitMailbox()
    super.init()
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

  /// Called when an observer of writes is added or removed.
  func updateListeners() {
    probe.hasListeners =
      undo != nil || autosave != nil || watchers != nil || pending.index != nil || isInStore
  }

  // MARK: lifetime

  override func handleReleased() {
    if isHeld {
      watchers = nil
      // Steps retain models, so undo ends with the context to which the undo manager was assigned.
      undo = nil
      autosave?.cancel()
      if autosave != nil, pending.hasChanges, !isUnsavable {
        // Observers of the save may retain the context.
        let context = ModelContext(self)
        isUnsavable = !context.saveByItself()
        return
      }
      let count = pending.count
      // Lists that lead back to their owners would form reference cycles.
      for (owner, relation, list) in pending.heldLists(where: core.listCycles.mayClose) {
        list.releaseMembers { [weak self] in self?.context.readMembers($0, of: owner, relation) ?? [] }
      }
      releasePendingModels()
      isHeld = false
      pending.recount()
      if pending.count < count { ModelIssue.unsavedChanges(count: count - pending.count).report() }
    }
    keptByModels = tables.values.contains { $0.count > 0 } ? self : nil
  }

  /// Stops retaining models with pending changes. They are released before the function returns.
  @inline(never) private func releasePendingModels() {
    let held = pending
    pending.releaseModels()
    withExtendedLifetime(held) {}
  }
}

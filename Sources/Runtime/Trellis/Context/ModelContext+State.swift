extension ModelContext {
  @inline(__always) var state: ContextState { unsafeDowncast(storage, to: ContextState.self) }

  /// A context of the same stores that is used for one operation.
  convenience init(beside other: ModelContext) {
    // A main context does not retain the container, so this one retains the main context.
    self.init(ContextState(other.core, other.state.owner ?? other.state.container ?? other))
  }

  /// Recorded as the author of what this context saves.
  public var author: String? {
    get { editingState.author }
    set { editingState.author = newValue }
  }

  /// True to record the changes of this context in the history of its stores (the default). Not in SwiftData.
  ///
  /// Turn it off for a bulk load whose changes no observer needs. The history then records the transaction without its
  /// changes, and its ``DefaultHistoryTransaction/isComplete`` is false, so readers of the history can detect the gap.
  public var recordsHistory: Bool {
    get { editingState.recordsHistory }
    set { editingState.recordsHistory = newValue }
  }

  /// The identity every request to a store carries.
  public internal(set) var editingState: EditingState {
    get { state.editingState }
    set { state.editingState = newValue }
  }

  /// What saves do with values that others have saved meanwhile; nil for what the configuration of each store
  /// says. Set it before the models are changed. Not in SwiftData.
  public var conflictPolicy: ConflictPolicy? {
    get { state.conflictPolicy }
    set { state.conflictPolicy = newValue }
  }

  /// When ``autosaveEnabled`` saves, and what is called when a save fails. Not in SwiftData.
  public var autosavePolicy: AutosavePolicy {
    get { state.autosavePolicy }
    set { state.autosavePolicy = newValue }
  }

  // Properties of the state that most of the context's code uses.

  var core: ContainerCore { state.core }
  var tables: [ObjectIdentifier: IdentityTable] { state.tables }
  var probe: TrackingProbe { state.probe }
  var mailbox: CommitMailbox { state.mailbox }
  var occupancy: ContextOccupancy { state.probe.occupancy }
  var watchers: ContextWatchers? { state.watchers }
  var undo: UndoRecorder? { state.undo }
  var autosave: Autosaver? { state.autosave }

  var pending: PendingChanges {
    _read { yield state.pending }
    _modify { yield &state.pending }
  }

  /// Whether an insertion, change or deletion waits to be saved.
  public var hasChanges: Bool { pending.hasChanges }

  /// The models inserted since the last save, in the order of insertion.
  public var insertedModelsArray: [any PersistentModel] { pending.inserted }

  /// The saved models changed since the last save, in the order of their first change.
  public var changedModelsArray: [any PersistentModel] { pending.changed }

  /// The saved models to be deleted by the next save, in the order of their first change.
  public var deletedModelsArray: [any PersistentModel] {
    // Rows that cannot be read now are deleted by the next save all the same.
    try? loadPendingRows()
    return pending.deleted
  }
}

extension ModelContext: Equatable {
  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }
}

extension ModelContext: CustomDebugStringConvertible {
  public var debugDescription: String {
    "ModelContext(inserted: \(pending.inserted.count), changed: \(pending.changed.count), "
      + "deleted: \(pending.deleted.count + pending.rowCount), registered: \(tables.values.reduce(0) { $0 + $1.count }))"
  }
}

extension PersistentModel {
  /// The context the model was inserted into or fetched by; nil before that and after its deletion.
  public var modelContext: ModelContext? { ownerContext?.givenToProgram }

  /// Whether the model waits to be inserted, updated or deleted by the next save.
  public var hasChanges: Bool {
    _$state.table != nil && phase != .clean && phase != .gone
  }

  /// Whether the model was deleted. Stays true after the save; `rollback()` takes it back.
  public var isDeleted: Bool { _$state.side?.isDeleted ?? false }
}

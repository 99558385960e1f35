extension ModelContext {
  @inline(__always) var state: ContextState { unsafeDowncast(storage, to: ContextState.self) }

  /// Creates a temporary context with the same stores for a single operation.
  convenience init(beside other: ModelContext) {
    // A main context does not retain the container, so the new context retains the main context instead.
    self.init(ContextState(other.core, other.state.owner ?? other.state.container ?? other))
  }

  /// The author that the history records for this context's saves; `nil` (the default) for none.
  ///
  /// ```swift
  /// context.author = "widget"
  /// try context.save()  // a reader of the history can skip or select this author's changes
  /// ```
  public var author: String? {
    get { editingState.author }
    set { editingState.author = newValue }
  }

  /// True to record this context's changes in the stores' histories (the default). Not in SwiftData.
  ///
  /// Set this property to false for a bulk load whose changes no observer needs. The history then records the
  /// transaction with no changes, and ``DefaultHistoryTransaction/isComplete`` is false, so that readers can detect the
  /// gap.
  ///
  /// ```swift
  /// context.recordsHistory = false
  /// try context.insert(contentsOf: (1...100_000).lazy.map { BucketListItem.Snapshot(title: "Item \($0)") })
  /// context.recordsHistory = true
  /// ```
  public var recordsHistory: Bool {
    get { editingState.recordsHistory }
    set { editingState.recordsHistory = newValue }
  }

  /// The editing state sent with every store request.
  public internal(set) var editingState: EditingState {
    get { state.editingState }
    set { state.editingState = newValue }
  }

  /// The policy for values that were saved concurrently; `nil` to use each store's configuration. Set it before
  /// changing models. Not in SwiftData.
  ///
  /// ```swift
  /// context.conflictPolicy = .fail
  /// trip.budget = 1_200
  /// do {
  ///   try context.save()
  /// } catch SwiftDataError.saveConflict {
  ///   context.rollback()  // a different context has saved the budget since it was read
  /// }
  /// ```
  public var conflictPolicy: ConflictPolicy? {
    get { state.conflictPolicy }
    set { state.conflictPolicy = newValue }
  }

  /// The delays and error handler for ``autosaveEnabled``. Not in SwiftData.
  public var autosavePolicy: AutosavePolicy {
    get { state.autosavePolicy }
    set { state.autosavePolicy = newValue }
  }

  // Shortcuts for frequently used properties of the state.

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

  /// True if insertions, changes or deletions are unsaved.
  public var hasChanges: Bool { pending.hasChanges }

  /// Unsaved new models, in order of insertion.
  public var insertedModelsArray: [any PersistentModel] { pending.inserted }

  /// Saved models with unsaved changes, in order of first change.
  public var changedModelsArray: [any PersistentModel] { pending.changed }

  /// Saved models that the next save will delete, in order of first change.
  public var deletedModelsArray: [any PersistentModel] {
    // Rows that cannot be read now are still deleted by the next save.
    try? loadPendingRows()
    return pending.deleted
  }
}

extension ModelContext: Equatable {
  /// Returns true if both are the same context.
  ///
  /// ```swift
  /// let own = trips.filter { $0.modelContext == context }  // models that this context can save
  /// ```
  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }
}

extension ModelContext: CustomDebugStringConvertible {
  /// The number of inserted, changed, deleted and registered models.
  public var debugDescription: String {
    "ModelContext(inserted: \(pending.inserted.count), changed: \(pending.changed.count), "
      + "deleted: \(pending.deleted.count + pending.rowCount), "
      + "registered: \(tables.values.reduce(0) { $0 + $1.count }))"
  }
}

extension PersistentModel {
  /// The context in which the model is registered; `nil` before the insertion, after a saved deletion, and if the
  /// insertion was rolled back.
  public var modelContext: ModelContext? { ownerContext?.givenToApp }

  /// True if the next save will insert, update or delete the model.
  public var hasChanges: Bool {
    _$state.table != nil && phase != .clean && phase != .gone
  }

  /// True if the model was deleted. Remains true after the save.
  ///
  /// Also true if a different context or process has deleted the row, which the next fetch or save detects, and for a
  /// new model whose insertion was rolled back. Becomes false if an unsaved deletion is rolled back, if the deletion is
  /// undone, or if an unsaved model is inserted again.
  public var isDeleted: Bool { _$state.side?.isDeleted ?? false }
}

/// The content of a save. Created inside the stores' transactions and immutable afterwards.
struct SavePlan {
  /// False if the save only discards models that were inserted and deleted again.
  let hasChanges: Bool
  let hasDeletions: Bool
  /// The number of models, and their class if they all have the same class.
  let count: Int
  let commonClass: ModelDefinition?
  /// Inserted models that were deleted again.
  let dropped: [any PersistentModel]
  /// Loaded lists that contain deleted models. Collected here, because finding them requires temporary identifiers,
  /// which the completion replaces.
  let shortenedLists: [ModelList]
  let parts: [Part]

  /// Applies delete rules, validates the changes and creates each store's request.
  init(_ context: ModelContext) throws {
    hasChanges = context.hasChanges
    hasDeletions = context.pending.hasDeletions
    if context.undo != nil { try context.loadPendingRows() }
    // Undoing a deletion requires the values of all deleted models.
    context.state.deletedRows = hasDeletions && context.undo == nil ? DeletedRows() : nil
    var rules = DeleteRules(context: context, rows: context.state.deletedRows)
    let denials = hasDeletions ? try rules.apply() : []
    try Validation(context: context).check(denials, shortened: rules.shortened)
    context.undo?.prepare()
    (count, commonClass) = (context.pending.entries.count, context.pending.commonClass)
    dropped = context.pending.dropped
    let work = (
      inserted: context.pending.inserted, changed: context.pending.changed, deleted: context.pending.deleted
    )
    shortenedLists = RelationshipEditor.lists(with: work.deleted + dropped)
    parts = try context.core.stores.map { [commonClass] in try Part(work, of: commonClass, in: $0, context) }
  }

  /// The part of a save that concerns a single store.
  struct Part {
    let store: StoreHandle
    let changed: [any PersistentModel]
    let deleted: [any PersistentModel]
    let snapshots: SnapshotBuilder
    /// `nil` if there is nothing to write.
    let request: DataStoreSaveChangesRequest<DefaultSnapshot>?

    fileprivate init(
      _ work: (inserted: [any PersistentModel], changed: [any PersistentModel], deleted: [any PersistentModel]),
      of commonClass: ModelDefinition?, in store: StoreHandle, _ context: ModelContext
    ) throws {
      func own(_ models: [any PersistentModel]) -> [any PersistentModel] {
        if models.isEmpty || context.core.stores.count == 1 { return models }
        return models.filter { store.entityNames.contains(type(of: $0)._$definition.entityName) }
      }
      self.store = store
      var snapshots = SnapshotBuilder(context: context, store: store)
      let insertions = try snapshots.insertions(own(work.inserted), of: commonClass)
      (changed, deleted) = (own(work.changed), own(work.deleted))
      let updates = try snapshots.updates(changed, of: commonClass)
      let deletions = snapshots.deletions(deleted)
      self.snapshots = snapshots
      let rows = store.isRelational ? context.state.deletedRows : nil
      let deletedRows = rows?.groups.filter { store.entityNames.contains($0.definition.entityName) } ?? []
      guard !(insertions.isEmpty && updates.isEmpty && deletions.isEmpty && deletedRows.isEmpty) else {
        request = nil
        return
      }
      var changes = DataStoreSaveChangesRequest(
        inserted: insertions, updated: updates, deleted: deletions, editingState: context.editingState)
      changes.committed = snapshots.committed
      changes.deletedRows = deletedRows
      changes.clearedRows = rows?.clearedRows.filter { store.entityNames.contains($0.definition.entityName) } ?? []
      changes.overwritesConflicts = context.state.batch?.isUpsert == true
      request = changes
    }
  }
}

/// What one save writes. Made inside the transactions of the stores, and not changed afterwards.
struct SavePlan {
  /// What is pending at the end of the delete rules.
  let work: PendingChanges.Work
  let mark: PendingChanges.Mark
  /// False if the save only forgets models that were inserted and deleted again.
  let hasChanges: Bool
  let hasDeletions: Bool
  /// The class of all inserted models, if they have a single one.
  let insertedClass: ModelDefinition?
  /// Insertions that were deleted again.
  let dropped: RelationshipEditor.Departure
  let parts: [Part]

  /// What a save does in one store.
  struct Part {
    let store: StoreHandle
    let changed: [any PersistentModel]
    let deleted: [any PersistentModel]
    let updated: [any PersistentModel]
    let snapshots: SnapshotBuilder
    /// Nil if there is nothing to write.
    let request: DataStoreSaveChangesRequest<DefaultSnapshot>?
  }

  /// Applies the delete rules, validates, and makes the request of each store.
  init(_ context: ModelContext) throws {
    hasChanges = context.hasChanges
    hasDeletions = context.pending.hasDeletions
    if context.monitor?.undo != nil { try context.loadPendingRows() }
    // Undoing a deletion needs the values of all deleted models.
    context.state.deletedRows = hasDeletions && context.monitor?.undo == nil ? DeletedRows() : nil
    var rules = DeleteRules(context: context, rows: context.state.deletedRows)
    let denials = hasDeletions ? try rules.apply() : []
    try Validation(context: context).check(denials, shortened: rules.shortened)
    context.monitor?.undo?.prepare()
    mark = context.pending.mark
    insertedClass = context.pending.commonInsertedClass
    work = context.pending.work
    // Lookups still use the temporary identifiers, which the completion replaces.
    var dropped = RelationshipEditor.Departure()
    for model in work.dropped { dropped.add(model) }
    self.dropped = dropped
    parts = try context.core.stores.map { [work, insertedClass] in
      try Part(work, insertedClass, in: $0, context)
    }
  }
}

extension SavePlan.Part {
  fileprivate init(
    _ work: PendingChanges.Work, _ insertedClass: ModelDefinition?, in store: StoreHandle, _ context: ModelContext
  ) throws {
    func own(_ models: [any PersistentModel]) -> [any PersistentModel] {
      if models.isEmpty || context.core.stores.count == 1 { return models }
      return models.filter { store.entityNames.contains(type(of: $0)._$definition.entityName) }
    }
    var snapshots = SnapshotBuilder(context: context, store: store)
    let insertions = try snapshots.insertions(own(work.inserted), of: insertedClass)
    let (changed, deleted) = (own(work.changed), own(work.deleted))
    let (updates, updated) = try snapshots.updates(changed)
    let deletions = snapshots.deletions(deleted)
    let rows = store.deletesRows ? context.state.deletedRows : nil
    let deletedRows = rows?.groups.filter { store.entityNames.contains($0.definition.entityName) } ?? []
    var request: DataStoreSaveChangesRequest<DefaultSnapshot>?
    if !(insertions.isEmpty && updates.isEmpty && deletions.isEmpty && deletedRows.isEmpty) {
      var changes = DataStoreSaveChangesRequest(
        inserted: insertions, updated: updates, deleted: deletions, editingState: context.editingState)
      changes.committed = snapshots.committed
      changes.deletedRows = deletedRows
      changes.clearedRows = rows?.clearedRows.filter { store.entityNames.contains($0.definition.entityName) } ?? []
      changes.overwritesConflicts = context.state.batch?.isUpsert == true
      request = changes
    }
    self.init(
      store: store, changed: changed, deleted: deleted, updated: request == nil ? [] : updated, snapshots: snapshots,
      request: request)
  }
}

extension ModelContext {
  @inline(__always) var state: ContextState { unsafeDowncast(storage, to: ContextState.self) }

  /// A context of the same stores that is used for one operation.
  convenience init(beside other: ModelContext) {
    // A main context does not retain the container, so this one retains the main context.
    let owner = other.owner.retained ?? other.owner.container ?? other
    self.init(other.core, ContextOwner(retained: owner), isMain: false)
  }

  convenience init(_ core: ContainerCore, _ owner: ContextOwner, isMain: Bool) {
    self.init(ContextState(core, owner, isMain: isMain))
    if isMain { autosaveEnabled = true }
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

  var core: ContainerCore { state.core }

  var owner: ContextOwner {
    get { state.owner }
    _modify { yield &state.owner }
  }

  /// The identity every request to a store carries.
  public internal(set) var editingState: EditingState {
    get { state.editingState }
    _modify { yield &state.editingState }
  }

  /// What saves do with values that others have saved meanwhile; nil for what the configuration of each store
  /// says. Set it before the models are changed. Not in SwiftData.
  public var conflictPolicy: ConflictPolicy? {
    get { state.conflictPolicy }
    _modify { yield &state.conflictPolicy }
  }

  /// When ``autosaveEnabled`` saves, and what is called when a save fails. Not in SwiftData.
  public var autosavePolicy: AutosavePolicy {
    get { state.autosavePolicy }
    _modify { yield &state.autosavePolicy }
  }

  var isMain: Bool { state.isMain }

  var tables: [ObjectIdentifier: IdentityTable] {
    get { state.tables }
    _modify { yield &state.tables }
  }

  var lastTable: (definition: ModelDefinition, table: IdentityTable)? {
    get { state.lastTable }
    _modify { yield &state.lastTable }
  }

  var hasSavedInsertions: Bool {
    get { state.hasSavedInsertions }
    set { state.hasSavedInsertions = newValue }
  }

  var batch: BatchSave? {
    get { state.batch }
    set { state.batch = newValue }
  }

  var identifierSource: ModelContext? {
    get { state.identifierSource }
    set { state.identifierSource = newValue }
  }

  var lastList: (keyPath: AnyKeyPath, definition: ModelDefinition, slot: Int)? {
    get { state.lastList }
    _modify { yield &state.lastList }
  }

  var probe: TrackingProbe { state.probe }

  var pending: PendingChanges {
    get { state.pending }
    _modify { yield &state.pending }
  }

  var hasLostRows: Bool {
    get { state.hasLostRows }
    _modify { yield &state.hasLostRows }
  }

  var notification: SaveNotification {
    get { state.notification }
    _modify { yield &state.notification }
  }

  var failedReads: FailedReads {
    get { state.failedReads }
    _modify { yield &state.failedReads }
  }

  var unreadEnds: [PersistentIdentifier: ModelDefinition] {
    get { state.unreadEnds }
    _modify { yield &state.unreadEnds }
  }

  var former: FormerValues {
    get { state.former }
    _modify { yield &state.former }
  }

  var mailbox: CommitMailbox { state.mailbox }

  var occupancy: ContextOccupancy { state.occupancy }

  var isolation: (any Actor)? {
    get { state.isolation }
    set { state.isolation = newValue }
  }

  var watchers: ContextWatchers? {
    get { state.watchers }
    _modify { yield &state.watchers }
  }

  var saves: Int {
    get { state.saves }
    _modify { yield &state.saves }
  }

  var transactionDepth: Int {
    get { state.transactionDepth }
    _modify { yield &state.transactionDepth }
  }

  var readInTransaction: Commit? {
    get { state.readInTransaction }
    _modify { yield &state.readInTransaction }
  }

  var ahead: ReadAhead {
    get { state.ahead }
    _modify { yield &state.ahead }
  }

  var isSaving: Bool {
    get { state.isSaving }
    _modify { yield &state.isSaving }
  }

  var isInStore: Bool {
    get { state.isInStore }
    _modify { yield &state.isInStore }
  }

  var held: HeldNotifications? {
    get { state.held }
    _modify { yield &state.held }
  }

  var monitor: ChangeMonitor? {
    get { state.monitor }
    _modify { yield &state.monitor }
  }

  var deletedRows: DeletedRows? {
    get { state.deletedRows }
    _modify { yield &state.deletedRows }
  }

  var keepAlive: [any PersistentModel] {
    get { state.keepAlive }
    _modify { yield &state.keepAlive }
  }

  var keptByModels: ModelContext? {
    get { state.keptByModels }
    _modify { yield &state.keptByModels }
  }

  var isUnsavable: Bool {
    get { state.isUnsavable }
    _modify { yield &state.isUnsavable }
  }

  var rolledBack: [LooseModel] {
    get { state.rolledBack }
    _modify { yield &state.rolledBack }
  }

  func noteListeners() { state.noteListeners() }

  /// Whether a save or a transaction is running.

  /// Whether an insertion, change or deletion waits to be saved.
  public var hasChanges: Bool { pending.hasChanges }

  /// The models inserted since the last save, in the order of insertion.
  public var insertedModelsArray: [any PersistentModel] { pending.inserted }

  /// The saved models changed since the last save, in the order of their first change.
  public var changedModelsArray: [any PersistentModel] { pending.changed }

  /// The saved models to be deleted by the next save, in the order of their deletion.
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
  public var modelContext: ModelContext? { ownerContext }

  /// Whether the model waits to be inserted, updated or deleted by the next save.
  public var hasChanges: Bool {
    guard _$state.table != nil else { return false }
    return switch phase {
    case .inserted, .changed, .deleting: true
    case .clean, .gone: false
    }
  }

  /// Whether the model was deleted. Stays true after the save; `rollback()` takes it back.
  public var isDeleted: Bool { _$state.side?.isDeleted ?? false }
}

import Foundation

/// A scratch pad over a container: fetches models, tracks what is done to them, saves it at once.
///
/// A context belongs to the isolation it is used in and is not `Sendable`; so are its models. Give
/// another task the container or identifiers, and let it make a context of its own.
///
/// A registered model retains its context: relationships can be read and changes saved through
/// ``PersistentModel/modelContext`` for as long as the model lives, even after the program has released the
/// context itself. The context retains only models with pending changes. Changes that are pending when the
/// program releases the context and all of its models are lost, unless ``autosaveEnabled`` is on.
///
///     let context = ModelContext(container)
///     context.insert(Trip(name: "Fjords", destination: "Bergen"))
///     try context.save()
public final class ModelContext {
  /// The stores of the container.
  let core: ContainerCore
  /// The container; see ``container``.
  var owner: ContextOwner

  /// Recorded as the author of what this context saves.
  public var author: String? {
    get { editingState.author }
    set { editingState.author = newValue }
  }

  /// Whether the history of a store tells what this context saves. Not in SwiftData.
  ///
  /// Turn it off for a bulk load that nobody is to be told of. The transaction itself is recorded
  /// nevertheless, without changes: its ``DefaultHistoryTransaction/isComplete`` is false, so that whoever
  /// follows the history can see that something was not said.
  public var recordsHistory: Bool {
    get { editingState.recordsHistory }
    set { editingState.recordsHistory = newValue }
  }

  /// The identity every request to a store carries.
  public internal(set) var editingState = EditingState()

  /// What saves do with values that others have saved meanwhile; nil for what the configuration of each store
  /// says. Set it before the models are changed. Not in SwiftData.
  public var conflictPolicy: ConflictPolicy?

  /// When ``autosaveEnabled`` saves, and who is told when that fails. Not in SwiftData.
  public var autosavePolicy = AutosavePolicy()

  /// Whether this is the main context of a container.
  let isMain: Bool
  /// One identity map for each root entity in use.
  var tables: [ObjectIdentifier: IdentityTable] = [:]
  /// The table that was asked for last.
  var lastTable: (definition: ModelDefinition, table: IdentityTable)?
  /// The to-many relationship that a handle was made of last.
  var lastList: (keyPath: AnyKeyPath, definition: ModelDefinition, slot: Int)?
  let probe: TrackingProbe
  var pending = PendingChanges()
  /// Whether the row of a model with pending changes may be gone; see `ModelContext+LostRows.swift`.
  var hasLostRows = false
  /// What the last save has told.
  @exclusivity(unchecked) var notification = SaveNotification()
  /// What a store failed to read since the last rollback.
  var failedReads = FailedReads()
  /// Models that an edit has left and could not read; see ``settleUnreadEnds()``.
  var unreadEnds: [PersistentIdentifier: ModelDefinition] = [:]
  // Nobody is called while values are entered.
  @exclusivity(unchecked) var former = FormerValues()
  /// What other contexts of the container have saved since this one last looked.
  let mailbox: CommitMailbox
  let occupancy: ContextOccupancy
  /// Where the context is used, as far as it was told; see `ModelContext+Isolation.swift`.
  weak var isolation: (any Actor)?
  /// Whoever follows the changes of this context; nil for nobody.
  var watchers: ContextWatchers? { didSet { noteListeners() } }
  /// How many saves have written something, and how many transactions are running.
  var saves = 0
  var transactionDepth = 0
  /// What other contexts have saved and this one has read since the transaction began.
  var readInTransaction: Commit?
  /// Rows read before they are asked for.
  var ahead = ReadAhead()
  var isSaving = false
  /// Whether a store of somebody else is at work on what this context saves: what it changed here would
  /// be taken for saved.
  var isInStore = false { didSet { noteListeners() } }
  /// What observers will be told when the save, or what else is under way, is done.
  var held: HeldNotifications?
  /// Undoing and autosaving, where one of them is in use.
  var monitor: ChangeMonitor? { didSet { noteListeners() } }
  /// What a running save deletes without having objects of it.
  var deletedRows: DeletedRows?
  /// Models a running save has read and must not lose before it ends.
  var keepAlive: [any PersistentModel] = []
  /// This context while registered models keep it and the program has released it.
  var keptByModels: ModelContext?
  /// True if the changes could not be saved when the program released the context.
  var isUnsavable = false
  /// Insertions that were rolled back and may hold registered models in their lists.
  var rolledBack: [LooseModel] = []

  /// A context of the same stores that is used for one operation.
  convenience init(beside other: ModelContext) {
    // A main context does not retain the container, so this one retains the main context.
    let owner = other.owner.retained ?? other.owner.container ?? other
    self.init(other.core, ContextOwner(retained: owner), isMain: false)
  }

  /// - Parameter isMain: true for the main context of a container, which saves on its own.
  init(_ core: ContainerCore, _ owner: ContextOwner, isMain: Bool) {
    self.isMain = isMain
    self.owner = owner
    self.core = core
    probe = TrackingProbe()
    mailbox = CommitMailbox()
    occupancy = ContextOccupancy()
    core.hub.join(mailbox)
    for store in core.stores { store.initializeState(for: editingState) }
    if isMain { autosaveEnabled = true }
  }

  /// Continues in place of a context that the program has released.
  init(replacing old: ModelContext) {
    isMain = old.isMain
    owner = old.owner
    core = old.core
    probe = old.probe
    mailbox = old.mailbox
    occupancy = old.occupancy
    editingState = old.editingState
    conflictPolicy = old.conflictPolicy
    autosavePolicy = old.autosavePolicy
    isolation = old.isolation
    tables = old.tables
    hasLostRows = old.hasLostRows
    unreadEnds = old.unreadEnds
    failedReads = old.failedReads
    saves = old.saves
    ahead = old.ahead
    for table in tables.values { table.context = self }
    take(over: old)
  }

  deinit {
    guard !isNeededAfterRelease else { return handOver() }
    if monitor?.autosave != nil, pending.hasChanges {
      ModelIssue.unsavedChanges(
        count: pending.inserted.count + pending.changed.count + pending.deleted.count
      ).report()
    }
    for table in tables.values { table.close() }
    core.hub.leave(mailbox)
    for store in core.stores { store.invalidateState(for: editingState) }
  }

  /// To be called when somebody comes or goes who hears of every write.
  func noteListeners() {
    probe.hasListeners =
      monitor != nil || watchers != nil || pending.index != nil || isInStore
  }

  /// Whether a save or a transaction is running.
  var isBusy: Bool { isSaving || transactionDepth > 0 }

  /// Whether an insertion, change or deletion waits to be saved.
  public var hasChanges: Bool { pending.hasChanges }

  /// The models inserted since the last save, in the order of insertion.
  public var insertedModelsArray: [any PersistentModel] { pending.inserted }

  /// The saved models changed since the last save, in the order of their first change.
  public var changedModelsArray: [any PersistentModel] { pending.changed }

  /// The saved models to be deleted by the next save, in the order of their deletion.
  public var deletedModelsArray: [any PersistentModel] { pending.deleted }
}

extension ModelContext: Equatable {
  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }
}

extension ModelContext: CustomDebugStringConvertible {
  public var debugDescription: String {
    "ModelContext(inserted: \(pending.inserted.count), changed: \(pending.changed.count), "
      + "deleted: \(pending.deleted.count), registered: \(tables.values.reduce(0) { $0 + $1.count }))"
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

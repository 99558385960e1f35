import CSQLite

/// A batch of snapshots of one model on its way into the tables of a ``DefaultStore``: each is bound
/// and written where it comes along, inside one transaction.
///
/// What only some rows need (conflicts, lists, references within the batch) is looked at where a row
/// needs it; the rest of them pay a comparison.
@usableFromInline final class TableBatch {
  let store: DefaultStore
  let connection: Connection
  let plan: EntityPlan
  let definition: ModelDefinition
  let relations: RelationTable
  /// Settles conflicts and one-to-one pairs, as for a save.
  let save: StoreSavePass
  /// Whether a snapshot overwrites the row it conflicts with, whatever the schema's policy is.
  let isUpsert: Bool
  private let progress: BatchProgress
  let statement: Statement
  private let arena: Arena
  /// Whether the statement turns into an update of the row that is in the way.
  private let overwrites: Bool
  private let hook = UpdateHook()
  // Generated code writes to it and calls nobody.
  @exclusivity(unchecked) @usableFromInline var binder: StatementBinder
  /// Whether rows are looked at before they are written.
  @usableFromInline let needsLook: Bool
  /// Whether snapshots may refer to each other.
  @usableFromInline let refersToItself: Bool
  let isConstrained: Bool
  private let hasPairs: Bool
  /// The ordered lists its rows are in.
  let places: [(owner: String, place: String)]
  /// What refers to owners of lists that must not run short, and the owners that rows have left.
  let bounds: [Relation]
  var left: [Set<Int64>]

  /// The keys at hand.
  @exclusivity(unchecked) var nextKey: Int64 = 0
  @exclusivity(unchecked) var endKey: Int64 = 0
  /// The highest key in the table; nil before somebody has looked.
  @exclusivity(unchecked) var lastRow: Int64?
  /// Whether SQLite is to take the key after that one, which spares it a search in the table.
  @exclusivity(unchecked) var takesNextKey = false
  /// The row of the current snapshot, and whether one before has referred to it.
  @exclusivity(unchecked) var row: Int64 = 0
  @exclusivity(unchecked) var wasExpected = false
  /// The number of the current snapshot's identifier; nil for one of another store.
  @exclusivity(unchecked) var serial: Int64?
  /// Serial numbers of temporary identifiers that were referred to and have not come yet.
  var expected = Set<Int64>()
  /// Whether an index does not see every conflict, and when that was asked.
  @exclusivity(unchecked) private(set) var isHidden = false
  @exclusivity(unchecked) private var generation = -1
  /// The rows of snapshots that are known beforehand and have not come yet.
  var nextPlanned: Int64 = 0
  var lastPlanned: Int64 = 0
  /// Why the current row is not written yet.
  @exclusivity(unchecked) var refusal: SQLiteError?

  @exclusivity(unchecked) private(set) var rows = RowRuns()
  /// Those of them that are new.
  @exclusivity(unchecked) private(set) var newRows = RowRuns()
  @exclusivity(unchecked) private(set) var count = 0
  /// How many of them have not become new rows.
  private(set) var mergedCount = 0
  @exclusivity(unchecked) private var nextReport: Int
  var serials = SerialRuns()
  var merged = RowRuns()
  var paired: [(row: Int64, isMerged: Bool)] = []
  var outcome = BatchOutcome()

  init(
    _ store: DefaultStore, _ connection: Connection, _ definition: ModelDefinition,
    isUpsert: Bool, _ progress: BatchProgress, _ editingState: EditingState
  ) throws {
    self.store = store
    self.connection = connection
    arena = connection.arena
    self.isUpsert = isUpsert
    self.progress = progress
    nextReport = progress.interval
    plan = try store.plans.plan(for: definition)
    self.definition = definition
    relations = definition.relations
    let root = definition.root
    let toItself = relations.all.contains { $0.destination.root === root }
    refersToItself = toItself
    isConstrained = !plan.constraints.isEmpty
    hasPairs = !plan.pairs.isEmpty
    needsLook = toItself || !relations.checked.isEmpty || !plan.pairs.isEmpty
    save = StoreSavePass(
      store: store, connection: connection,
      request: DataStoreSaveChangesRequest(
        inserted: [], updated: [], deleted: [], editingState: editingState))
    save.keys = KeyTable(growing: toItself)
    let replacing = isUpsert || plan.constraints.allSatisfy { $0.policy == .replace }
    bounds = relations.references.filter(\.endsInBoundedList)
    left = bounds.map { _ in [] }
    // In a shared table, a row in the way may be of another entity; and where it matters whom a row
    // leaves, somebody has to look first.
    overwrites =
      replacing && !plan.constraints.isEmpty && plan.entity.discriminators.isEmpty && bounds.isEmpty
    if !isUpsert, store.appends(plan) {
      try connection.expectOnlyAdditions()
    } else {
      try connection.expectWrites()
    }
    places = try Self.places(plan, store)
    statement =
      overwrites
      ? try connection.take(plan.upsertion(places).text)
      : try connection.statement(slot: plan.slot(.insertion), plan.insertion.text)
    statement.isInUse = true
    binder = StatementBinder(
      statement, arena: connection.arena, shape: plan.shape, keys: save.keys)
    if !plan.entity.discriminators.isEmpty {
      try statement.bind(.text(plan.entity.name), at: plan.discriminatorParameter)
    }
    save.written = [plan]
    save.batchIdentifier = { [unowned self] row in
      serials.serial(of: row).map {
        PersistentIdentifier(token: definition.temporaryToken, row: $0)
      }
    }
    if !places.isEmpty || !bounds.isEmpty {
      save.overwriting = { [unowned self] row, update in try updating(row, update) }
    }
    if overwrites { hook.install(on: connection) }
  }

  func close() {
    if overwrites { hook.remove(from: connection) }
    statement.clear()
    connection.giveBack(statement)
    connection.arena.reset()
  }

  // MARK: a row

  /// Inlined into the module of the snapshot, where the compiler knows what is bound.
  @inlinable @inline(__always) func add<S: ModelSnapshot>(_ snapshot: S) throws {
    guard try begin(snapshot.persistentIdentifier) else { return try addKnown(snapshot) }
    if needsLook, try !look(at: snapshot) { return }
    try snapshot.write(to: &binder)
    if try !write() { try settle(snapshot) }
  }

  /// Gives the next snapshot a row; false when its identifier is not of a new one.
  @usableFromInline func begin(_ identifier: PersistentIdentifier) throws -> Bool {
    guard identifier.isTemporary else { return false }
    try beginRow()
    serial = identifier.row
    if refersToItself, let serial { track(serial) }
    try bindKey()
    return true
  }

  /// Gives a snapshot that came from another store a row; nobody can refer to it.
  func beginForeign() throws {
    try beginRow()
    serial = nil
    try bindKey()
  }

  private func bindKey() throws {
    if let lastRow, lastRow &+ 1 == row {
      guard !takesNextKey else { return }
      try statement.bind(.null, at: 1)
      takesNextKey = true
    } else {
      if lastRow == nil { lastRow = try highestKey() }
      statement.bind(row, at: 1)
      takesNextKey = false
    }
  }

  private func highestKey() throws -> Int64 {
    let found = try connection.rows(
      "SELECT MAX(\(name: plan.entity.keyColumn)) FROM \(name: plan.entity.table)")
    guard case .integer(let key)? = found.first?.first else { return 0 }
    return key
  }

  /// Runs the statement with what is bound; false when there is more to do.
  @usableFromInline func write() throws -> Bool {
    if !binder.marked.isEmpty { try save.note(binder.takeMarked(), plan) }
    if binder.hasLists { return false }
    if isConstrained {
      if generation != store.marks.generation { lookAtMarks() }
      if isHidden { return false }
      return try writeConstrained()
    }
    try statement.run()
    try finish(row)
    return true
  }

  private func writeConstrained() throws -> Bool {
    do {
      // Other statements may have updated rows meanwhile.
      if overwrites { hook.clear() }
      try statement.run()
    } catch let error as SQLiteError where error.isUniqueViolation {
      refusal = error
      return false
    }
    if overwrites, let existing = hook.row {
      try noteMerge(with: existing)
    } else {
      try finish(row)
    }
    return true
  }

  private func lookAtMarks() {
    generation = store.marks.generation
    isHidden = plan.constraints.contains { constraint in
      constraint.columns.contains { store.marks.mayHoldNonNFC(plan.entity.table, $0) }
    }
  }

  /// Leaves out a row that breaks a rule, which has been noted.
  func drop() throws {
    binder.discardFiles()
    binder.hasLists = false
    refusal = nil
    if !wasExpected { returnKey() }
    connection.arena.reset()
    if save.violations.count >= Self.mostViolations { try save.throwViolations() }
  }

  /// So many broken rules say enough.
  private static let mostViolations = 1_000

  /// A row that was there has taken the values, or has stayed as it was.
  func noteMerge(with existing: Int64, isKept: Bool = false) throws {
    if refersToItself, let serial {
      if wasExpected { try save.redirect(from: row, to: existing, plan) }
      save.keys[serial] = existing
    }
    if !wasExpected { returnKey() }
    if !isKept {
      outcome.result.updatedCount += 1
      merged.append(existing)
    }
    try finish(existing, isMerged: true)
  }

  /// A row that was named by its own identifier has the values.
  func noteOverwriting(_ existing: Int64) throws {
    outcome.result.updatedCount += 1
    merged.append(existing)
    try finish(existing, isMerged: true)
  }

  func finish(_ written: Int64, isMerged: Bool = false) throws {
    rows.append(written)
    if isConstrained, let serial, !isMerged { serials.append(serial, row: written) }
    if hasPairs { paired.append((written, isMerged)) }
    if isMerged {
      mergedCount += 1
    } else {
      newRows.append(written)
      if written > lastRow ?? 0 { lastRow = written }
    }
    row = written
    if !binder.files.isEmpty { binder.files = [] }
    binder.hasLists = false
    arena.reset()
    count += 1
    if count == nextReport {
      nextReport += progress.interval
      try progress.report?(count)
    }
  }
}

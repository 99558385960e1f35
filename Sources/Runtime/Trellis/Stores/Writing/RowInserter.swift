/// Inserts rows of one entity, one at a time: for saves and batches.
struct RowInserter {
  private let driver: SQLiteSaveDriver
  private let plan: EntityStatements
  private let statement: Statement
  private let arena: Arena
  private var binder: StatementBinder
  private var hidden: HiddenConflicts
  /// The highest key of the table; nil where it is not worth a query.
  private var highest: Int64?
  private var takesNextKey = false

  /// - Parameter isLong: true if enough rows follow to look up the highest key first.
  init(_ driver: SQLiteSaveDriver, _ plan: EntityStatements, keys: KeyTable, isLong: Bool) throws {
    self.driver = driver
    self.plan = plan
    let connection = driver.connection
    arena = connection.arena
    statement = try connection.statement(slot: plan.slot(.insertion), plan.insertion.text)
    binder = StatementBinder(statement, arena: arena, shape: plan.shape, keys: keys)
    hidden = HiddenConflicts(plan, nil, driver.store.marks)
    if !plan.entity.discriminators.isEmpty {
      try statement.bind(.text(plan.entity.name), at: plan.discriminatorParameter)
    }
    if isLong { highest = try Self.highestKey(plan, connection) }
    statement.isInUse = true
  }

  func finish() {
    driver.connection.giveBack(statement)
    arena.reset()
  }

  /// - Parameters:
  ///   - row: the key of the new row.
  ///   - isChecked: true if no other row has the unique values.
  /// - Throws: an error for which ``SQLiteSaveDriver/isConflict(_:)`` is true if another row may have the unique values.
  mutating func insert(_ buffer: SnapshotBuffer, _ index: Int, as row: Int64, isChecked: Bool) throws {
    if let highest, highest &+ 1 == row {
      // SQLite chooses this key for NULL, without a search for an existing row.
      if !takesNextKey { try statement.bind(.null, at: 1) }
      takesNextKey = true
    } else {
      statement.bind(row, at: 1)
      takesNextKey = false
    }
    try buffer.bind(index, to: &binder)
    if !binder.marked.isEmpty { try driver.note(binder.takeMarked(), plan) }
    do {
      if !isChecked { try hidden.throwIfAny() }
      try statement.run()
    } catch {
      binder.discardFiles()
      arena.reset()
      throw error
    }
    if let last = highest, row > last { highest = row }
    if !binder.files.isEmpty { driver.note(binder.takeFiles()) }
    arena.reset()
  }

  private static func highestKey(_ plan: EntityStatements, _ connection: Connection) throws -> Int64 {
    try connection.integers("SELECT MAX(\(name: plan.entity.keyColumn)) FROM \(name: plan.entity.table)").first ?? 0
  }
}

/// Updates rows of one entity in one set of columns.
struct RowUpdater {
  private let driver: SQLiteSaveDriver
  private let plan: EntityStatements
  private let statement: Statement
  private var binder: StatementBinder
  private var hidden: HiddenConflicts
  private let isCached: Bool

  /// - Parameter changed: the slots to write; nil for all.
  init(_ driver: SQLiteSaveDriver, _ plan: EntityStatements, _ changed: PropertySet?, keys: KeyTable) throws {
    self.driver = driver
    self.plan = plan
    let connection = driver.connection
    if let changed {
      statement = try connection.take(plan.update(changed.slots).text)
    } else {
      let slots = Array(plan.entity.columns.indices)
      statement = try connection.statement(slot: plan.slot(.update), plan.update(slots).text)
    }
    isCached = changed != nil
    binder = StatementBinder(statement, arena: connection.arena, shape: plan.shape, keys: keys)
    binder.changed = changed
    hidden = HiddenConflicts(plan, changed, driver.store.marks)
  }

  func finish() {
    if isCached { driver.connection.giveBack(statement) } else { statement.clear() }
    driver.connection.arena.reset()
  }

  /// Writes the values of a row; false if there is no row.
  ///
  /// - Throws: an error for which ``SQLiteSaveDriver/isConflict(_:)`` is true if another row may have the unique values.
  mutating func update(_ row: Int64, with buffer: SnapshotBuffer, _ index: Int, isChecked: Bool) throws -> Bool {
    statement.bind(row, at: 1)
    try buffer.bind(index, to: &binder)
    if !binder.marked.isEmpty { try driver.note(binder.takeMarked(), plan) }
    do {
      if !isChecked { try hidden.throwIfAny() }
      try statement.run()
    } catch {
      binder.discardFiles()
      throw error
    }
    if !binder.files.isEmpty { driver.note(binder.takeFiles()) }
    driver.connection.arena.reset()
    return driver.connection.changes > 0
  }
}

/// The conflicts of unique values that an index does not notice, because equal text may have different bytes.
struct HiddenConflicts {
  /// Thrown instead of writing values.
  struct Suspicion: Error {}

  private let table: String
  private let columns: [String]
  private let marks: ColumnFlags
  private var isPossible = false
  /// The column flags that ``isPossible`` was derived from.
  private var generation = -1

  /// - Parameter changed: the slots to write; nil for all.
  init(_ plan: EntityStatements, _ changed: PropertySet?, _ marks: ColumnFlags) {
    table = plan.entity.table
    self.marks = marks
    columns = plan.constraints.flatMap { constraint in
      constraint.slots.contains { changed?.contains($0) ?? true } ? constraint.columns : []
    }
  }

  @inline(__always) mutating func throwIfAny() throws {
    guard !columns.isEmpty else { return }
    if generation != marks.generation {
      generation = marks.generation
      isPossible = columns.contains { marks.mayHoldNonNFC(table, $0) }
    }
    if isPossible { throw Suspicion() }
  }
}

/// Chooses the page cache of the writer.
extension DefaultStore {
  /// The number of new rows from which on the page cache matters.
  private static let manyRows = 1_000

  /// Called at the beginning of a save's transaction.
  func prepareCache(
    for request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ connection: Connection
  ) throws {
    guard request.updated.isEmpty, request.deleted.isEmpty, request.inserted.count >= Self.manyRows,
      try onlyAppends(request.inserted)
    else { return try connection.enlargeCache(to: .writing) }
    try connection.shrinkCache()
  }

  /// True if a new row changes only the last pages of its table.
  func appends(_ plan: EntityStatements) -> Bool {
    guard !plan.entity.columns.contains(where: { $0.destination != nil }),
      let table = catalogue.tables.first(where: { $0.name == plan.entity.table })
    else { return false }
    return table.indexes.isEmpty
  }

  private func onlyAppends(_ snapshots: [DefaultSnapshot]) throws -> Bool {
    // One buffer has all snapshots of a class.
    var latest: SnapshotBuffer?
    for snapshot in snapshots where snapshot.buffer !== latest {
      latest = snapshot.buffer
      guard let definition = snapshot.buffer.definition, appends(try plans.plan(for: definition)) else {
        return false
      }
    }
    return true
  }
}

/// Writes rows of one entity with one statement: an insertion, or an update of one set of columns. For saves and batches.
struct TableWriter {
  /// Thrown instead of writing unique text if a row may have equal text with other bytes, which an index does not notice.
  struct SuspectedConflict: Error {}

  private let driver: SQLiteSaveDriver
  private let plan: EntityStatements
  private let statement: Statement
  private let arena: Arena
  private var binder: StatementBinder
  /// The columns that no two rows may have equal values in.
  private let uniqueColumns: [String]
  /// The generation of the column flags from which ``isSuspect`` was derived.
  private var generation = -1
  /// True if a unique column may have text that is not in Normalization Form C.
  private var isSuspect = false
  /// The highest key of the table; nil where it is not worth a query.
  private var highest: Int64?
  private var takesNextKey = false

  /// A writer of new rows.
  ///
  /// - Parameter isLong: true if enough rows follow to look up the highest key first.
  init(inserting plan: EntityStatements, _ driver: SQLiteSaveDriver, keys: KeyTable, isLong: Bool) throws {
    let connection = driver.connection
    // Before the statement is taken, which is given back by `finish()` only.
    let highest =
      try isLong
      ? connection.integers("SELECT MAX(\(name: plan.entity.keyColumn)) FROM \(name: plan.entity.table)").first ?? 0
      : nil
    try self.init(connection.take(plan.number(.insertion), plan.insertion.text), plan, nil, driver, keys)
    self.highest = highest
    if !plan.entity.discriminators.isEmpty {
      try statement.bind(.text(plan.entity.name), at: plan.discriminatorParameter)
    }
  }

  /// A writer of existing rows.
  ///
  /// - Parameter changed: the slots to write; nil for all.
  init(updating plan: EntityStatements, _ changed: PropertySet?, _ driver: SQLiteSaveDriver, keys: KeyTable) throws {
    let connection = driver.connection
    let statement =
      try changed.map { try connection.take(plan.update($0.slots).text) }
      ?? connection.take(plan.number(.update), plan.update(Array(plan.entity.columns.indices)).text)
    self.init(statement, plan, changed, driver, keys)
  }

  private init(
    _ statement: Statement, _ plan: EntityStatements, _ changed: PropertySet?, _ driver: SQLiteSaveDriver,
    _ keys: KeyTable
  ) {
    self.driver = driver
    self.plan = plan
    self.statement = statement
    arena = driver.connection.arena
    binder = StatementBinder(statement, arena: arena, shape: plan.shape, keys: keys)
    binder.changed = changed
    uniqueColumns = plan.constraints.flatMap { constraint in
      constraint.slots.contains { changed?.contains($0) ?? true } ? constraint.columns : []
    }
  }

  func finish() {
    driver.connection.giveBack(statement)
    arena.reset()
  }

  /// Writes the values of a row. ``Connection/changes`` is 0 if there is no row to update.
  ///
  /// - Parameter isChecked: true if no other row has the unique values.
  /// - Throws: an error for which ``SQLiteSaveDriver/isConflict(_:)`` is true if another row may have the unique values.
  mutating func write(_ row: Int64, _ buffer: SnapshotBuffer, _ index: Int, isChecked: Bool) throws {
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
      if !isChecked, !uniqueColumns.isEmpty { try throwIfSuspect() }
      try statement.run()
    } catch {
      binder.discardFiles()
      arena.reset()
      throw error
    }
    if let last = highest, row > last { highest = row }
    if !binder.files.isEmpty { driver.files += binder.takeFiles() }
    arena.reset()
  }

  private mutating func throwIfSuspect() throws {
    let marks = driver.store.marks
    if generation != marks.generation {
      generation = marks.generation
      isSuspect = uniqueColumns.contains { marks.mayHoldNonNFC(plan.entity.table, $0) }
    }
    if isSuspect { throw SuspectedConflict() }
  }
}

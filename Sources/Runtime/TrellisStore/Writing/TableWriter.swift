/// Writes an entity's rows with a single statement, either an insertion or an update with fixed columns. Used for
/// saves and batches.
struct TableWriter {
  /// Thrown before unique text is written if equal text with different bytes may exist, which an index does not
  /// detect.
  struct SuspectedConflict: Error {}

  private let driver: SQLiteSaveDriver
  private let plan: EntityStatements
  private let statement: Statement
  private let arena: Arena
  private var binder: StatementBinder
  /// Columns that are part of a unique constraint.
  private let uniqueColumns: [String]
  /// The column flag generation from which ``isSuspect`` was computed.
  private var generation = -1
  /// True if a unique column may contain text that is not in Normalization Form C.
  private var isSuspect = false
  /// The table's highest key; `nil` if looking it up would not pay off.
  private var highest: Int64?
  private var takesNextKey = false

  /// Creates a writer for new rows.
  ///
  /// - Parameter isLong: True if there are enough rows to look up the highest key first.
  init(inserting plan: EntityStatements, _ driver: SQLiteSaveDriver, keys: KeyTable, isLong: Bool) throws {
    let connection = driver.connection
    // Queried before taking the statement, which only `finish()` returns.
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

  /// Creates a writer for existing rows.
  ///
  /// - Parameter changed: The slots to write; `nil` for all.
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
    driver.connection.checkIn(statement)
    arena.reset()
  }

  /// Writes a row's values. ``Connection/changes`` is 0 if the row does not exist.
  ///
  /// - Parameter isChecked: True if no other row has the unique values.
  /// - Throws: An error for which ``SQLiteSaveDriver/isConflict(_:)`` is true if a row may already have the unique
  ///   values.
  mutating func write(_ row: Int64, _ buffer: SnapshotBuffer, _ index: Int, isChecked: Bool) throws {
    if let highest, highest &+ 1 == row {
      // For NULL, SQLite chooses this key and does not search for an existing row.
      if !takesNextKey { try statement.bind(.null, at: 1) }
      takesNextKey = true
    } else {
      statement.bind(row, at: 1)
      takesNextKey = false
    }
    try buffer.bind(index, to: &binder)
    if !binder.marked.isEmpty { try driver.record(binder.drainMarks(), plan) }
    do {
      if !isChecked, !uniqueColumns.isEmpty { try throwIfSuspect() }
      try statement.run()
    } catch {
      binder.discardFiles()
      arena.reset()
      throw error
    }
    if let last = highest, row > last { highest = row }
    if !binder.files.isEmpty { driver.files += binder.drainFiles() }
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

import Foundation

/// Runs a save's SQLite statements sequentially, inside the save's transaction.
///
/// A ``TableSave`` determines the order of the changes and calls the driver for each change.
///
/// Most saves violate no unique constraint, so the database is left to detect conflicts. Only after a conflict are the
/// conflicting rows read and the save restarted.
final class SQLiteSaveDriver: SaveDriver {
  let store: DefaultStore
  let connection: Connection
  /// True if the rows that have unique values from the save were read.
  private var isChecked = false
  private let author: String?
  private var save: TableSave?
  /// Column flags that are set in memory and in this transaction, but not yet committed.
  private(set) var newMarks: Set<ColumnFlags.Mark> = []
  /// Files written for rows.
  var files: [String] = []
  /// The history transaction number, once assigned.
  private(set) var historyNumber: Int64?

  /// The minimum row count for which looking up the highest key pays off.
  private static let manyRows = 16

  init(_ store: DefaultStore, _ connection: Connection, author: String?) {
    self.store = store
    self.connection = connection
    self.author = author
  }

  // MARK: the save

  /// - Parameter keepsKeys: True if the inserted snapshots already have keys.
  func run(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>, keepsKeys: Bool = false) throws {
    if !request.committed.isEmpty {
      try ConflictCheck(request: request).run { identifiers, definition, buffer in
        try OneState(store: store, connection: connection).rows(of: identifiers) { row in
          try definition.codec.read(statement: &row, into: buffer)
        }
      }
    }
    func newSave() throws -> TableSave {
      let save = try TableSave(request, store.plans, store.history, through: self)
      self.save = save
      return save
    }
    var save = try newSave()
    if save.isConstrained {
      let keysBefore = store.keys.state
      do {
        try connection.savepoint { try save.write(keepsKeys: keepsKeys, settlesPairs: true) }
      } catch  where isConflict(error) {
        store.keys.restore(keysBefore)
        restart()
        save = try newSave()
        try save.write(checksValues: true, keepsKeys: keepsKeys, settlesPairs: true)
      }
    } else {
      try save.write(keepsKeys: keepsKeys, settlesPairs: true)
    }
    try save.writeHistory(hasTombstones: historyNumber != nil)
  }

  /// Resets the driver after a rollback. The next attempt checks unique values before writing.
  private func restart() {
    for name in files { store.files?.remove(name) }
    files = []
    newMarks = []
    historyNumber = nil
    isChecked = true
  }

  /// Explains a foreign key violation.
  func explained(_ error: any Error) -> any Error {
    guard (error as? SQLiteError)?.isForeignKeyViolation == true else { return error }
    let orphans = OrphanedRows(store.plans) { [save] row, plan in
      save?.identifier(of: row, plan) ?? PersistentIdentifier(token: plan.token, row: row)
    } rows: { [connection] query in
      try connection.rows(query).compactMap { row in
        if case .integer(let key) = row[0], case .integer(let other) = row[1] { (key, other) } else { nil }
      }
    }
    guard let violations = try? orphans.violations(), !violations.isEmpty else { return error }
    return SwiftDataError.modelValidationFailure.listing(violations)
  }

  var result: DataStoreSaveChangesResult<DefaultSnapshot> {
    save?.result(store.identifier, historyToken) ?? DataStoreSaveChangesResult(for: store.identifier)
  }

  /// Returns true if the error indicates that a row may duplicate unique values.
  func isConflict(_ error: any Error) -> Bool {
    error is TableWriter.SuspectedConflict || (error as? SQLiteError)?.isUniqueViolation == true
  }

  /// Sets the column flags that a row's values require.
  func record(_ marks: [StatementBinder.Mark], _ plan: EntityStatements) throws {
    let marks = marks.map { mark in
      ColumnFlags.Mark(
        kind: mark.kind, table: plan.entity.table, column: plan.columnName(ofParameter: mark.slot))
    }
    // Set in memory before the commit, so that readers in this process see every flag.
    store.marks.formUnion(marks)
    for mark in marks where !store.persistedMarks.contains(mark) {
      guard newMarks.insert(mark).inserted else { continue }
      try StoreMetadata.write(.integer(1), for: mark.key, connection)
    }
  }

  // MARK: rows

  func newKeys(_ count: Int, of plan: EntityStatements) throws -> [Range<Int64>] {
    let first = try store.keys.take(count, of: plan.entity, connection)
    return [first..<first + Int64(count)]
  }

  func update(_ positions: Range<Int>, _ plan: EntityStatements, of save: TableSave) throws {
    let updated = save.request.updated
    var writer = try TableWriter(updating: plan, updated[positions.lowerBound].changed, self, keys: save.keys)
    defer { writer.finish() }
    for position in positions {
      let (buffer, index) = (updated[position].buffer, updated[position].index)
      let identifier = buffer.identifier(index)
      guard let row = identifier.row else { continue }
      try writer.write(row, buffer, index, isChecked: isChecked)
      if connection.changes == 0 { save.violations.append(.deletedElsewhere(identifier)) }
    }
  }

  func overwrite(_ positions: [Int], _ plan: EntityStatements, of save: TableSave) throws {
    var writer = try TableWriter(updating: plan, nil, self, keys: save.keys)
    defer { writer.finish() }
    for position in positions {
      let snapshot = save.request.inserted[position]
      let row = save.rows[position]
      try writer.write(row, snapshot.buffer, snapshot.index, isChecked: true)
      guard connection.changes == 0 else { continue }
      save.violations.append(.deletedElsewhere(PersistentIdentifier(token: plan.token, row: row)))
    }
  }

  func insert(_ group: TableSave.Group, of save: TableSave) throws {
    let isLong = group.written.count >= Self.manyRows
    var writer = try TableWriter(inserting: group.plan, self, keys: save.keys, isLong: isLong)
    defer { writer.finish() }
    let inserted = save.request.inserted
    let rows = save.rows
    for position in group.written {
      // Passed directly: copying a snapshot takes longer than the call.
      try writer.write(rows[position], inserted[position].buffer, inserted[position].index, isChecked: isChecked)
    }
  }

  func existing(_ keys: [Int64], _ plan: EntityStatements) throws -> [Int64] { keys }

  func delete(_ groups: [(EntityStatements, [Int64])]) throws {
    if groups.reduce(0, { $0 + $1.1.count }) > DeletionPlan.longestChain {
      for (plan, keys) in groups {
        if let fragment = plan.deletionPlan.unchaining { try connection.executeCached(fragment, keys: keys) }
      }
    }
    for (plan, keys) in groups {
      for fragment in plan.deletionPlan.forgetting { try connection.executeCached(fragment, keys: keys) }
      try connection.executeCached(plan.deletionPlan.deletion, keys: keys)
    }
  }

  // MARK: unique values

  func rows(
    withValuesOf snapshots: [DefaultSnapshot], _ constraint: Int, _ plan: EntityStatements, _ keys: KeyTable
  ) throws -> [Int64] {
    let columns = plan.constraints[constraint].columns
    let isNormalized = columns.contains { store.marks.mayHoldNonNFC(plan.entity.table, $0) }
    let statement = try connection.take(
      plan.number(conflict: constraint, isNormalized: isNormalized),
      plan.conflict(with: plan.constraints[constraint], isNormalized: isNormalized).text)
    defer { connection.checkIn(statement) }
    var binder = StatementBinder(statement, arena: connection.arena, shape: plan.shape, keys: keys)
    binder.changed = PropertySet(plan.constraints[constraint].slots)
    var found: [Int64] = []
    for snapshot in snapshots {
      let identifier = snapshot.persistentIdentifier
      statement.bind(identifier.token == plan.token ? identifier.row ?? -1 : -1, at: 1)
      try snapshot.buffer.bind(snapshot.index, to: &binder)
      // Rows with different bytes may have equal text.
      if !binder.marked.isEmpty { try record(binder.drainMarks(), plan) }
      while try statement.step() { found.append(statement.integer(0)) }
      statement.reset()
      connection.arena.reset()
    }
    return found
  }

  func displace(_ columns: [Int], of constraint: UniqueConstraint, _ keys: [Int64], _ plan: EntityStatements) throws {
    guard let first = columns.first else { return }
    let name = constraint.columns[first]
    let value = plan.entity.columns[constraint.slots[first]].unusedValue(of: name)
    try connection.executeCached(plan.displacement(name, by: value), keys: keys)
  }

  // MARK: history

  func visitOwners(
    of keys: [Int64], in list: ListPartners.List, _ body: (_ row: Int64, _ entity: String?) throws -> Void
  ) throws {
    let statement = try connection.take(list.query.text)
    defer { connection.checkIn(statement) }
    try statement.bind(.keys(keys), at: 1)
    while try statement.step() { try body(statement.integer(0), statement.text(1)) }
  }

  func writeTombstones(of keys: [Int64], _ plan: EntityStatements) throws {
    guard let history = store.history, !plan.entity.preservedColumns.isEmpty else { return }
    let transaction = try historyNumber ?? HistoryTables.next(connection)
    historyNumber = transaction
    let number = try history.number(of: plan.entity)
    try TombstoneWriter(entity: plan.entity, number: number, transaction: transaction, connection: connection)
      .write(keys, store.files)
  }

  func writeHistory(_ changes: [UInt8]) throws {
    historyNumber = try store.history?.write(changes, author: author, id: historyNumber, connection)
  }

  /// The history position after the transaction; `nil` if it was not recorded.
  var historyToken: DefaultHistoryToken? { historyNumber.map(store.token) }

  // MARK: queries

  func snapshots(of identifiers: [PersistentIdentifier]) throws -> [DefaultSnapshot] {
    var collector = SnapshotCollector()
    try OneState(store: store, connection: connection).rows(of: identifiers) { try collector.add(&$0) }
    return collector.snapshots
  }

  func integers(_ query: SQLFragment) throws -> [Int64] { try connection.integers(query) }

  func execute(_ statement: SQLFragment) throws { try connection.executeCached(statement) }
}

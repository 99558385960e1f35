/// Writes a batch of snapshots with a ``TableWriter``, as in a save.
final class TableBatch: BatchWriter {
  private let plan: EntityStatements
  private let progress: BatchProgress
  private let store: DefaultStore
  private let driver: SQLiteSaveDriver
  private let isUpsert: Bool
  /// True if snapshots overwrite rows with the same unique values.
  private let overwrites: Bool
  /// `nil` if the batch is not recorded.
  private let history: HistoryLog?
  /// The owner and position columns of the ordered lists that contain the rows.
  private let places: [(owner: String, place: String)]
  @exclusivity(unchecked) private var check: BatchCheck
  @exclusivity(unchecked) private var inserter: TableWriter
  private var updater: TableWriter?
  /// Keys reserved for the next rows.
  @exclusivity(unchecked) private var keys: Range<Int64> = 0..<0
  /// The snapshots' rows, in order, and the new rows.
  @exclusivity(unchecked) private var rows = RowRuns()
  @exclusivity(unchecked) private var newRows = RowRuns()
  private var record = HistoryRecord()
  /// The number of snapshots so far.
  @exclusivity(unchecked) private var count = 0
  private(set) var outcome = BatchOutcome()

  init(
    _ store: DefaultStore, _ driver: SQLiteSaveDriver, _ plan: EntityStatements, isUpsert: Bool,
    overwrites: Bool, _ progress: BatchProgress, recordsHistory: Bool
  ) throws {
    self.plan = plan
    self.progress = progress
    self.store = store
    self.driver = driver
    self.isUpsert = isUpsert
    self.overwrites = overwrites
    history = recordsHistory ? store.history : nil
    places = try plan.entity.definition.relations.references.compactMap { relation in
      guard let inverse = relation.inverse, inverse.kind.isToMany else { return nil }
      let owners = try store.plans.plan(for: relation.destination).entity
      return owners.lists[inverse.slot].orderColumn.map { (plan.entity.columns[relation.slot].name, $0) }
    }
    check = BatchCheck(plan, isUpsert: isUpsert)
    inserter = try TableWriter(inserting: plan, driver, keys: KeyTable(), isLong: true)
  }

  func close() {
    inserter.finish()
    updater?.finish()
  }

  // MARK: rows

  func add(_ snapshots: SnapshotBuffer) throws {
    for index in 0..<snapshots.count {
      if try check.accepts(snapshots, index), let row = try write(snapshots, index) { rows.append(row) }
      count += 1
      if count == progress.nextCount || count % 64 == 0 { try progress.update(count) }
    }
    try progress.update(count)
  }

  /// Writes a snapshot and returns the row; `nil` for a violation.
  private func write(_ snapshots: SnapshotBuffer, _ index: Int) throws -> Int64? {
    let identifier = snapshots.identifier(index)
    if check.isSaved(identifier) { return try overwrite(identifier, DefaultSnapshot(buffer: snapshots, index: index)) }
    // A search takes less time than a failed insertion, and failed insertions are common in an upsert.
    if isUpsert, !plan.constraints.isEmpty { return try merge(snapshots, index) }
    do {
      return try insert(snapshots, index, isChecked: false)
    } catch  where driver.isConflict(error) {
      return try merge(snapshots, index)
    }
  }

  private func insert(_ snapshots: SnapshotBuffer, _ index: Int, isChecked: Bool) throws -> Int64 {
    if keys.isEmpty {
      let size = min(max(64, count), 4096)
      let first = try store.keys.take(size, of: plan.entity, driver.connection)
      keys = first..<first + Int64(size)
    }
    let row = keys.lowerBound
    try inserter.write(row, snapshots, index, isChecked: isChecked)
    keys = row + 1..<keys.upperBound
    newRows.append(row)
    return row
  }

  /// Overwrites the row that has the snapshot's unique values, or inserts the snapshot if there is no such row.
  private func merge(_ snapshots: SnapshotBuffer, _ index: Int) throws -> Int64? {
    let snapshot = DefaultSnapshot(buffer: snapshots, index: index)
    let conflicts = try conflicts(of: snapshot)
    guard let row = conflicts.first?.row else { return try insert(snapshots, index, isChecked: true) }
    guard overwrites else { throw ConflictingBatch() }
    let failing = try conflicts.filter { try $0.row != row || otherEntity(of: $0.row) != nil }
    return try refuses(snapshot, failing) ? nil : overwrite(row, snapshot)
  }

  /// Returns the rows that have the snapshot's unique values.
  private func conflicts(of snapshot: DefaultSnapshot) throws -> [(constraint: UniqueConstraint, row: Int64)] {
    try plan.constraints.indices.flatMap { number in
      try driver.rows(withValuesOf: [snapshot], number, plan, KeyTable()).map { (plan.constraints[number], $0) }
    }
  }

  /// Records conflicts as violations; returns true if there are any.
  private func refuses(
    _ snapshot: DefaultSnapshot, _ conflicts: [(constraint: UniqueConstraint, row: Int64)]
  ) throws -> Bool {
    for (constraint, row) in conflicts {
      check.violations.append(
        .conflict(
          of: snapshot, constraint.properties, withEntity: try otherEntity(of: row) ?? plan.entity.name,
          PersistentIdentifier(token: plan.token, row: row)))
    }
    return !conflicts.isEmpty
  }

  /// Overwrites the row that has the snapshot's identifier.
  private func overwrite(_ identifier: PersistentIdentifier, _ snapshot: DefaultSnapshot) throws -> Int64? {
    let root = try store.plans.plan(of: identifier.token, store.identifier)?.entity.rootName
    guard root == plan.entity.rootName, let row = identifier.row else {
      check.violations.append(
        .init(model: identifier, properties: [], reason: "does not belong to \(plan.entity.name)"))
      return nil
    }
    if let other = try otherEntity(of: row) {
      check.violations.append(.overwriting(identifier, other, with: plan.entity.name))
      return nil
    }
    return try refuses(snapshot, conflicts(of: snapshot)) ? nil : overwrite(row, snapshot)
  }

  private func overwrite(_ row: Int64, _ snapshot: DefaultSnapshot) throws -> Int64? {
    let identifier = PersistentIdentifier(token: plan.token, row: row)
    let old = history == nil ? nil : try driver.snapshots(of: [identifier]).first
    var updater = try self.updater ?? TableWriter(updating: plan, nil, driver, keys: KeyTable())
    defer { self.updater = updater }
    let owners = try places.map { try value(of: $0.owner, row) }
    try updater.write(row, snapshot.buffer, snapshot.index, isChecked: true)
    guard driver.connection.changes > 0 else {
      check.violations.append(.deletedElsewhere(identifier))
      return nil
    }
    // A member that moves to a different ordered list loses its position.
    for (place, owner) in zip(places, owners) where try value(of: place.owner, row) != owner {
      try driver.connection.executeCached(
        """
        UPDATE \(name: plan.entity.table) SET \(name: place.place) = NULL
        WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
        """)
    }
    outcome.recordUpdate(identifier)
    if let history, let old {
      let columns = try snapshot.buffer.differing(snapshot.index, from: old.buffer, old.index)
      record.add(row, of: try history.number(of: plan.entity), columns: columns)
    }
    return row
  }

  /// Returns a row's entity in a shared table if it differs from the batch's entity.
  private func otherEntity(of row: Int64) throws -> String? {
    guard !plan.entity.discriminators.isEmpty, case .text(let name)? = try value(of: plan.entity.entityColumn, row),
      name != plan.entity.name
    else { return nil }
    return name
  }

  private func value(of column: String, _ row: Int64) throws -> SQLValue? {
    try driver.connection.rows(
      """
      SELECT \(name: column) FROM \(name: plan.entity.table)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
      """
    ).first?.first
  }

  // MARK: the end

  /// Completes the transaction after all snapshots are written.
  func complete() throws {
    try check.throwViolations()
    store.keys.checkIn(keys, of: plan.entity)
    for run in rows.runs { outcome.result.identifiers.append(run, plan.token) }
    for run in newRows.runs { outcome.result.insertedCount += run.keys.count }
    outcome.result.updatedCount = outcome.result.count - outcome.result.insertedCount
    guard !rows.isEmpty, let log = store.history else { return }
    if history != nil { record.insert(newRows, of: try log.number(of: plan.entity)) }
    guard let changes = log.changes(history == nil ? nil : record) else { return }
    try driver.writeHistory(changes)
    outcome.historyToken = driver.historyToken
  }
}

/// A snapshot has the same unique values as a row that the batch does not overwrite.
private struct ConflictingBatch: Error {}

extension DefaultStore {
  /// Runs a batch in a single transaction. An error leaves the store unchanged.
  package func write(
    _ definition: ModelDefinition, isUpsert: Bool, _ progress: BatchProgress,
    _ editingState: EditingState, _ body: BatchBody
  ) throws -> BatchOutcome? {
    try checkWritable()
    let plan = try plans.plan(for: definition)
    let overwrites = isUpsert || plan.constraints.allSatisfy { $0.policy == .replace }
    guard plan.isIndependent, overwrites || progress.isRepeatable else { return nil }
    // A row moved to a different ordered list is placed after members that have no position. During a migration,
    // models may be unreadable.
    if isUpsert || !plan.constraints.isEmpty, definition.isMemberOfOrderedLists {
      guard case .transaction = pool.place else { return nil }
    }
    do {
      return try writing { connection in
        let keysBefore = keys.state
        do {
          let driver = SQLiteSaveDriver(self, connection, author: editingState.author)
          let batch = try TableBatch(
            self, driver, plan, isUpsert: isUpsert, overwrites: overwrites, progress,
            recordsHistory: editingState.recordsHistory)
          defer { batch.close() }
          try connection.write(explaining: driver.explained) {
            try checkVersion(connection)
            try body(batch)
            try batch.complete()
          }
          persistedMarks.formUnion(driver.newMarks)
          return batch.outcome
        } catch {
          // With a single connection, the batch's sequence and progress block may already have fetched the new rows.
          if case .file = pool.place { keys.restore(keysBefore) } else { keys.closeBlocks() }
          throw error
        }
      }
    } catch is ConflictingBatch {
      return nil
    }
  }
}

extension ModelDefinition {
  fileprivate var isMemberOfOrderedLists: Bool {
    relations.references.contains { $0.inverse?.relationship?.isOrdered == true }
  }
}

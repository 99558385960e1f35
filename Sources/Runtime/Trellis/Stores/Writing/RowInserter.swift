/// Inserts rows of one entity, one at a time: for saves, batches and streams.
///
/// A row that breaks a unique constraint is merged with the existing row, as the policy of the constraint says, or
/// becomes a violation.
struct RowInserter {
  /// The result for one row.
  enum Outcome {
    case inserted
    /// The existing row with this key has the new values.
    case overwritten(Int64)
    /// The existing row with this key has kept its values.
    case kept(Int64)
    /// A constraint refuses the row. The pass has the violation.
    case refused
  }

  private let pass: StoreSavePass
  private let plan: EntityStatements
  private let statement: Statement
  private let arena: Arena
  private var binder: StatementBinder
  /// Overwrites the existing row whatever the policies of the constraints say.
  private let isForced: Bool
  /// Reports the row that an upsert statement has overwritten; nil for an insert statement.
  private let hook: UpdateHook?
  /// The highest key of the table; nil where it is not worth a query.
  private var highest: Int64?
  private var takesNextKey = false
  /// True if equal text may have different bytes, which an index does not notice.
  private var mayHideConflicts = false
  /// The column flags that ``mayHideConflicts`` was derived from.
  private var generation = -1

  /// - Parameters:
  ///   - isForced: true to overwrite existing rows whatever the policies of the constraints say.
  ///   - upsertion: a statement that updates the existing row by itself.
  ///   - isLong: true if enough rows follow to look up the highest key first.
  init(
    _ pass: StoreSavePass, _ plan: EntityStatements, isForced: Bool = false, upsertion: SQLFragment? = nil, isLong: Bool
  ) throws {
    self.pass = pass
    self.plan = plan
    self.isForced = isForced
    let connection = pass.connection
    arena = connection.arena
    if let upsertion {
      statement = try connection.take(upsertion.text)
      hook = UpdateHook()
    } else {
      statement = try connection.statement(slot: plan.slot(.insertion), plan.insertion.text)
      hook = nil
    }
    binder = StatementBinder(statement, arena: arena, shape: plan.shape, keys: pass.keys)
    if !plan.entity.discriminators.isEmpty {
      try statement.bind(.text(plan.entity.name), at: plan.discriminatorParameter)
    }
    if isLong { highest = try Self.highestKey(plan, connection) }
    statement.isInUse = true
    hook?.install(on: connection)
  }

  func finish() {
    hook?.remove(from: pass.connection)
    pass.connection.giveBack(statement)
    arena.reset()
  }

  /// True if the last row names members of lists, which the statement does not write.
  var hasLists: Bool { binder.hasLists }

  /// - Parameter row: the key of the new row.
  mutating func insert(_ buffer: SnapshotBuffer, _ index: Int, as row: Int64) throws -> Outcome {
    if let highest, highest &+ 1 == row {
      // SQLite chooses this key for NULL, without a search for an existing row.
      if !takesNextKey { try statement.bind(.null, at: 1) }
      takesNextKey = true
    } else {
      statement.bind(row, at: 1)
      takesNextKey = false
    }
    binder.hasLists = false
    try buffer.bind(index, to: &binder)
    if !binder.marked.isEmpty { try pass.note(binder.takeMarked(), plan) }
    var outcome = Outcome.inserted
    if plan.constraints.isEmpty {
      try statement.run()
    } else {
      outcome = try insertUnique(buffer, index, row)
    }
    if case .inserted = outcome, let last = highest, row > last { highest = row }
    if !binder.files.isEmpty { binder.files = [] }
    arena.reset()
    return outcome
  }

  private mutating func insertUnique(_ buffer: SnapshotBuffer, _ index: Int, _ row: Int64) throws -> Outcome {
    let flags = pass.store.marks
    if generation != flags.generation {
      generation = flags.generation
      mayHideConflicts = plan.constraints.contains { constraint in
        constraint.columns.contains { flags.mayHoldNonNFC(plan.entity.table, $0) }
      }
    }
    var refusal: SQLiteError?
    if !mayHideConflicts {
      do { return try run() } catch let error as SQLiteError where error.isUniqueViolation { refusal = error }
    }
    let snapshot = DefaultSnapshot(buffer: buffer, index: index)
    if let outcome = try pass.resolve(snapshot, row: row, plan, isForced: isForced) {
      binder.discardFiles()
      return outcome
    }
    if let refusal { throw refusal }
    return try run()
  }

  private func run() throws -> Outcome {
    // Other statements may have updated rows since.
    hook?.clear()
    try statement.run()
    return hook?.row.map { .overwritten($0) } ?? .inserted
  }

  private static func highestKey(_ plan: EntityStatements, _ connection: Connection) throws -> Int64 {
    try connection.integers("SELECT MAX(\(name: plan.entity.keyColumn)) FROM \(name: plan.entity.table)").first ?? 0
  }
}

extension StoreSavePass {
  /// The number of rows that makes a query for the highest key worthwhile.
  private static let manyRows = 16

  func insert(_ group: Group) throws {
    let plan = group.plan
    written.append(plan)
    var inserter = try RowInserter(self, plan, isLong: group.positions.count >= Self.manyRows)
    defer { inserter.finish() }
    let inserted = request.inserted
    for position in group.positions {
      // Not copied: copying a snapshot takes longer than the call.
      let outcome = try inserter.insert(inserted[position].buffer, inserted[position].index, as: rows[position])
      switch outcome {
      case .inserted, .refused: continue
      case .overwritten(let row), .kept(let row):
        try merge(rows[position], inserted[position].persistentIdentifier.row, into: row, plan)
        rows[position] = row
        merged.insert(position)
      }
    }
  }

  /// Leads all references to a new row to the existing row that it is merged with.
  ///
  /// - Parameter serial: the number of the temporary identifier.
  func merge(_ row: Int64, _ serial: Int64?, into existing: Int64, _ target: EntityStatements) throws {
    if let serial { keys[serial] = existing }
    guard row != existing else { return }
    for plan in written {
      for reference in plan.conflictStatements.redirections where reference.target == target.token {
        let statement = try connection.take(reference.text)
        defer { connection.giveBack(statement) }
        statement.bind(existing, at: 1)
        statement.bind(row, at: 2)
        try statement.run()
      }
    }
  }
}

/// Chooses the page cache of the writer.
extension DefaultStore {
  /// The number of new rows from which on the page cache matters.
  private static let manyRows = 1_000

  /// Called before the transaction of a save.
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

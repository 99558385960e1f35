extension StoreSavePass {
  func insert(_ group: Group) throws {
    let plan = group.plan
    let statement = try connection.statement(slot: plan.slot(.insertion), plan.insertion.text)
    var binder = StatementBinder(
      statement, arena: connection.arena, shape: plan.shape, keys: keys)
    defer {
      statement.clear()
      connection.arena.reset()
    }
    if !plan.entity.discriminators.isEmpty {
      try statement.bind(.text(plan.entity.name), at: plan.discriminatorParameter)
    }
    written.append(plan)
    let inserted = request.inserted
    // The key after the highest is what SQLite gives a row without one, and then it need not search the
    // table for a row that has it. Nobody else writes meanwhile.
    var highest = group.positions.count >= Self.manyRows ? try highestKey(plan) : nil
    var takesNextKey = false
    for position in group.positions {
      let row = rows[position]
      if let last = highest, last &+ 1 == row {
        if !takesNextKey { try statement.bind(.null, at: 1) }
        takesNextKey = true
      } else {
        statement.bind(row, at: 1)
        takesNextKey = false
      }
      // Taken apart where it lies: a copy of the snapshot costs more than the call.
      try inserted[position].batch.bind(inserted[position].index, to: &binder)
      if !binder.marked.isEmpty { try note(binder.takeMarked(), plan) }
      var isInserted = true
      if plan.constraints.isEmpty {
        try statement.run()
      } else if try !insert(inserted[position], position, plan, statement) {
        binder.discardFiles()
        isInserted = false
      }
      if let last = highest, isInserted, row > last { highest = row }
      if !binder.files.isEmpty { binder.files = [] }
      connection.arena.reset()
    }
  }

  /// From how many rows on it pays to know the highest key.
  private static let manyRows = 16

  private func highestKey(_ plan: EntityPlan) throws -> Int64 {
    let found = try connection.rows(
      "SELECT MAX(\(name: plan.entity.keyColumn)) FROM \(name: plan.entity.table)")
    guard case .integer(let key)? = found.first?.first else { return 0 }
    return key
  }

  /// Runs the statement of a row that a constraint may refuse; false when it has, and the conflict is
  /// settled.
  private func insert(
    _ snapshot: DefaultSnapshot, _ position: Int, _ plan: EntityPlan, _ statement: Statement
  ) throws -> Bool {
    if try isHiddenConflict(snapshot, position, plan) { return false }
    do {
      try statement.run()
      return true
    } catch let error as SQLiteError where error.isUniqueViolation {
      guard try resolve(snapshot, position, plan) else { throw error }
      return false
    }
  }

  /// Whether a row has the same unique text in other bytes, which the index cannot see. Settles the
  /// conflict if so.
  private func isHiddenConflict(
    _ snapshot: DefaultSnapshot, _ position: Int, _ plan: EntityPlan
  ) throws -> Bool {
    guard plan.constraints.contains(where: { isMarked($0, plan) }) else { return false }
    return try resolve(snapshot, position, plan)
  }

  private func isMarked(_ constraint: UniqueConstraint, _ plan: EntityPlan) -> Bool {
    constraint.columns.contains { store.marks.mayHoldNonNFC(plan.entity.table, $0) }
  }

  /// What has become of a row that breaks constraints.
  enum Resolution {
    /// It is an error, which has been noted.
    case reported
    /// The row that was there stays as it is.
    case kept(Int64)
    /// The row that was there has taken the new values.
    case overwritten(Int64)
  }

  /// Does what the policies of the broken constraints say; false when none is broken.
  private func resolve(
    _ snapshot: DefaultSnapshot, _ position: Int, _ plan: EntityPlan
  ) throws -> Bool {
    let existing: Int64
    switch try resolution(of: snapshot, row: rows[position], plan) {
    case nil: return false
    case .reported: return true
    case .kept(let row), .overwritten(let row): existing = row
    }
    try redirect(from: rows[position], to: existing, plan)
    rows[position] = existing
    if let serial = snapshot.persistentIdentifier.row { keys[serial] = existing }
    merged.insert(position)
    return true
  }

  /// The same for one row; nil when no constraint is broken.
  ///
  /// - Parameter isForced: whether the row in the way is overwritten whatever the policies say.
  func resolution(
    of snapshot: DefaultSnapshot, row: Int64, _ plan: EntityPlan, isForced: Bool = false
  ) throws -> Resolution? {
    let conflicts = try conflicts(of: snapshot, row: row, plan)
    guard let first = conflicts.first else { return nil }
    let failing = conflicts.filter {
      ($0.constraint.policy == .fail && !isForced) || $0.row != first.row
        || $0.entity != plan.entity.name
    }
    guard failing.isEmpty else {
      for conflict in failing { report(conflict, of: snapshot, plan) }
      return .reported
    }
    if !isForced, conflicts.contains(where: { $0.constraint.policy == .keep }) {
      try reregister(first.row, plan)
      return .kept(first.row)
    }
    return try overwrite(first, with: snapshot, plan) ? .overwritten(first.row) : .reported
  }

  /// Notes the values of a row that the context cannot know.
  func reregister(_ row: Int64, _ plan: EntityPlan) throws {
    if let snapshot = try values(of: row, plan) { kept[snapshot.persistentIdentifier] = snapshot }
  }

  /// What a row holds at this moment of the transaction.
  private func values(of row: Int64, _ plan: EntityPlan) throws -> DefaultSnapshot? {
    var collector = SnapshotCollector()
    let statement = try connection.statement(
      slot: plan.slot(.byKey), DefaultStore.row(of: plan).text)
    statement.bind(row, at: 1)
    try connection.run(statement, plan) { try collector.add(&$0) }
    return collector.snapshots.first
  }

  /// The existing row takes over all values of the new one; false when that breaks a constraint.
  private func overwrite(
    _ conflict: UniqueConflict, with snapshot: DefaultSnapshot, _ plan: EntityPlan
  ) throws -> Bool {
    let slots = Array(plan.entity.columns.indices)
    let before = history == nil ? nil : try values(of: conflict.row, plan)
    let statement = try connection.statement(slot: plan.slot(.update), plan.update(slots).text)
    defer { statement.clear() }
    var binder = StatementBinder(
      statement, arena: connection.arena, shape: plan.shape, keys: keys)
    statement.bind(conflict.row, at: 1)
    try snapshot.batch.bind(snapshot.index, to: &binder)
    do {
      if let overwriting {
        try overwriting(conflict.row) { try statement.run() }
      } else {
        try statement.run()
      }
      if let before {
        let changed = try snapshot.batch.differing(
          snapshot.index, from: before.batch, before.index, readsFiles: true)
        try noteChange(of: conflict.row, plan, changed)
      }
      return true
    } catch let error as SQLiteError where error.isUniqueViolation {
      let others = try conflicts(of: snapshot, row: conflict.row, plan)
      guard !others.isEmpty else { throw error }
      for other in others { report(other, of: snapshot, plan) }
      return false
    }
  }

  /// Rows that were written before refer to a key nobody has.
  func redirect(from old: Int64, to new: Int64, _ target: EntityPlan) throws {
    guard old != new else { return }
    for plan in written {
      for reference in plan.conflictStatements.redirections where reference.target == target.token {
        let statement = try connection.take(reference.text)
        defer { connection.giveBack(statement) }
        statement.bind(new, at: 1)
        statement.bind(old, at: 2)
        try statement.run()
      }
    }
  }
}

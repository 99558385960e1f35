/// Updates rows of one entity in one set of columns: for saves, for batches and for rows that new ones are merged
/// with.
struct RowUpdater {
  private let pass: StoreSavePass
  private let plan: EntityStatements
  private let changed: PropertySet?
  private let statement: Statement
  private var binder: StatementBinder
  private let isCached: Bool

  /// - Parameter changed: the slots to write; nil for all.
  init(_ pass: StoreSavePass, _ plan: EntityStatements, _ changed: PropertySet?) throws {
    self.pass = pass
    self.plan = plan
    self.changed = changed
    let connection = pass.connection
    if let changed {
      statement = try connection.take(plan.update(changed.slots).text)
    } else {
      let slots = Array(plan.entity.columns.indices)
      statement = try connection.statement(slot: plan.slot(.update), plan.update(slots).text)
    }
    isCached = changed != nil
    binder = StatementBinder(statement, arena: connection.arena, shape: plan.shape, keys: pass.keys)
    binder.changed = changed
  }

  func fits(_ plan: EntityStatements, _ changed: PropertySet?) -> Bool {
    self.plan === plan && self.changed == changed
  }

  func finish() {
    if isCached { pass.connection.giveBack(statement) } else { statement.clear() }
    pass.connection.arena.reset()
  }

  /// Writes the values of a row; false if that is a violation, which the pass has then.
  @discardableResult mutating func update(_ row: Int64, with snapshot: DefaultSnapshot) throws -> Bool {
    // Each constraint makes at most one other row give up its value before the next attempt.
    for _ in 0...plan.constraints.count {
      statement.bind(row, at: 1)
      try snapshot.buffer.bind(snapshot.index, to: &binder)
      if !binder.marked.isEmpty { try pass.note(binder.takeMarked(), plan) }
      guard try isRefused(row, snapshot) else { break }
      binder.discardFiles()
      let conflicts = try pass.conflicts(of: snapshot, row: row, plan)
      let blocking = try conflicts.filter { try !pass.displace($0, plan) }
      guard blocking.isEmpty else {
        for conflict in blocking { pass.report(conflict, of: snapshot, plan) }
        return false
      }
    }
    if !binder.files.isEmpty { binder.files = [] }
    pass.connection.arena.reset()
    guard pass.connection.changes == 0 else { return true }
    pass.violations.append(.deletedElsewhere(snapshot.persistentIdentifier))
    return false
  }

  /// Runs the statement; true if a constraint refuses the values.
  private func isRefused(_ row: Int64, _ snapshot: DefaultSnapshot) throws -> Bool {
    if plan.constraints.contains(where: { pass.mayHideConflicts($0, snapshot, plan) }),
      try !pass.conflicts(of: snapshot, row: row, plan).isEmpty
    {
      return true
    }
    do {
      if let aroundUpdate = pass.aroundUpdate {
        try aroundUpdate(row) { try statement.run() }
      } else {
        try statement.run()
      }
    } catch let error as SQLiteError where error.isUniqueViolation {
      guard try !pass.conflicts(of: snapshot, row: row, plan).isEmpty else { throw error }
      return true
    }
    return false
  }
}

extension StoreSavePass {
  func update() throws {
    var writer: RowUpdater?
    defer { writer?.finish() }
    var last: DefaultSnapshot?
    for position in request.updated.indices {
      updating = position
      let snapshot = request.updated[position]
      if let last, snapshot.isLike(last), let row = snapshot.persistentIdentifier.row {
        try writer?.update(row, with: snapshot)
        continue
      }
      let plan = try plan(for: snapshot.buffer)
      if !plan.writtenLists.isEmpty { updatesLists = true }
      if !plan.pairs.isEmpty { updatesPairs = true }
      if let changed = snapshot.changed, changed.isEmpty { continue }
      guard !plan.entity.columns.isEmpty else { continue }
      if writer?.fits(plan, snapshot.changed) != true {
        writer?.finish()
        writer = try RowUpdater(self, plan, snapshot.changed)
        if !written.contains(where: { $0 === plan }) { written.append(plan) }
      }
      last = snapshot
      guard let row = snapshot.persistentIdentifier.row else { continue }
      try writer?.update(row, with: snapshot)
    }
  }

  /// Gives a row all values of a snapshot; false if that is a violation.
  func overwrite(_ row: Int64, with snapshot: DefaultSnapshot, _ plan: EntityStatements) throws -> Bool {
    var updater = try RowUpdater(self, plan, nil)
    defer { updater.finish() }
    return try updater.update(row, with: snapshot)
  }
}

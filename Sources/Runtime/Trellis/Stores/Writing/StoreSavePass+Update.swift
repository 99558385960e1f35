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
      let plan = try plan(for: snapshot.batch)
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

  /// Another row has values this one is about to get. Makes it give them up if it is going to do so
  /// anyway; false when that is not so. What was written before has its final values.
  func displace(_ conflict: UniqueConflict, _ plan: EntityPlan) throws -> Bool {
    let slots = conflict.constraint.slots
    let identifier = PersistentIdentifier(token: plan.token, row: conflict.row)
    let slot: Int?
    if deletedIdentifiers.contains(identifier) {
      slot = slots.first
    } else if let position = updatedPositions[identifier], position > updating {
      let pending = request.updated[position]
      slot = slots.first { pending.changed?.contains($0) ?? true }
    } else {
      slot = nil
    }
    guard let slot else { return false }
    if deletedIdentifiers.contains(identifier) {
      try writeTombstones(of: [conflict.row], store.plans.plan(named: conflict.entity))
    }
    let name = conflict.constraint.columns[slots.firstIndex(of: slot) ?? 0]
    let column = plan.entity.columns[slot]
    let affinity = (column.members.first { $0.name == name }?.type ?? column.type).affinity
    let statement = try connection.take(plan.displacement(name, affinity).text)
    defer { connection.giveBack(statement) }
    statement.bind(conflict.row, at: 1)
    try statement.run()
    return true
  }
}

/// Updates rows of one entity in one set of columns.
private struct RowUpdater {
  let pass: StoreSavePass
  let plan: EntityPlan
  let changed: PropertySet?
  private let statement: Statement
  private var binder: StatementBinder
  private let isCached: Bool

  init(_ pass: StoreSavePass, _ plan: EntityPlan, _ changed: PropertySet?) throws {
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

  func fits(_ plan: EntityPlan, _ changed: PropertySet?) -> Bool {
    self.plan === plan && self.changed == changed
  }

  func finish() {
    if isCached { pass.connection.giveBack(statement) } else { statement.clear() }
    pass.connection.arena.reset()
  }

  mutating func update(_ row: Int64, with snapshot: DefaultSnapshot) throws {
    // A statement that displaces another row comes in between at most once per constraint.
    for _ in 0...plan.constraints.count {
      statement.bind(row, at: 1)
      try snapshot.batch.bind(snapshot.index, to: &binder)
      if !binder.marked.isEmpty { try pass.note(binder.takeMarked(), plan) }
      guard try isRefused(row, snapshot) else { break }
      binder.discardFiles()
      let conflicts = try pass.conflicts(of: snapshot, row: row, plan)
      let blocking = try conflicts.filter { try !pass.displace($0, plan) }
      guard blocking.isEmpty else {
        for conflict in blocking { pass.report(conflict, of: snapshot, plan) }
        return
      }
    }
    if !binder.files.isEmpty { binder.files = [] }
    pass.connection.arena.reset()
  }

  /// Runs the statement; true when a constraint stands in the way.
  private func isRefused(_ row: Int64, _ snapshot: DefaultSnapshot) throws -> Bool {
    if plan.constraints.contains(where: { pass.isHidden($0, snapshot, plan) }),
      try !pass.conflicts(of: snapshot, row: row, plan).isEmpty
    {
      return true
    }
    do {
      try statement.run()
    } catch let error as SQLiteError where error.isUniqueViolation {
      guard try !pass.conflicts(of: snapshot, row: row, plan).isEmpty else { throw error }
      return true
    }
    if pass.connection.changes == 0 { pass.reportMissing(snapshot) }
    return false
  }
}

/// An existing row that has the unique values of a row to be written.
struct UniqueConflict {
  var constraint: UniqueConstraint
  var row: Int64
  /// The entity of the row.
  var entity: String
}

/// Finds conflicts and applies the policies of the constraints: for inserted rows, updated rows and batches.
extension StoreSavePass {
  /// The rows other than `row` that have the unique values of a snapshot, by constraint.
  func conflicts(
    of snapshot: DefaultSnapshot, row: Int64, _ plan: EntityStatements
  ) throws -> [UniqueConflict] {
    var conflicts: [UniqueConflict] = []
    for (index, constraint) in plan.constraints.enumerated() {
      let isNormalized = constraint.columns.contains {
        store.marks.mayHoldNonNFC(plan.entity.table, $0)
      }
      let statement = try connection.take(
        plan.conflictStatements.conflict(index, isNormalized: isNormalized))
      defer { connection.giveBack(statement) }
      var binder = StatementBinder(
        statement, arena: connection.arena, shape: plan.shape, keys: keys)
      var slots = PropertySet()
      for slot in constraint.slots { slots.insert(slot) }
      binder.changed = slots
      statement.bind(row, at: 1)
      try snapshot.buffer.bind(snapshot.index, to: &binder)
      while try statement.step() {
        conflicts.append(
          UniqueConflict(
            constraint: constraint, row: statement.integer(0),
            entity: plan.entity.discriminators.isEmpty
              ? plan.entity.name : statement.text(1) ?? plan.entity.name))
      }
    }
    return conflicts
  }

  /// True if the index of a constraint may not notice a conflict of a snapshot.
  func mayHideConflicts(
    _ constraint: UniqueConstraint, _ snapshot: DefaultSnapshot, _ plan: EntityStatements
  ) -> Bool {
    guard constraint.columns.contains(where: { store.marks.mayHoldNonNFC(plan.entity.table, $0) })
    else { return false }
    return constraint.slots.contains { snapshot.changed?.contains($0) ?? true }
  }

  /// Applies the policies of the broken constraints to a new row; nil if none is broken.
  ///
  /// - Parameter isForced: true to overwrite the existing row whatever the policies say.
  func resolve(
    _ snapshot: DefaultSnapshot, row: Int64, _ plan: EntityStatements, isForced: Bool
  ) throws -> RowInserter.Outcome? {
    let conflicts = try conflicts(of: snapshot, row: row, plan)
    guard let first = conflicts.first else { return nil }
    let failing = conflicts.filter {
      ($0.constraint.policy == .fail && !isForced) || $0.row != first.row
        || $0.entity != plan.entity.name
    }
    guard failing.isEmpty else {
      for conflict in failing { report(conflict, of: snapshot, plan) }
      return .refused
    }
    if !isForced, conflicts.contains(where: { $0.constraint.policy == .keep }) {
      try reregister(first.row, plan)
      return .kept(first.row)
    }
    let before = history == nil ? nil : try values(of: first.row, plan)
    guard try overwrite(first.row, with: snapshot, plan) else { return .refused }
    if let before {
      let changed = try snapshot.buffer.differing(
        snapshot.index, from: before.buffer, before.index)
      try noteChange(of: first.row, plan, changed)
    }
    return .overwritten(first.row)
  }

  /// Replaces a unique value of a row that this save changes or deletes later, so that another row can have the value;
  /// false for other rows, whose values are final.
  func displace(_ conflict: UniqueConflict, _ plan: EntityStatements) throws -> Bool {
    let slots = conflict.constraint.slots
    let identifier = PersistentIdentifier(token: plan.token, row: conflict.row)
    let isDeleted = deletedIdentifiers.contains(identifier)
    var slot: Int?
    if isDeleted {
      slot = slots.first
    } else if let position = updatedPositions[identifier], position > updating {
      let pending = request.updated[position]
      slot = slots.first { pending.changed?.contains($0) ?? true }
    }
    guard let slot else { return false }
    if isDeleted { try writeTombstones(of: [conflict.row], store.plans.plan(named: conflict.entity)) }
    let name = conflict.constraint.columns[slots.firstIndex(of: slot) ?? 0]
    let column = plan.entity.columns[slot]
    let affinity = (column.members.first { $0.name == name }?.type ?? column.type).affinity
    try connection.executeCached(plan.displacement(name, affinity).text, .integer(conflict.row))
    return true
  }

  func report(_ conflict: UniqueConflict, of snapshot: DefaultSnapshot, _ plan: EntityStatements) {
    violations.append(
      .conflict(
        of: snapshot, conflict.constraint.properties, withEntity: conflict.entity,
        identifier(of: conflict.row, plan)))
  }

  /// The identifier of a row for the caller. New rows have temporary identifiers until the save ends.
  func identifier(of row: Int64, _ plan: EntityStatements) -> PersistentIdentifier {
    if let identifier = batchIdentifier?(row) { return identifier }
    let group = groups.first { $0.plan.token == plan.token && $0.positions.contains { rows[$0] == row } }
    if let position = group?.positions.first(where: { rows[$0] == row && !merged.contains($0) }) {
      return temporary[position]
    }
    return PersistentIdentifier(token: plan.token, row: row)
  }

  /// Keeps the values of a row for the context, which has to register them.
  func reregister(_ row: Int64, _ plan: EntityStatements) throws {
    if let snapshot = try values(of: row, plan) { kept[snapshot.persistentIdentifier] = snapshot }
  }

  /// The current values of a row.
  private func values(of row: Int64, _ plan: EntityStatements) throws -> DefaultSnapshot? {
    var collector = SnapshotCollector()
    let statement = try connection.statement(
      slot: plan.slot(.byKey), DefaultStore.row(of: plan).text)
    statement.bind(row, at: 1)
    try connection.run(statement, plan) { try collector.add(&$0) }
    return collector.snapshots.first
  }
}

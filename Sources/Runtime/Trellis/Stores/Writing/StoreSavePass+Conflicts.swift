/// A row that has the unique values another one was to get.
struct UniqueConflict {
  var constraint: UniqueConstraint
  var row: Int64
  /// The entity of the row.
  var entity: String
}

extension StoreSavePass {
  /// The rows other than `row` that have the unique values of a snapshot, by constraint.
  func conflicts(
    of snapshot: DefaultSnapshot, row: Int64, _ plan: EntityPlan
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
      try snapshot.batch.bind(snapshot.index, to: &binder)
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

  /// Whether conflicts of a constraint may be invisible to its index.
  func isHidden(
    _ constraint: UniqueConstraint, _ snapshot: DefaultSnapshot, _ plan: EntityPlan
  ) -> Bool {
    guard constraint.columns.contains(where: { store.marks.mayHoldNonNFC(plan.entity.table, $0) })
    else { return false }
    return constraint.slots.contains { snapshot.changed?.contains($0) ?? true }
  }

  func report(_ conflict: UniqueConflict, of snapshot: DefaultSnapshot, _ plan: EntityPlan) {
    violations.append(
      .conflict(
        of: snapshot, conflict.constraint.properties, withEntity: conflict.entity,
        identifier(of: conflict.row, plan)))
  }

  /// What the caller calls a row: a new one has no key before the save is done.
  func identifier(of row: Int64, _ plan: EntityPlan) -> PersistentIdentifier {
    if let identifier = batchIdentifier?(row) { return identifier }
    let group = groups.first { $0.plan.token == plan.token && $0.positions.contains { rows[$0] == row } }
    if let position = group?.positions.first(where: { rows[$0] == row && !merged.contains($0) }) {
      return temporary[position]
    }
    return PersistentIdentifier(token: plan.token, row: row)
  }

  func reportMissing(_ snapshot: DefaultSnapshot) {
    violations.append(.deletedElsewhere(snapshot.persistentIdentifier))
  }
}

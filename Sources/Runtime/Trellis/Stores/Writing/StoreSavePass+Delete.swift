extension StoreSavePass {
  /// Deletes rows: first those nobody has an object of, the last found first, so that no row goes
  /// before those that depend on it; then the models.
  func delete() throws {
    var groups = request.deletedRows.reversed().map { ($0.definition, $0.keys) }
    for snapshot in request.deleted {
      guard let definition = snapshot.batch.definition,
        let row = snapshot.persistentIdentifier.row, !snapshot.persistentIdentifier.isTemporary
      else { continue }
      if groups.count > request.deletedRows.count, groups[groups.count - 1].0 === definition {
        groups[groups.count - 1].1.append(row)
      } else {
        groups.append((definition, [row]))
      }
    }
    try lookForNewcomers(groups)
    // First all of them: a row may take others with it.
    if history != nil {
      for (definition, keys) in groups { try noteDeletion(of: keys, store.plans.plan(for: definition)) }
    }
    if groups.reduce(0, { $0 + $1.1.count }) > DeletionPlan.longestChain {
      for (definition, keys) in groups {
        guard let fragment = try store.plans.plan(for: definition).deletionPlan.unchainingAll else {
          continue
        }
        try run(fragment, KeyList.text(of: keys))
      }
    }
    for (definition, keys) in groups { try delete(keys, store.plans.plan(for: definition)) }
  }

  private func delete(_ keys: [Int64], _ plan: EntityPlan) throws {
    guard keys.count > 1 else {
      guard let key = keys.first else { return }
      for fragment in plan.deletionPlan.forgetting { try run(fragment, .integer(key)) }
      let statement = try connection.statement(slot: plan.slot(.deletion), plan.deletion.text)
      statement.bind(key, at: 1)
      return try statement.run()
    }
    let list = KeyList.text(of: keys)
    for fragment in plan.deletionPlan.forgettingAll { try run(fragment, list) }
    try run(plan.deletionPlan.deletionOfAll, list)
  }

  private func run(_ fragment: SQLFragment, _ keys: SQLValue) throws {
    let statement = try connection.take(fragment.text)
    defer { connection.giveBack(statement) }
    try statement.bind(keys, at: 1)
    try statement.run()
  }
}

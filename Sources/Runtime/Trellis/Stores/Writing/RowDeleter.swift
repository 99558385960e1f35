/// Deletes the rows of a save.
extension StoreSavePass {
  /// Deletes rows without objects first, in the reverse order of the cascade, so that rows go before the rows they
  /// refer to. Then deletes the rows of models.
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
    // Before the first deletion, because foreign keys may delete other rows with it.
    if history != nil {
      for (definition, keys) in groups { try noteDeletion(of: keys, store.plans.plan(for: definition)) }
    }
    if groups.reduce(0, { $0 + $1.1.count }) > DeletionPlan.longestChain {
      for (definition, keys) in groups {
        guard let fragment = try store.plans.plan(for: definition).deletionPlan.unchaining else {
          continue
        }
        try run(fragment, KeyList.text(of: keys))
      }
    }
    for (definition, keys) in groups { try delete(keys, store.plans.plan(for: definition)) }
  }

  private func delete(_ keys: [Int64], _ plan: EntityStatements) throws {
    let list = KeyList.text(of: keys)
    for fragment in plan.deletionPlan.forgetting { try run(fragment, list) }
    guard keys.count == 1 else { return try run(plan.deletionPlan.deletion, list) }
    let statement = try connection.statement(slot: plan.slot(.deletion), plan.deletion.text)
    statement.bind(keys[0], at: 1)
    try statement.run()
  }

  private func run(_ fragment: SQLFragment, _ keys: SQLValue) throws {
    let statement = try connection.take(fragment.text)
    defer { connection.giveBack(statement) }
    try statement.bind(keys, at: 1)
    try statement.run()
  }
}

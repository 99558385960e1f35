/// Deletes rows: of a save and of a batch.
extension StoreSavePass {
  /// Deletes rows without objects first, in the reverse order of the cascade, so that rows go before the rows they
  /// refer to. Then deletes the rows of models.
  func delete() throws {
    var groups = try request.deletedRows.reversed().map { (try store.plans.plan(for: $0.definition), $0.keys) }
    for snapshot in request.deleted {
      guard snapshot.buffer.definition != nil, let row = snapshot.persistentIdentifier.row,
        !snapshot.persistentIdentifier.isTemporary
      else { continue }
      let plan = try plan(for: snapshot.buffer)
      if groups.count > request.deletedRows.count, groups[groups.count - 1].0 === plan {
        groups[groups.count - 1].1.append(row)
      } else {
        groups.append((plan, [row]))
      }
    }
    try delete(groups)
  }

  /// Deletes the rows with some keys, group by group.
  func delete(_ groups: [(EntityStatements, [Int64])]) throws {
    // Before the first deletion, because foreign keys may delete other rows with it.
    if history != nil {
      for (plan, keys) in groups { try noteDeletion(of: keys, plan) }
    }
    if groups.reduce(0, { $0 + $1.1.count }) > DeletionPlan.longestChain {
      for (plan, keys) in groups {
        if let fragment = plan.deletionPlan.unchaining {
          try connection.executeCached(fragment.text, KeyList.text(of: keys))
        }
      }
    }
    for (plan, keys) in groups {
      let list = KeyList.text(of: keys)
      for fragment in plan.deletionPlan.forgetting { try connection.executeCached(fragment.text, list) }
      guard keys.count == 1 else {
        try connection.executeCached(plan.deletionPlan.deletion.text, list)
        continue
      }
      let statement = try connection.statement(slot: plan.slot(.deletion), plan.deletion.text)
      statement.bind(keys[0], at: 1)
      try statement.run()
    }
  }
}

extension StoreSavePass {
  func delete() throws {
    let deleted = request.deleted
    if deleted.count > DeletionPlan.longestChain { try unchain() }
    var statement: (plan: EntityPlan, Statement)?
    for snapshot in deleted {
      let plan = try plan(for: snapshot.batch)
      guard let row = snapshot.persistentIdentifier.row, !snapshot.persistentIdentifier.isTemporary
      else { continue }
      for fragment in plan.deletionPlan.forgetting { try run(fragment, row) }
      if statement?.plan !== plan {
        statement = (plan, try connection.statement(slot: plan.slot(.deletion), plan.deletion.text))
      }
      guard let (_, statement) = statement else { continue }
      statement.bind(row, at: 1)
      try statement.run()
    }
  }

  private func unchain() throws {
    for snapshot in request.deleted {
      guard let fragment = try plan(for: snapshot.batch).deletionPlan.unchaining,
        let row = snapshot.persistentIdentifier.row, !snapshot.persistentIdentifier.isTemporary
      else { continue }
      try run(fragment, row)
    }
  }

  private func run(_ fragment: SQLFragment, _ row: Int64) throws {
    let statement = try connection.take(fragment.text)
    defer { connection.giveBack(statement) }
    statement.bind(row, at: 1)
    try statement.run()
  }
}

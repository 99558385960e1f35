extension TableBatch {
  /// What is to be done when the last snapshot is written.
  func complete() throws {
    try complainOfMissing()
    try placeInLists()
    try checkCounts()
    // The last one that names a partner has it.
    for (row, isMerged) in paired.reversed() {
      for relation in plan.pairs { try save.settle(relation, of: row, plan, isMerged: isMerged) }
    }
    try save.throwViolations()
    if nextKey < endKey { store.keys.giveBack(nextKey..<endKey, of: plan.entity) }
    outcome.result.insertedCount = count - mergedCount
    for run in rows.runs { outcome.result.identifiers.append(run, plan.token) }
    for run in merged.runs {
      for row in run.keys where outcome.updated != nil {
        outcome.noteUpdate(PersistentIdentifier(token: plan.token, row: row))
      }
    }
    for identifier in save.kept.keys { outcome.noteUpdate(identifier) }
  }

  /// Whoever is referred to by a temporary identifier must be among the snapshots.
  private func complainOfMissing() throws {
    guard let serial = expected.min() else { return }
    let missing = PersistentIdentifier(token: definition.temporaryToken, row: serial)
    throw SwiftDataError.modelValidationFailure.explained(
      "a snapshot of '\(plan.entity.name)' refers to \(missing), which is not saved and not in the "
        + "batch: put its snapshot into the same batch, or save its model first")
  }

  /// All rows that were written, new ones and others.
  var written: [RowRuns.Run] { rows.runs }
}

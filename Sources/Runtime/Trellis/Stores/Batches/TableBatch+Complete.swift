extension TableBatch {
  /// What is to be done when the last snapshot is written.
  func complete() throws {
    try complainOfMissing()
    try placeInLists()
    try checkCounts()
    try checkLeftLists()
    // The last one that names a partner has it.
    let own = Set(paired.lazy.map(\.row))
    for (row, isMerged) in paired.reversed() {
      for relation in plan.pairs { try settle(relation, of: row, isMerged: isMerged, own) }
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
    try recordHistory()
  }

  /// An upsert writes all values of a row, whatever they were.
  private func recordHistory() throws {
    if let history = save.history {
      let entity = try history.number(of: plan.entity)
      save.record.insert(newRows, of: entity)
      save.record.update(merged, of: entity, columns: PropertySet(plan.entity.columns.indices))
    }
    guard !rows.runs.isEmpty else { return }
    try save.recordHistory()
    outcome.historyToken = save.historyNumber.map(store.origin.at)
  }

  /// Whoever is referred to by a temporary identifier must be among the snapshots.
  private func complainOfMissing() throws {
    guard let serial = expected.min() else { return }
    let missing = PersistentIdentifier(token: definition.temporaryToken, row: serial)
    throw SwiftDataError.modelValidationFailure.explained(
      "a snapshot of '\(plan.entity.name)' refers to \(missing), which is not saved and not in the "
        + "batch: put its snapshot into the same batch, or save its model first")
  }

  /// Who names a partner has it. Who names none parts from whom it had, not from whom the batch gives it.
  private func settle(
    _ relation: Relation, of row: Int64, isMerged: Bool, _ own: Set<Int64>
  ) throws {
    if try save.partner(of: row, relation, plan) != nil {
      return try save.settle(relation, of: row, plan, isMerged: false)
    }
    guard isMerged else { return }
    let isOwn = relation.destination.root === definition.root
    guard try !isOwn || save.claimants(of: row, relation).allSatisfy({ !own.contains($0) }) else { return }
    try save.settle(relation, of: row, plan, isMerged: true)
  }

  /// All rows that were written, new ones and others.
  var written: [RowRuns.Run] { rows.runs }
}

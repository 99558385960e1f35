/// The changes of a save's request.
extension HistoryRecord {
  /// Notes the updated models and the references that the store clears.
  ///
  /// - Parameter plan: the statements for the models of a buffer.
  package mutating func note(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ log: HistoryLog, _ plans: StoreStatements,
    plan: (SnapshotBuffer) throws -> EntityStatements
  ) throws {
    var last: (snapshot: DefaultSnapshot, entity: Int, columns: PropertySet)?
    for snapshot in request.updated {
      guard let row = snapshot.persistentIdentifier.row else { continue }
      if let last, snapshot.isLike(last.snapshot) {
        update(row, of: last.entity, columns: last.columns)
        continue
      }
      let plan = try plan(snapshot.buffer)
      let entity = try log.number(of: plan.entity)
      let columns =
        snapshot.differing ?? snapshot.changed ?? PropertySet(plan.entity.columns.indices)
      var lists = PropertySet()
      for list in plan.writtenLists where snapshot.changedLists?.contains(list.slot) ?? true {
        if hasOtherMembers(list, snapshot) { lists.insert(list.slot) }
      }
      update(row, of: entity, columns: columns, lists: lists)
      // Snapshots that are alike share the entry.
      last = lists.isEmpty ? (snapshot, entity, columns) : nil
    }
    for (row, slot, definition) in request.clearedRows {
      guard let key = row.row, let plan = try? plans.plan(for: definition) else { continue }
      note(key, of: try log.number(of: plan.entity), columns: PropertySet(slot))
    }
  }

  private func hasOtherMembers(_ list: ListLayout, _ snapshot: DefaultSnapshot) -> Bool {
    guard let former = snapshot.formerMembers(list.slot) else { return true }
    let members = snapshot.buffer.references(snapshot.index, list.slot) ?? []
    let isOrdered = list.property.relationship?.isOrdered == true
    return isOrdered ? members != former : Set(members) != Set(former)
  }
}

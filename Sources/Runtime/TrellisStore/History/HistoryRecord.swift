/// A transaction's changes before they are written to the history.
package struct HistoryRecord {
  /// A row that changed in addition to the rows in the request.
  private struct Extra: Hashable {
    let entity: Int
    let row: Int64
  }

  private var inserted: [HistoryGroup] = []
  private var updated: [HistoryGroup] = []
  private var deleted: [HistoryGroup] = []
  /// Rows that the store itself changed, for example partners, cleared references and merged rows.
  private var extras: [Extra: (columns: PropertySet, lists: PropertySet)] = [:]

  package init() {}

  package mutating func insert(_ rows: RowRuns, of entity: Int) {
    guard !rows.isEmpty else { return }
    inserted.append(HistoryGroup(kind: .insertion, entity: entity, rows: rows))
  }

  package mutating func update(
    _ row: Int64, of entity: Int, columns: PropertySet, lists: PropertySet = PropertySet()
  ) {
    guard !columns.isEmpty || !lists.isEmpty else { return }
    if let last = updated.last, last.entity == entity, last.columns == columns, last.lists == lists {
      updated[updated.count - 1].rows.append(row)
      return
    }
    updated.append(HistoryGroup(kind: .update, entity: entity, columns: columns, lists: lists))
    updated[updated.count - 1].rows.append(row)
  }

  package mutating func delete(_ rows: [Int64], of entity: Int) {
    guard !rows.isEmpty else { return }
    if deleted.last?.entity != entity { deleted.append(HistoryGroup(kind: .deletion, entity: entity)) }
    for row in rows { deleted[deleted.count - 1].rows.append(row) }
  }

  /// Records an additional change.
  package mutating func add(
    _ row: Int64, of entity: Int, columns: PropertySet, lists: PropertySet = PropertySet()
  ) {
    guard !columns.isEmpty || !lists.isEmpty else { return }
    extras[Extra(entity: entity, row: row), default: (PropertySet(), PropertySet())].columns
      .formUnion(columns)
    extras[Extra(entity: entity, row: row)]?.lists.formUnion(lists)
  }

  /// Returns groups with a single change for each row. Additional changes are ignored for inserted and deleted rows,
  /// and merged with updates.
  ///
  /// - Parameter root: Returns an entity's root number: rows in a class hierarchy share a key space.
  mutating func settled(root: (Int) -> Int) -> [HistoryGroup] {
    if !extras.isEmpty {
      var settled = Set<Extra>()
      for group in inserted + deleted {
        for row in group.rows.keys { settled.insert(Extra(entity: root(group.entity), row: row)) }
      }
      addExtras(extras.filter { !settled.contains(Extra(entity: root($0.key.entity), row: $0.key.row)) })
      extras = [:]
    }
    return inserted + updated + deleted
  }

  private mutating func addExtras(_ extras: [Extra: (columns: PropertySet, lists: PropertySet)]) {
    guard !extras.isEmpty else { return }
    var rest = extras
    let groups = updated
    updated = []
    for group in groups {
      for row in group.rows.keys {
        let more = rest.removeValue(forKey: Extra(entity: group.entity, row: row)) ?? (PropertySet(), PropertySet())
        update(row, of: group.entity, columns: group.columns.union(more.columns), lists: group.lists.union(more.lists))
      }
    }
    for (place, more) in rest.sorted(by: { ($0.key.entity, $0.key.row) < ($1.key.entity, $1.key.row) }) {
      update(place.row, of: place.entity, columns: more.columns, lists: more.lists)
    }
  }
}

/// Changes from a save request.
extension HistoryRecord {
  /// Records the updated models, and the references that the store clears.
  ///
  /// - Parameter plan: Returns the statements for a buffer's models.
  package mutating func add(
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
        if snapshot.hasOtherMembers(list.property, than: snapshot.formerMembers(list.slot)) { lists.insert(list.slot) }
      }
      update(row, of: entity, columns: columns, lists: lists)
      // A similar snapshot can use the same entry.
      last = lists.isEmpty ? (snapshot, entity, columns) : nil
    }
    for (row, slot, definition) in request.clearedRows {
      guard let key = row.row, let plan = try? plans.plan(for: definition) else { continue }
      add(key, of: try log.number(of: plan.entity), columns: PropertySet(slot))
    }
  }
}

extension DefaultSnapshot {
  /// Returns true if a snapshot's list has changed. If `former` is `nil`, the whole list is new.
  func hasOtherMembers(_ list: ModelProperty, than former: [PersistentIdentifier]?) -> Bool {
    let members = buffer.references(index, list.slot)
    guard let former else { return members != nil }
    if list.relationship?.isOrdered == true { return members ?? [] != former }
    return Set(members ?? []) != Set(former)
  }
}

/// What one transaction has changed, on its way into the history.
package struct HistoryRecord {
  /// Rows of one class.
  package struct Rows {
    /// The number of the entity in ``HistoryNames``.
    let entity: Int
    var rows = RowRuns()
  }

  /// Rows of one class that were changed alike.
  package struct Group {
    let entity: Int
    var columns = PropertySet()
    var lists = PropertySet()
    var rows = RowRuns()
  }

  /// A row that was changed besides those of the request.
  package struct Extra: Hashable {
    let entity: Int
    let row: Int64
  }

  private(set) var inserted: [Rows] = []
  private(set) var updated: [Group] = []
  private(set) var deleted: [Rows] = []
  /// Rows that the store has changed by itself: partners, references it has cleared, rows that were merged.
  private var extras: [Extra: (columns: PropertySet, lists: PropertySet)] = [:]

  package init() {}

  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && extras.isEmpty
  }

  package mutating func insert(_ rows: RowRuns, of entity: Int) {
    guard !rows.isEmpty else { return }
    let group = Rows(entity: entity, rows: rows)
    // An array of one is made faster than it grows.
    if inserted.isEmpty { inserted = [group] } else { inserted.append(group) }
  }

  package mutating func update(
    _ row: Int64, of entity: Int, columns: PropertySet, lists: PropertySet = PropertySet()
  ) {
    guard !columns.isEmpty || !lists.isEmpty else { return }
    if let last = updated.last, last.entity == entity, last.columns == columns, last.lists == lists {
      updated[updated.count - 1].rows.append(row)
      return
    }
    var group = Group(entity: entity, columns: columns, lists: lists)
    group.rows.append(row)
    updated.append(group)
  }

  package mutating func delete(_ rows: [Int64], of entity: Int) {
    guard !rows.isEmpty else { return }
    if deleted.last?.entity != entity { deleted.append(Rows(entity: entity)) }
    for row in rows { deleted[deleted.count - 1].rows.append(row) }
  }

  /// Notes a change beside what was requested.
  package mutating func note(
    _ row: Int64, of entity: Int, columns: PropertySet, lists: PropertySet = PropertySet()
  ) {
    guard !columns.isEmpty || !lists.isEmpty else { return }
    extras[Extra(entity: entity, row: row), default: (PropertySet(), PropertySet())].columns
      .formUnion(columns)
    extras[Extra(entity: entity, row: row)]?.lists.formUnion(lists)
  }

  /// One change of each row: what was noted of an inserted row is part of its insertion, of a deleted one
  /// nothing, and of an updated one more of its update.
  ///
  /// - Parameter root: the number of the root of an entity: rows of a chain share their numbers.
  package mutating func settle(root: (Int) -> Int) {
    guard !extras.isEmpty else { return }
    var settled = Set<Extra>()
    for group in inserted + deleted {
      for run in group.rows.runs {
        for row in run.keys { settled.insert(Extra(entity: root(group.entity), row: row)) }
      }
    }
    var rest = extras.filter { !settled.contains(Extra(entity: root($0.key.entity), row: $0.key.row)) }
    extras = [:]
    guard !rest.isEmpty else { return }
    let groups = updated
    updated = []
    for group in groups {
      for run in group.rows.runs {
        for row in run.keys {
          let more = rest.removeValue(forKey: Extra(entity: group.entity, row: row))
          var columns = group.columns
          var lists = group.lists
          if let more {
            columns.formUnion(more.columns)
            lists.formUnion(more.lists)
          }
          update(row, of: group.entity, columns: columns, lists: lists)
        }
      }
    }
    for (place, more) in rest.sorted(by: { ($0.key.entity, $0.key.row) < ($1.key.entity, $1.key.row) }) {
      update(place.row, of: place.entity, columns: more.columns, lists: more.lists)
    }
  }
}

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

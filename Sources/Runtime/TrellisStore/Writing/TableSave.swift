/// Applies a save's changes to a table store in order: tombstones, updates, deletions, insertions, lists, one-to-one
/// pairs, history.
///
/// Updates precede deletions, so that a row moved to a new owner is not deleted with the former owner. Insertions
/// follow both, so that a new row can reuse a unique value released by a changed or deleted row.
package final class TableSave {
  /// Inserted snapshots for a single entity.
  package struct Group {
    package let plan: EntityStatements
    package var positions: [Int] = []
    /// The positions of snapshots that become new rows.
    package fileprivate(set) var written: [Int] = []
    /// Keys for the new rows.
    fileprivate var keys: [Range<Int64>] = []
  }

  package let request: DataStoreSaveChangesRequest<DefaultSnapshot>
  package let plans: StoreStatements
  private unowned let driver: any SaveDriver
  /// The store's history; `nil` if the store has none.
  private let log: HistoryLog?
  /// The store's history; `nil` if this save is not recorded.
  private let history: HistoryLog?
  /// Inserted identifiers by position.
  private let temporary: [PersistentIdentifier]
  /// Rows for inserted snapshots, by position.
  @exclusivity(unchecked) package private(set) var rows: [Int64] = []
  @exclusivity(unchecked) package private(set) var groups: [Group] = []
  /// Rows by temporary identifier.
  package private(set) var keys = KeyTable()
  /// Runs of updated snapshots that share a class and changed columns.
  private(set) var updates: [(positions: Range<Int>, plan: EntityStatements)] = []
  /// Constraint violations. The save fails if there are any at the end.
  package var violations: [SwiftDataError.Violation] = []
  private var merging = Merging()
  private var record = HistoryRecord()
  /// Columns that the store changed itself.
  private var changedByStore: [PersistentIdentifier: PropertySet] = [:]
  /// Current values of rows that contexts have not seen.
  private var reread: [PersistentIdentifier: DefaultSnapshot] = [:]

  package init(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ plans: StoreStatements, _ log: HistoryLog?,
    through driver: any SaveDriver
  ) throws {
    self.request = request
    self.plans = plans
    self.driver = driver
    self.log = log
    history = request.editingState.recordsHistory && !request.isTimeless ? log : nil
    var temporary: [PersistentIdentifier] = []
    temporary.reserveCapacity(request.inserted.count)
    for snapshot in request.inserted { temporary.append(snapshot.buffer.identifier(snapshot.index)) }
    self.temporary = temporary
    try makeGroups()
    try makeUpdates()
  }

  // MARK: the order

  /// Writes rows and lists. The driver then calls ``writeHistory(hasTombstones:)``.
  ///
  /// - Parameters:
  ///   - checksValues: True after a unique constraint violation, to read the conflicting rows first.
  ///   - keepsKeys: True if the inserted snapshots already have keys.
  ///   - settlesPairs: True to check updated one-to-one relationships against the database.
  package func write(checksValues: Bool = false, keepsKeys: Bool = false, settlesPairs: Bool) throws {
    if checksValues { merging = try Merging(of: self, through: driver) }
    if keepsKeys || request.refusesMerges, let merge = merging.merges.first {
      violations.append(
        SwiftDataError.Violation(
          model: temporary[merge.position], properties: [], rule: .unique, reason: "has the same unique values as",
          others: [merge.target]))
      try throwViolations()
    }
    try assignKeys(keepsKeys: keepsKeys)
    let deleted = try deletedRows().map { ($0, try driver.existing($1, $0)) }
    // Runs before all changes, because rows may reuse the values of a deleted row.
    for (plan, keys) in deleted { try recordDeletion(of: keys, plan) }
    if checksValues { try displaceValues(deleted) }
    for run in updates where request.updated[run.positions.lowerBound].changed?.isEmpty != true {
      if !run.plan.entity.columns.isEmpty { try driver.update(run.positions, run.plan, of: self) }
    }
    try driver.delete(deleted)
    if !merging.merges.isEmpty { try overwriteMerged() }
    for group in groups { try driver.insert(group, of: self) }
    try throwViolations()
    try writeLists()
    if !merging.merges.isEmpty { try checkFormerOwners(deleted) }
    if settlesPairs || !merging.merges.isEmpty { try resolvePairs() }
    try throwViolations()
    try recordOwnChanges()
  }

  package func throwViolations() throws {
    if !violations.isEmpty { throw SwiftDataError.modelValidationFailure.listing(violations) }
  }

  /// True if a unique constraint may reject the changes.
  package var isConstrained: Bool {
    groups.contains { !$0.plan.constraints.isEmpty }
      || updates.contains { run in
        run.plan.constraints.contains { constraint in
          constraint.slots.contains { request.updated[run.positions.lowerBound].changed?.contains($0) ?? true }
        }
      }
  }

  package func plan(of buffer: SnapshotBuffer) throws -> EntityStatements {
    guard let definition = buffer.definition else { throw SwiftDataError.unknownSchema }
    return try plans.plan(for: definition)
  }

  // MARK: groups and keys

  private func makeGroups() throws {
    let inserted = request.inserted
    var start = 0
    while start < inserted.count {
      // Looks up the plan once per buffer instead of once per snapshot.
      let buffer = inserted[start].buffer
      let end = inserted[start...].firstIndex { $0.buffer !== buffer } ?? inserted.endIndex
      let plan = try plan(of: buffer)
      let group = groups.firstIndex { $0.plan === plan } ?? groups.count
      if group == groups.count { groups.append(Group(plan: plan)) }
      groups[group].positions += start..<end
      start = end
    }
  }

  private func makeUpdates() throws {
    let updated = request.updated
    for position in updated.indices {
      let snapshot = updated[position]
      if position > 0, snapshot.isLike(updated[position - 1]) {
        updates[updates.count - 1].positions = updates[updates.count - 1].positions.lowerBound..<position + 1
        continue
      }
      let plan = try plan(of: snapshot.buffer)
      if let last = updates.last, last.plan === plan, updated[last.positions.lowerBound].changed == snapshot.changed {
        updates[updates.count - 1].positions = last.positions.lowerBound..<position + 1
      } else {
        updates.append((position..<position + 1, plan))
      }
    }
  }

  /// Assigns a row to every inserted snapshot, so that references can be written in any order.
  private func assignKeys(keepsKeys: Bool) throws {
    guard !temporary.isEmpty else { return }
    var keys = KeyTable(minimumCapacity: temporary.count)
    var rows = keepsKeys ? temporary.map { $0.row ?? 0 } : [Int64](repeating: 0, count: temporary.count)
    for index in groups.indices {
      let positions = groups[index].positions
      let new = merging.positions.isEmpty ? positions : positions.filter { !merging.positions.contains($0) }
      groups[index].written = merging.positions.isEmpty ? positions : new.map { merging.last[temporary[$0]] ?? $0 }
      guard !keepsKeys else { continue }
      groups[index].keys = try driver.newKeys(new.count, of: groups[index].plan)
      var next = 0
      for range in groups[index].keys {
        for key in range {
          let position = new[next]
          next += 1
          rows[position] = key
          Self.record(key, of: temporary[position], in: &keys)
        }
      }
    }
    for merge in merging.merges {
      let row = Self.row(of: merge.target, keys)
      rows[merge.position] = row
      Self.record(row, of: temporary[merge.position], in: &keys)
    }
    self.keys = keys
    self.rows = rows
  }

  // Not inlined: otherwise the Swift 6.3 optimizer crashes in the caller.

  @inline(never) private static func record(_ row: Int64, of identifier: PersistentIdentifier, in keys: inout KeyTable)
  {
    if identifier.isTemporary, let serial = identifier.row { keys[serial] = row }
  }

  @inline(never) private static func row(of identifier: PersistentIdentifier, _ keys: KeyTable) -> Int64 {
    guard let row = identifier.row else { return 0 }
    return identifier.isTemporary ? keys[row] ?? 0 : row
  }

  // MARK: unique values

  /// Writes unused values to the unique columns of rows that will be changed or deleted, so that the values can be
  /// reused.
  private func displaceValues(_ deleted: [(EntityStatements, [Int64])]) throws {
    for (plan, keys) in deleted { try displaceValues(of: keys, plan, changed: nil) }
    for run in updates {
      let keys = request.updated[run.positions].compactMap(\.persistentIdentifier.row)
      try displaceValues(of: keys, run.plan, changed: request.updated[run.positions.lowerBound].changed)
    }
  }

  /// - Parameter changed: The slots that the save changes; `nil` for all.
  private func displaceValues(of keys: [Int64], _ plan: EntityStatements, changed: PropertySet?) throws {
    for constraint in plan.constraints {
      let columns = constraint.slots.indices.filter { changed?.contains(constraint.slots[$0]) ?? true }
      if !columns.isEmpty { try driver.displace(columns, of: constraint, keys, plan) }
    }
  }

  /// Overwrites existing rows with values from the new models merged with them.
  private func overwriteMerged() throws {
    for merge in merging.merges where merge.isKept {
      let plan = try plan(of: request.inserted[merge.position].buffer)
      let identifier = PersistentIdentifier(token: plan.token, row: rows[merge.position])
      if changedByStore[identifier] == nil { changedByStore[identifier] = PropertySet() }
    }
    for group in groups {
      let own = try merging.merges.filter { merge in
        guard !merge.target.isTemporary, merging.last[merge.target] == merge.position else { return false }
        return try plan(of: request.inserted[merge.position].buffer) === group.plan
      }
      guard !own.isEmpty else { continue }
      try displaceValues(of: own.map { rows[$0.position] }, group.plan, changed: nil)
      try driver.overwrite(own.map(\.position), group.plan, of: self)
      guard let history else { continue }
      for merge in own {
        guard let old = merging.stored[merge.target] else { continue }
        let new = request.inserted[merge.position]
        let columns = try new.buffer.differing(new.index, from: old.buffer, old.index)
        record.add(rows[merge.position], of: try history.number(of: group.plan.entity), columns: columns)
      }
    }
  }

  // MARK: deletions

  /// Returns the rows to delete: first the rows for which there are no objects, in reverse cascade order so that
  /// referring rows are deleted first, then the models' rows.
  private func deletedRows() throws -> [(EntityStatements, [Int64])] {
    var groups = try request.deletedRows.reversed().map { (try plans.plan(for: $0.definition), $0.keys) }
    for snapshot in request.deleted {
      let identifier = snapshot.persistentIdentifier
      guard snapshot.buffer.definition != nil, let row = identifier.row, !identifier.isTemporary else { continue }
      let plan = try plan(of: snapshot.buffer)
      if groups.count > request.deletedRows.count, groups[groups.count - 1].0 === plan {
        groups[groups.count - 1].1.append(row)
      } else {
        groups.append((plan, [row]))
      }
    }
    return groups
  }

  /// Records deletions and writes tombstones.
  package func recordDeletion(of keys: [Int64], _ plan: EntityStatements) throws {
    guard let history, !keys.isEmpty else { return }
    record.delete(keys, of: try history.number(of: plan.entity))
    for list in history.partners.lists(of: plan.entity.rootName) {
      try driver.visitOwners(of: keys, in: list) { row, name in
        let owner = try plans.plan(named: name ?? list.owners.name).entity
        guard let slot = owner.lists.first(where: { $0.property.name == list.property })?.slot else { return }
        record.add(row, of: try history.number(of: owner), columns: PropertySet(), lists: PropertySet(slot))
      }
    }
    try driver.writeTombstones(of: keys, plan)
  }

  // MARK: lists

  /// Writes list pairs and positions, which row updates and insertions do not write.
  private func writeLists() throws {
    for group in groups {
      for list in group.plan.writtenLists {
        for position in group.positions {
          let snapshot = request.inserted[position]
          guard let members = snapshot.buffer.references(snapshot.index, list.slot), !members.isEmpty else { continue }
          // An existing row that is overwritten by a new model keeps its list members.
          let keys = try members.map(row)
          if let history, merging.positions.contains(position) {
            let entity = try history.number(of: group.plan.entity)
            record.add(rows[position], of: entity, columns: PropertySet(), lists: PropertySet(list.slot))
          }
          try write(list, of: rows[position], keys, before: [])
        }
      }
    }
    for run in updates where !run.plan.writtenLists.isEmpty {
      for position in run.positions {
        let snapshot = request.updated[position]
        guard let owner = snapshot.persistentIdentifier.row else { continue }
        for list in run.plan.writtenLists where snapshot.changedLists?.contains(list.slot) ?? true {
          guard let members = snapshot.buffer.references(snapshot.index, list.slot) else { continue }
          let former = try snapshot.formerMembers(list.slot)?.map(row)
          try write(list, of: owner, try members.map(row), before: former)
        }
      }
    }
  }

  private func row(of member: PersistentIdentifier) throws -> Int64 {
    if let row = member.row {
      if !member.isTemporary { return row }
      if let saved = keys[row] { return saved }
    }
    throw SwiftDataError.modelValidationFailure.explained(
      "\(member) is neither in this store nor inserted by this save")
  }

  private func write(_ list: ListLayout, of owner: Int64, _ members: [Int64], before: [Int64]?) throws {
    let statements = ListStatements(list: list, owner: owner, members: members, before: before, plans: plans)
    for statement in try statements.all() { try driver.execute(statement) }
  }

  /// Reports lists that merges left with too few members.
  private func checkFormerOwners(_ deleted: [(EntityStatements, [Int64])]) throws {
    var seen = Set<PersistentIdentifier>()
    for merge in merging.merges where !merge.isKept {
      let plan = try plan(of: request.inserted[merge.position].buffer)
      for relation in plan.entity.definition.relations.references where relation.endsInBoundedList {
        guard let old = merging.stored[merge.target], let owner = old.buffer.reference(old.index, relation.slot),
          let row = owner.row, let list = relation.inverse, seen.insert(owner).inserted,
          !deleted.contains(where: { $0.token == owner.token && $1.contains(row) })
        else { continue }
        let count = try driver.integers(
          """
          SELECT COUNT(*) FROM \(name: plan.entity.table)
          WHERE \(name: plan.entity.columns[relation.slot].name) = \(value: .integer(row))
          """
        ).first.map { Int($0) }
        if let violation = list.violation(of: owner, count: count ?? 0) { violations.append(violation) }
      }
    }
  }

  /// Makes both sides of a one-to-one relationship consistent when the context had loaded only one of them.
  private func resolvePairs() throws {
    var pairs = PairSettlement(driver: driver, plans: plans)
    // Merged rows come first, because those partners are final.
    for merge in merging.merges {
      let plan = try plan(of: request.inserted[merge.position].buffer)
      for relation in plan.pairs { try pairs.resolve(relation, of: rows[merge.position], plan, isMerged: true) }
    }
    for run in updates where !run.plan.pairs.isEmpty {
      for snapshot in request.updated[run.positions] {
        guard let row = snapshot.persistentIdentifier.row else { continue }
        for relation in run.plan.pairs where snapshot.changed?.contains(relation.slot) ?? true {
          try pairs.resolve(relation, of: row, run.plan, isMerged: false)
        }
      }
    }
    changedByStore.merge(pairs.changed) { $0.union($1) }
    violations += pairs.violations
  }

  // MARK: history

  /// Rereads rows that the store changed itself, and records the changes.
  private func recordOwnChanges() throws {
    guard !changedByStore.isEmpty else { return }
    for snapshot in try driver.snapshots(of: changedByStore.keys.sorted()) {
      let identifier = snapshot.persistentIdentifier
      reread[identifier] = snapshot
      guard let history, let row = identifier.row, let columns = changedByStore[identifier] else { continue }
      record.add(row, of: try history.number(of: plan(of: snapshot.buffer).entity), columns: columns)
    }
  }

  /// Writes the history row at the end of the transaction, unless nothing was changed.
  ///
  /// - Parameter hasTombstones: True if the transaction has tombstones.
  package func writeHistory(hasTombstones: Bool) throws {
    guard let history else {
      // The context has disabled recording. History readers learn that changes are missing.
      if !request.isTimeless, let changes = log?.changes(nil) { try driver.writeHistory(changes) }
      return
    }
    for group in groups {
      var inserted = RowRuns()
      for keys in group.keys { inserted.append(keys) }
      record.insert(inserted, of: try history.number(of: group.plan.entity))
    }
    try record.add(request, history, plans, plan: plan)
    if let changes = history.changes(record, hasTombstones: hasTombstones) { try driver.writeHistory(changes) }
  }

  // MARK: the result

  /// Returns the identifier that the caller uses for a row. New rows have temporary identifiers until the save ends.
  package func identifier(of row: Int64, _ plan: EntityStatements) -> PersistentIdentifier {
    for group in groups where group.plan.token == plan.token {
      if let position = group.positions.first(where: { rows[$0] == row && !merging.positions.contains($0) }) {
        return temporary[position]
      }
    }
    return PersistentIdentifier(token: plan.token, row: row)
  }

  package func result(
    _ store: String, _ token: DefaultHistoryToken?
  ) -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var permanent = temporary
    for group in groups {
      for position in group.positions {
        permanent[position] = PersistentIdentifier(token: group.plan.token, row: rows[position])
      }
    }
    return DataStoreSaveChangesResult(
      for: store, temporary: temporary, permanent: permanent, merged: merging.positions,
      ignored: Set(merging.merges.lazy.filter(\.isKept).map(\.position)), snapshotsToReregister: reread,
      historyToken: token)
  }
}

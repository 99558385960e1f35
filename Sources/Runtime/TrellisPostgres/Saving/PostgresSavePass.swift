import Foundation
import Synchronization
import Trellis

/// The statements of one save: updates, deletions, insertions, lists, history, in the order of ``StoreSavePass``.
///
/// The statements are made before the first one is sent, so that all of them take one round trip.
struct PostgresSavePass {
  let store: PostgresStore
  let request: DataStoreSaveChangesRequest<DefaultSnapshot>
  /// Names the save in the history, and tells after a lost connection whether the transaction was committed.
  let save: UUID
  /// The identifiers of the inserted snapshots and their rows, by position.
  private(set) var temporary: [PersistentIdentifier] = []
  private(set) var rows: [Int64] = []
  private var groups: [Group] = []
  private var keys = KeyTable()
  private var statements: [PostgresStatement] = []
  private var record = HistoryRecord()
  private var hasTombstones = false
  /// True if values may move from one row of the request to another, and if rows to delete may be missing.
  var checksRows = false
  /// Nil if the save is not recorded.
  private let history: HistoryLog?

  /// Inserted snapshots of one entity.
  private struct Group {
    let plan: EntityStatements
    var positions: [Int] = []
    var keys: [Range<Int64>] = []
  }

  /// Takes the keys of new rows.
  ///
  /// - Parameter keepsKeys: true if the inserted snapshots have their keys already.
  init(
    _ store: PostgresStore, _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ connection: PostgresConnection,
    keepsKeys: Bool = false
  ) throws {
    self.store = store
    self.request = request
    save = store.saves.next()
    history = request.editingState.recordsHistory && !request.isTimeless ? store.history : nil
    try assignKeys(connection, keepsKeys: keepsKeys)
  }

  private func plan(of buffer: SnapshotBuffer) throws -> EntityStatements {
    guard let definition = buffer.definition else { throw SwiftDataError.unknownSchema }
    return try store.plans.plan(for: definition)
  }

  /// Gives every inserted snapshot a row, so that references can be written in any order.
  private mutating func assignKeys(_ connection: PostgresConnection, keepsKeys: Bool) throws {
    let inserted = request.inserted
    guard !inserted.isEmpty else { return }
    temporary = inserted.map(\.persistentIdentifier)
    var group = 0
    for position in inserted.indices {
      let plan = try plan(of: inserted[position].buffer)
      // Most models are of the class of the one before. A copy of a group would copy its positions.
      if group < groups.count, groups[group].plan === plan {
        groups[group].positions.append(position)
      } else if let known = groups.firstIndex(where: { $0.plan === plan }) {
        groups[known].positions.append(position)
        group = known
      } else {
        group = groups.count
        groups.append(Group(plan: plan, positions: [position]))
      }
    }
    if keepsKeys {
      rows = temporary.map { $0.row ?? 0 }
      return
    }
    let serials = temporary.compactMap(\.row)
    keys = KeyTable(from: serials.min() ?? 0, through: serials.max() ?? -1, count: inserted.count)
    rows = [Int64](repeating: 0, count: inserted.count)
    let server = try store.server(of: connection)
    for index in groups.indices {
      let group = groups[index]
      groups[index].keys = try store.keys.take(
        group.positions.count, of: group.plan.entity.table, connection, store.dialect, server: server)
      var next = groups[index].keys.lazy.flatMap { $0 }.makeIterator()
      for position in group.positions {
        guard let key = next.next() else { break }
        rows[position] = key
        if let serial = temporary[position].row, temporary[position].isTemporary { keys[serial] = key }
      }
    }
  }

  // MARK: statements

  /// The statements between BEGIN and COMMIT.
  ///
  /// - Parameter connection: reads the rows that are to be deleted, and the lists with them.
  mutating func makeStatements(_ connection: PostgresConnection) throws -> [PostgresStatement] {
    var deleted = try deletedRows()
    // The history does not record the deletion of a row that another save has deleted.
    if checksRows { deleted = try deleted.map { ($0, try existing($1, $0, connection)) } }
    // Before all changes, because other rows may take over the values of a deleted row.
    for (plan, keys) in deleted { try noteDeletion(of: keys, plan, connection) }
    if checksRows { try displaceValues(deleted) }
    try update()
    delete(deleted)
    try insert()
    try writeLists()
    try writeHistory()
    return statements
  }

  private mutating func add(_ fragment: SQLFragment) { statements.append(PostgresStatement(fragment, store.dialect)) }

  private mutating func add(_ fragment: SQLFragment, keys: [Int64]) {
    statements.append(store.statement(fragment, keys: keys))
  }

  private mutating func update() throws {
    var batch: RowColumns?
    var binder: StatementBinder?
    var changed: PropertySet?
    func finished(_ batch: RowColumns?) -> [PostgresStatement] {
      batch.map { RowStatements(rows: $0, dialect: store.dialect).updates } ?? []
    }
    for snapshot in request.updated {
      guard let row = snapshot.persistentIdentifier.row, snapshot.changed?.isEmpty != true else { continue }
      let plan = try plan(of: snapshot.buffer)
      guard !plan.entity.columns.isEmpty else { continue }
      if batch == nil || batch?.plan !== plan || changed != snapshot.changed {
        statements += finished(batch)
        changed = snapshot.changed
        let new = RowColumns(plan, changed, store.layout)
        batch = new
        binder = StatementBinder(new, changed, shape: plan.shape, keys: keys)
      }
      if var own = binder {
        try batch?.add(row, snapshot.buffer, snapshot.index, &own)
        binder = own
      }
    }
    statements += finished(batch)
  }

  private mutating func insert() throws {
    for group in groups {
      let batch = RowColumns(group.plan, nil, store.layout)
      var binder = StatementBinder(batch, nil, shape: group.plan.shape, keys: keys)
      for position in group.positions {
        let snapshot = request.inserted[position]
        try batch.add(rows[position], snapshot.buffer, snapshot.index, &binder)
      }
      statements += RowStatements(rows: batch, dialect: store.dialect)
        .insertions(copies: store.copiesRows.load(ordering: .relaxed))
    }
  }

  // MARK: deletions

  /// The rows to delete, class by class.
  private func deletedRows() throws -> [(EntityStatements, [Int64])] {
    // Rows go before the rows they refer to: in the reverse order of the cascade.
    var deleted = try request.deletedRows.reversed().map { (try store.plans.plan(for: $0.definition), $0.keys) }
    for snapshot in request.deleted {
      let identifier = snapshot.persistentIdentifier
      guard snapshot.buffer.definition != nil, let row = identifier.row, !identifier.isTemporary else { continue }
      let plan = try plan(of: snapshot.buffer)
      if deleted.count > request.deletedRows.count, deleted[deleted.count - 1].0 === plan {
        deleted[deleted.count - 1].1.append(row)
      } else {
        deleted.append((plan, [row]))
      }
    }
    return deleted
  }

  /// Those of some keys that have a row.
  private func existing(
    _ keys: [Int64], _ plan: EntityStatements, _ connection: PostgresConnection
  ) throws -> [Int64] {
    var found = Set<Int64>()
    try connection.run(
      store.statement(
        """
        SELECT \(name: plan.entity.keyColumn) FROM \(name: plan.entity.table)
        WHERE \(store.dialect.isKey("\(name: plan.entity.keyColumn)", in: "?1"))
        """, keys: keys)
    ) { found.insert($0.integer(0) ?? 0) }
    return keys.filter(found.contains)
  }

  private mutating func delete(_ deleted: [(EntityStatements, [Int64])]) {
    for (plan, keys) in deleted where !keys.isEmpty {
      for fragment in plan.deletionPlan.forgetting { add(fragment, keys: keys) }
      let rows: SQLFragment = """
        FROM \(name: plan.entity.table) WHERE \(store.dialect.isKey("\(name: plan.entity.keyColumn)", in: "?1"))
        """
      guard checksRows else {
        add(RowStatements.checked("DELETE \(rows)", count: "cardinality(?1)"), keys: keys)
        continue
      }
      // A foreign key may have deleted some of them with another row.
      add("DELETE \(rows)", keys: keys)
      add("SELECT 1 / (count(*) = 0)::int \(rows)", keys: keys)
    }
  }

  /// Records deletions and writes the tombstones.
  private mutating func noteDeletion(
    of keys: [Int64], _ plan: EntityStatements, _ connection: PostgresConnection
  ) throws {
    guard let history, !keys.isEmpty else { return }
    let entity = try history.number(of: plan.entity)
    record.delete(keys, of: entity)
    for list in history.partners.lists(of: plan.entity.rootName) {
      var found: [(row: Int64, entity: String)] = []
      try connection.run(store.statement(list.many, keys: keys)) { row in
        found.append((row.integer(0) ?? 0, row.string(1) ?? list.owners.name))
      }
      for (row, name) in found {
        let owner = try store.plans.plan(named: name).entity
        guard let slot = owner.lists.first(where: { $0.property.name == list.property })?.slot else { continue }
        record.note(row, of: try history.number(of: owner), columns: PropertySet(), lists: PropertySet(slot))
      }
    }
    let preserved = plan.entity.preservedColumns.flatMap(\.names)
    guard !preserved.isEmpty else { return }
    hasTombstones = true
    let values = preserved.map { store.layout.preserved($0, in: plan.entity.table, store.dialect) }
    var statement = PostgresStatement(
      """
      INSERT INTO \(name: store.tables.tombstones) ("save", "entity", "key", "values")
      SELECT \(value: .text(save.uuidString))::uuid, \(value: .integer(Int64(entity)))::bigint,
      \(name: plan.entity.keyColumn), array_to_json(ARRAY[\(values.joined(separator: ", "))])::text
      FROM \(name: plan.entity.table)
      WHERE \(store.dialect.isKey("\(name: plan.entity.keyColumn)", in: "?3")) ON CONFLICT DO NOTHING
      """, store.dialect)
    statement.parameters.append(keys: keys)
    statements.append(statement)
  }

  // MARK: unique values

  /// Replaces the unique values of rows that the request changes or deletes, so that other rows can have them.
  private mutating func displaceValues(_ deleted: [(EntityStatements, [Int64])]) throws {
    for (plan, keys) in deleted {
      for constraint in plan.constraints { displace(constraint.columns, of: keys, plan) }
    }
    for snapshot in request.updated {
      guard let row = snapshot.persistentIdentifier.row else { continue }
      let plan = try plan(of: snapshot.buffer)
      for constraint in plan.constraints {
        let written = zip(constraint.columns, constraint.slots).filter { snapshot.changed?.contains($1) ?? true }
        displace(written.map(\.0), of: [row], plan)
      }
    }
  }

  private mutating func displace(_ columns: [String], of keys: [Int64], _ plan: EntityStatements) {
    let key: SQLFragment = "\(name: plan.entity.keyColumn)"
    for column in columns {
      guard let value = store.layout.type(of: column, in: plan.entity.table).unusedValue(key) else { continue }
      return add(
        """
        UPDATE \(name: plan.entity.table) SET \(name: column) = \(value)
        WHERE \(store.dialect.isKey(key, in: "?1")) AND \(name: column) IS NOT NULL
        """, keys: keys)
    }
  }

  // MARK: lists

  private mutating func writeLists() throws {
    for group in groups {
      for list in group.plan.writtenLists {
        for position in group.positions {
          let snapshot = request.inserted[position]
          guard let members = snapshot.buffer.references(snapshot.index, list.slot), !members.isEmpty else { continue }
          try write(list, of: rows[position], members.map(row), before: [])
        }
      }
    }
    for snapshot in request.updated {
      guard let owner = snapshot.persistentIdentifier.row else { continue }
      for list in try plan(of: snapshot.buffer).writtenLists where snapshot.changedLists?.contains(list.slot) ?? true {
        guard let members = snapshot.buffer.references(snapshot.index, list.slot) else { continue }
        let former = try snapshot.formerMembers(list.slot)?.map(row)
        try write(list, of: owner, members.map(row), before: former)
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

  /// Writes the members of one list.
  ///
  /// - Parameter before: the members that the list had when the context read it; nil if the context has not read it, and
  ///   then all other members are removed.
  private mutating func write(_ list: ListLayout, of owner: Int64, _ members: [Int64], before: [Int64]?) throws {
    switch list.kind {
    case .foreignKey: try place(members, list)
    case .join(let table, let ownerColumn, let memberColumn, let position):
      let pairs = PairStatements(table: table, owner: ownerColumn, member: memberColumn, position: position)
      var ends = [pairs]
      if list.isMirrored {
        ends.append(PairStatements(table: table, owner: memberColumn, member: ownerColumn, position: nil))
      }
      let wanted = Set(members)
      if let before {
        let removed = before.filter { !wanted.contains($0) }
        if !removed.isEmpty { for end in ends { add(end.removal(of: owner), keys: removed) } }
        let known = Set(before)
        // Another context may have deleted a known member, so it is moved and not inserted.
        if let moves = pairs.moves(of: owner), !members.isEmpty { add(moves, keys: members) }
        let added = members.filter { !known.contains($0) }
        if !added.isEmpty { for end in ends { add(end.insertion(of: owner, members, added), keys: added) } }
      } else {
        for end in ends {
          add(end.removalOfOthers(than: owner), keys: members)
          if !members.isEmpty { add(end.insertion(of: owner, members, members), keys: members) }
        }
      }
    }
  }

  /// Writes the positions of an ordered list into the rows of its members.
  private mutating func place(_ members: [Int64], _ list: ListLayout) throws {
    guard let column = list.orderColumn, !members.isEmpty else { return }
    let entity = try store.plans.plan(named: list.destination).entity
    add(
      """
      UPDATE \(name: entity.table) AS t SET \(name: column) = m.place - 1
      FROM unnest(?1::bigint[]) WITH ORDINALITY AS m(key, place)
      WHERE \(column: entity.keyColumn, of: "t") = m.key AND \(column: column, of: "t") IS DISTINCT FROM m.place - 1
      """, keys: members)
  }

  // MARK: history

  /// Writes the row of the history as the last part of the transaction, unless nothing was changed.
  private mutating func writeHistory() throws {
    guard let log = history else {
      // The context has turned recording off. Readers of the history learn that changes are missing.
      if let log = store.history, !request.isTimeless {
        addTransaction(log.writer(id: nil, isComplete: false))
      }
      return
    }
    for group in groups {
      var inserted = RowRuns()
      for keys in group.keys { inserted.append(keys) }
      record.insert(inserted, of: try log.number(of: group.plan.entity))
    }
    let plans = store.plans
    try record.note(request, log, plans) { buffer in
      guard let definition = buffer.definition else { throw SwiftDataError.unknownSchema }
      return try plans.plan(for: definition)
    }
    record.settle(root: log.root)
    guard !record.isEmpty else { return }
    var writer = log.writer(id: hasTombstones ? 0 : nil)
    writer.write(record)
    addTransaction(writer)
  }

  private mutating func addTransaction(_ writer: HistoryWriter) {
    statements += store.recording(save, request.editingState, writer)
    isRecorded = true
  }
  /// True if the last statement writes a row of the history and returns it.
  private(set) var isRecorded = false

  // MARK: the result

  /// - Parameter position: the position after the transaction; nil if it is not recorded.
  func result(_ position: HistoryPosition?) -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var permanent = temporary
    for group in groups {
      for position in group.positions {
        permanent[position] = PersistentIdentifier(token: group.plan.token, row: rows[position])
      }
    }
    return DataStoreSaveChangesResult(
      for: store.identifier, temporary: temporary, permanent: permanent,
      historyToken: position.map { DefaultHistoryToken(store: store.identifier, position: $0) })
  }
}

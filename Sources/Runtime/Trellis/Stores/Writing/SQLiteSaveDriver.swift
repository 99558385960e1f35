import Foundation

/// The statements of a save in SQLite, which run one after the other.
final class SQLiteSaveDriver: SaveDriver {
  let store: DefaultStore
  let connection: Connection
  /// True if other rows with the unique values of the save are known.
  private let isChecked: Bool
  private let author: String?
  /// Column flags that are in memory and in this transaction, but not yet in the file.
  private(set) var newMarks: Set<ColumnFlags.Mark> = []
  /// The files that were written for rows.
  private var files: [String] = []
  /// The number of the transaction in the history, once it is known.
  private(set) var historyNumber: Int64?

  /// The number of rows that makes a query for the highest key worthwhile.
  private static let manyRows = 16

  init(_ store: DefaultStore, _ connection: Connection, isChecked: Bool = false, author: String?) {
    self.store = store
    self.connection = connection
    self.isChecked = isChecked
    self.author = author
  }

  /// True for an error of rows that may have the unique values of other rows.
  func isConflict(_ error: any Error) -> Bool {
    error is HiddenConflicts.Suspicion || (error as? SQLiteError)?.isUniqueViolation == true
  }

  /// Sets the column flags that the values of a row require.
  func note(_ marks: [StatementBinder.Mark], _ plan: EntityStatements) throws {
    let marks = marks.map { mark in
      ColumnFlags.Mark(
        kind: mark.kind, table: plan.entity.table, column: plan.columnName(ofParameter: mark.slot))
    }
    // In memory before the commit, so that no reader of this process misses a flag.
    store.marks.formUnion(marks)
    for mark in marks where !store.persistedMarks.contains(mark) {
      guard newMarks.insert(mark).inserted else { continue }
      try StoreMetadata.write(.integer(1), for: mark.key, connection)
    }
  }

  func note(_ files: [String]) { self.files += files }

  /// Deletes the files of rows that are undone.
  func discardFiles() {
    for name in files { store.files?.remove(name) }
    files = []
  }

  // MARK: rows

  func takeKeys(_ count: Int, of plan: EntityStatements) throws -> [Range<Int64>] {
    let first = try store.keys.take(count, of: plan.entity, connection)
    return [first..<first + Int64(count)]
  }

  func update(_ positions: Range<Int>, _ plan: EntityStatements, of save: TableSave) throws {
    let updated = save.request.updated
    var updater = try RowUpdater(self, plan, updated[positions.lowerBound].changed, keys: save.keys)
    defer { updater.finish() }
    for position in positions {
      let (buffer, index) = (updated[position].buffer, updated[position].index)
      let identifier = buffer.identifier(index)
      guard let row = identifier.row else { continue }
      if try !updater.update(row, with: buffer, index, isChecked: isChecked) {
        save.violations.append(.deletedElsewhere(identifier))
      }
    }
  }

  func overwrite(_ positions: [Int], _ plan: EntityStatements, of save: TableSave) throws {
    var updater = try RowUpdater(self, plan, nil, keys: save.keys)
    defer { updater.finish() }
    for position in positions {
      let snapshot = save.request.inserted[position]
      let row = save.rows[position]
      if try !updater.update(row, with: snapshot.buffer, snapshot.index, isChecked: true) {
        save.violations.append(.deletedElsewhere(PersistentIdentifier(token: plan.token, row: row)))
      }
    }
  }

  func insert(_ group: TableSave.Group, of save: TableSave) throws {
    var inserter = try RowInserter(self, group.plan, keys: save.keys, isLong: group.written.count >= Self.manyRows)
    defer { inserter.finish() }
    let inserted = save.request.inserted
    let rows = save.rows
    for position in group.written {
      // Not copied: copying a snapshot takes longer than the call.
      try inserter.insert(
        inserted[position].buffer, inserted[position].index, as: rows[position], isChecked: isChecked)
    }
  }

  func existing(_ keys: [Int64], _ plan: EntityStatements) throws -> [Int64] { keys }

  func delete(_ groups: [(EntityStatements, [Int64])]) throws {
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

  // MARK: unique values

  func rows(
    withValuesOf snapshots: [DefaultSnapshot], _ constraint: Int, _ plan: EntityStatements, _ keys: KeyTable
  ) throws -> [Int64] {
    let columns = plan.constraints[constraint].columns
    let isNormalized = columns.contains { store.marks.mayHoldNonNFC(plan.entity.table, $0) }
    let statement = try connection.take(plan.conflictStatements.conflict(constraint, isNormalized: isNormalized))
    defer { connection.giveBack(statement) }
    var binder = StatementBinder(statement, arena: connection.arena, shape: plan.shape, keys: keys)
    var slots = PropertySet()
    for slot in plan.constraints[constraint].slots { slots.insert(slot) }
    binder.changed = slots
    var found: [Int64] = []
    for snapshot in snapshots {
      let identifier = snapshot.persistentIdentifier
      statement.bind(identifier.token == plan.token ? identifier.row ?? -1 : -1, at: 1)
      try snapshot.buffer.bind(snapshot.index, to: &binder)
      // A row with other bytes may have equal text.
      if !binder.marked.isEmpty { try note(binder.takeMarked(), plan) }
      while try statement.step() { found.append(statement.integer(0)) }
      statement.reset()
      connection.arena.reset()
    }
    return found
  }

  func displace(_ columns: [Int], of constraint: UniqueConstraint, _ keys: [Int64], _ plan: EntityStatements) throws {
    guard let first = columns.first else { return }
    let name = constraint.columns[first]
    let column = plan.entity.columns[constraint.slots[first]]
    let affinity = (column.members.first { $0.name == name }?.type ?? column.type).affinity
    try connection.executeCached(plan.displacement(name, affinity).text, KeyList.text(of: keys))
  }

  // MARK: lists

  func write(_ list: ListLayout, of owner: Int64, _ members: [Int64], before: [Int64]?) throws {
    switch list.kind {
    case .foreignKey: try place(members, list)
    case .join(let table, let ownerColumn, let memberColumn, let position):
      let pairs = PairTable(table: table, owner: ownerColumn, member: memberColumn, position: position)
      let known = try before ?? pairs.members(of: owner, connection)
      let wanted = Set(members)
      for member in known where !wanted.contains(member) {
        try pairs.remove(owner, member, connection)
        if list.isMirrored { try pairs.remove(member, owner, connection) }
      }
      let existing = Set(known)
      for (place, member) in members.enumerated() {
        if existing.contains(member) {
          if position != nil { try pairs.move(owner, member, place, connection) }
          continue
        }
        try pairs.add(owner, member, place, connection)
        if list.isMirrored { try pairs.add(member, owner, nil, connection) }
      }
    }
  }

  /// Writes the positions of an ordered list into the rows of its members.
  private func place(_ members: [Int64], _ list: ListLayout) throws {
    guard let column = list.orderColumn else { return }
    let entity = try store.plans.plan(named: list.destination).entity
    let fragment: SQLFragment = """
      UPDATE \(name: entity.table) SET \(name: column) = ?1
      WHERE \(name: entity.keyColumn) = ?2 AND \(name: column) IS NOT ?1
      """
    let statement = try connection.take(fragment.text)
    defer { connection.giveBack(statement) }
    for (place, member) in members.enumerated() {
      statement.bind(Int64(place), at: 1)
      statement.bind(member, at: 2)
      try statement.run()
    }
  }

  // MARK: history

  func visitOwners(
    of keys: [Int64], in list: ListPartners.List, _ body: (_ row: Int64, _ entity: String?) throws -> Void
  ) throws {
    let statement = try connection.take(list.query.text)
    defer { connection.giveBack(statement) }
    try statement.bind(KeyList.text(of: keys), at: 1)
    while try statement.step() { try body(statement.integer(0), statement.text(1)) }
  }

  func writeTombstones(of keys: [Int64], _ plan: EntityStatements) throws {
    guard let history = store.history, let tombstones = plan.tombstones else { return }
    let number = try historyNumber ?? HistoryTables.next(connection)
    historyNumber = number
    try tombstones.write(
      KeyList.text(of: keys), transaction: number, entity: history.number(of: plan.entity), files: store.files,
      connection)
  }

  func writeHistory(_ changes: [UInt8]) throws {
    historyNumber = try store.history?.write(changes, author: author, id: historyNumber, connection)
  }

  /// The position of the history after the transaction; nil if it is not recorded.
  var historyToken: DefaultHistoryToken? { historyNumber.map(store.token) }

  // MARK: queries

  func snapshots(of identifiers: [PersistentIdentifier]) throws -> [DefaultSnapshot] {
    var collector = SnapshotCollector()
    try store.rows(of: identifiers, on: connection) { try collector.add(&$0) }
    return collector.snapshots
  }

  func integers(_ query: SQLFragment) throws -> [Int64] { try connection.integers(query) }

  func execute(_ statement: SQLFragment) throws { try connection.executeCached(statement) }
}

/// A table with the pairs of one relationship, from the side of one of its ends.
private struct PairTable {
  let table: String
  let owner: String
  let member: String
  let position: String?

  func members(of key: Int64, _ connection: Connection) throws -> [Int64] {
    try connection.integers(
      "SELECT \(name: member) FROM \(name: table) WHERE \(name: owner) = \(value: .integer(key))")
  }

  func add(_ key: Int64, _ other: Int64, _ place: Int?, _ connection: Connection) throws {
    let conflict: SQLFragment = "ON CONFLICT (\(name: owner), \(name: member)) DO"
    guard let position, let place else {
      return try connection.executeCached(
        """
        INSERT INTO \(name: table) (\(name: owner), \(name: member))
        VALUES (\(value: .integer(key)), \(value: .integer(other))) \(conflict) NOTHING
        """)
    }
    try connection.executeCached(
      """
      INSERT INTO \(name: table) (\(name: owner), \(name: member), \(name: position))
      VALUES (\(value: .integer(key)), \(value: .integer(other)), \(value: .integer(Int64(place))))
      \(conflict) UPDATE SET \(name: position) = excluded.\(name: position)
      """)
  }

  func move(_ key: Int64, _ other: Int64, _ place: Int, _ connection: Connection) throws {
    guard let position else { return }
    try connection.executeCached(
      """
      UPDATE \(name: table) SET \(name: position) = \(value: .integer(Int64(place)))
      WHERE \(name: owner) = \(value: .integer(key)) AND \(name: member) = \(value: .integer(other))
      """)
  }

  func remove(_ key: Int64, _ other: Int64, _ connection: Connection) throws {
    try connection.executeCached(
      """
      DELETE FROM \(name: table)
      WHERE \(name: owner) = \(value: .integer(key)) AND \(name: member) = \(value: .integer(other))
      """)
  }
}

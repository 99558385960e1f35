/// One save, inside its transaction: updates, deletions, insertions, lists.
///
/// Updates come first, so that a row that has moved to another owner is not deleted with the former owner. Insertions
/// come last, so that a new row can have a unique value that a changed or deleted row has given up.
final class StoreSavePass {
  let store: DefaultStore
  let connection: Connection
  let request: DataStoreSaveChangesRequest<DefaultSnapshot>
  /// The identifiers of the inserted snapshots and their rows, by position.
  private(set) var temporary: [PersistentIdentifier] = []
  @exclusivity(unchecked) var rows: [Int64] = []
  @exclusivity(unchecked) private(set) var groups: [Group] = []
  var keys = KeyTable()
  /// Broken constraints. The save fails if there are some at the end.
  var violations: [SwiftDataError.Violation] = []
  /// Column flags that are in memory and in this transaction, but not yet in the file.
  private(set) var newMarks: Set<ColumnFlags.Mark> = []
  /// Existing rows that the context has to register again with these values.
  var kept: [PersistentIdentifier: DefaultSnapshot] = [:]
  /// Positions of inserted snapshots that became updates of existing rows.
  @exclusivity(unchecked) var merged: Set<Int> = []
  /// The temporary identifiers of the rows of a batch.
  var batchIdentifier: ((Int64) -> PersistentIdentifier?)?
  /// Runs the update of a row within a batch, which reads the references of the row before and after.
  var aroundUpdate: ((_ row: Int64, _ update: () throws -> Void) throws -> Void)?
  /// The statements of the entities that were written so far.
  var written: [EntityStatements] = []
  /// The statements for the last buffer. Many snapshots of one buffer follow each other.
  private var last: (buffer: SnapshotBuffer, plan: EntityStatements)?
  /// True if inserted snapshots keep their keys.
  var keepsKeys = false
  /// True if an updated model may have lists to be written; true if it may have one-to-one partners.
  var updatesLists = false
  var updatesPairs = false
  /// The changes for the history; see `StoreSavePass+History.swift`.
  @exclusivity(unchecked) var record = HistoryRecord()
  /// The number of the transaction in the history, once it is known.
  @exclusivity(unchecked) var historyNumber: Int64?
  /// Nil if the save is not recorded.
  let history: HistoryLog?
  /// The position of the updated snapshot that is being written.
  var updating = 0
  /// The positions of the updated snapshots, and the deleted identifiers; made for the first conflict.
  lazy var updatedPositions = Dictionary(
    request.updated.enumerated().map { ($1.persistentIdentifier, $0) },
    uniquingKeysWith: { first, _ in first })
  lazy var deletedIdentifiers: Set<PersistentIdentifier> = Set(
    request.deleted.lazy.map(\.persistentIdentifier)
  ).union(request.deletedRows.flatMap(\.identifiers))

  init(
    store: DefaultStore, connection: Connection,
    request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) {
    self.store = store
    self.connection = connection
    self.request = request
    history =
      request.editingState.recordsHistory && !request.isTimeless ? store.history : nil
  }

  /// A pass without a request, for a batch.
  convenience init(store: DefaultStore, connection: Connection, _ editingState: EditingState) {
    self.init(
      store: store, connection: connection,
      request: DataStoreSaveChangesRequest(inserted: [], updated: [], deleted: [], editingState: editingState))
  }

  func run() throws {
    if !request.committed.isEmpty { try checkConflicts() }
    try assignKeys()
    try update()
    try delete()
    for group in groups { try insert(group) }
    try throwViolations()
    try writeLists()
    try settlePairs()
    try throwViolations()
    try writeHistory()
  }

  private func checkConflicts() throws {
    try ConflictCheck(request: request).run { identifiers, definition, buffer in
      try store.rows(of: identifiers, on: connection) { row in
        try definition.codec.read(statement: &row, into: buffer)
      }
    }
  }

  func throwViolations() throws {
    if !violations.isEmpty { throw SwiftDataError.modelValidationFailure.listing(violations) }
  }

  /// Inserted snapshots of one entity.
  struct Group {
    var plan: EntityStatements
    var positions: [Int] = []
    /// The rows of the positions; nil where they need not be consecutive.
    var keys: Range<Int64>?
  }

  func plan(for buffer: SnapshotBuffer) throws -> EntityStatements {
    if let last, last.buffer === buffer { return last.plan }
    guard let definition = buffer.definition else { throw SwiftDataError.unknownSchema }
    let plan = try store.plans.plan(for: definition)
    last = (buffer, plan)
    return plan
  }

  /// Gives every inserted snapshot a row, so that references can be written in any order.
  private func assignKeys() throws {
    let inserted = request.inserted
    guard !inserted.isEmpty else { return }
    var first = Int64.max
    var last = Int64.min
    var temporary: [PersistentIdentifier] = []
    temporary.reserveCapacity(inserted.count)
    // A lookup for each buffer and not for each snapshot.
    var start = 0
    for position in inserted.indices {
      if inserted[position].buffer !== inserted[start].buffer {
        try group(start..<position)
        start = position
      }
      let identifier = inserted[position].buffer.identifier(inserted[position].index)
      temporary.append(identifier)
      if let serial = identifier.row {
        first = min(first, serial)
        last = max(last, serial)
      }
    }
    try group(start..<inserted.endIndex)
    self.temporary = temporary
    let keys = KeyTable(from: first, through: last, count: inserted.count)
    var rows = [Int64](repeating: 0, count: inserted.count)
    for group in groups where keepsKeys {
      for position in group.positions { rows[position] = temporary[position].row ?? 0 }
    }
    for index in groups.indices where !keepsKeys {
      let group = groups[index]
      var key = try store.keys.take(group.positions.count, of: group.plan.entity, connection)
      groups[index].keys = key..<key + Int64(group.positions.count)
      for position in group.positions {
        rows[position] = key
        if let serial = temporary[position].row, temporary[position].isTemporary {
          keys[serial] = key
        }
        key += 1
      }
    }
    self.keys = keys
    self.rows = rows
    guard groups.count > 1 else { return }
    // Models that may be merged with existing rows come first, so that references to them get the final keys.
    groups = groups.enumerated()
      .sorted { ($0.element.plan.upsertRank, $0.offset) < ($1.element.plan.upsertRank, $1.offset) }
      .map(\.element)
  }

  /// Enters inserted snapshots of one buffer into the group of their entity.
  private func group(_ positions: Range<Int>) throws {
    let plan = try plan(for: request.inserted[positions.lowerBound].buffer)
    if let known = groups.firstIndex(where: { $0.plan === plan }) {
      groups[known].positions += positions
    } else {
      groups.append(Group(plan: plan, positions: Array(positions)))
    }
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

  var result: DataStoreSaveChangesResult<DefaultSnapshot> {
    var permanent = temporary
    for group in groups {
      for position in group.positions {
        permanent[position] = PersistentIdentifier(token: group.plan.token, row: rows[position])
      }
    }
    return DataStoreSaveChangesResult(
      for: store.identifier, temporary: temporary, permanent: permanent,
      merged: merged, snapshotsToReregister: kept,
      historyToken: historyNumber.map(store.origin.at))
  }
}

extension EntityStatements {
  /// Lowest for entities whose inserted models may be merged with existing rows.
  fileprivate var upsertRank: Int {
    if constraints.isEmpty { return 2 }
    let refers = constraints.contains {
      $0.slots.contains { entity.columns[$0].destination != nil }
    }
    return refers ? 1 : 0
  }
}

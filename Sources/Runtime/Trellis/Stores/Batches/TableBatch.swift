/// A batch of snapshots of one model: rows of a ``DefaultStore``, written in one transaction.
///
/// ``RowInserter`` and ``RowUpdater`` write the rows, as in a save. The batch adds what the context does for models:
/// it checks references and counts, and keeps both sides of relationships.
final class TableBatch: BatchWriter {
  let store: DefaultStore
  let connection: Connection
  let plan: EntityStatements
  let definition: ModelDefinition
  let relations: RelationTable
  /// Settles conflicts and one-to-one pairs, as for a save.
  let pass: StoreSavePass
  /// True to overwrite existing rows whatever the policies of the constraints say.
  private let isUpsert: Bool
  private let progress: BatchProgress
  @exclusivity(unchecked) private var inserter: RowInserter
  /// True if snapshots are checked before they are written.
  private let needsCheck: Bool
  /// True if snapshots may refer to each other.
  private let refersToItself: Bool
  private let isConstrained: Bool
  private let hasPairs: Bool
  /// The ordered lists that contain the rows.
  let places: [(owner: String, place: String)]
  /// The references to owners whose lists need a number of members, and the owners that rows have left.
  let bounds: [Relation]
  var left: [Set<Int64>]

  /// The keys that are reserved for the next rows.
  @exclusivity(unchecked) private var nextKey: Int64 = 0
  @exclusivity(unchecked) private var endKey: Int64 = 0
  /// Numbers of temporary identifiers that have a key, and whose snapshots have not been written yet.
  private var expected = Set<Int64>()

  /// All rows that were written, and the new and the overwritten ones among them.
  @exclusivity(unchecked) private(set) var rows = RowRuns()
  @exclusivity(unchecked) private var newRows = RowRuns()
  @exclusivity(unchecked) private var merged = RowRuns()
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var mergedCount = 0
  @exclusivity(unchecked) private var serials = SerialRuns()
  @exclusivity(unchecked) private var paired: [(row: Int64, isMerged: Bool)] = []
  private(set) var outcome = BatchOutcome()

  init(
    _ store: DefaultStore, _ connection: Connection, _ definition: ModelDefinition,
    isUpsert: Bool, _ progress: BatchProgress, _ editingState: EditingState
  ) throws {
    self.store = store
    self.connection = connection
    self.isUpsert = isUpsert
    self.progress = progress
    plan = try store.plans.plan(for: definition)
    self.definition = definition
    relations = definition.relations
    let root = definition.root
    let toItself = relations.all.contains { $0.destination.root === root }
    refersToItself = toItself
    isConstrained = !plan.constraints.isEmpty
    hasPairs = !plan.pairs.isEmpty
    needsCheck = toItself || !relations.checked.isEmpty || !plan.pairs.isEmpty
    pass = StoreSavePass(store: store, connection: connection, editingState)
    pass.keys = KeyTable(growing: toItself)
    pass.written = [plan]
    bounds = relations.references.filter(\.endsInBoundedList)
    left = bounds.map { _ in [] }
    places = try Self.places(plan, store)
    if !isUpsert, store.appends(plan) {
      try connection.shrinkCache()
    } else {
      try connection.enlargeCache(to: .writing)
    }
    // In a shared table the existing row may belong to another entity, and `left` needs the row before the update.
    let replaces = isUpsert || plan.constraints.allSatisfy { $0.policy == .replace }
    let overwrites =
      replaces && !plan.constraints.isEmpty && plan.entity.discriminators.isEmpty && bounds.isEmpty
    inserter = try RowInserter(
      pass, plan, isForced: isUpsert, upsertion: overwrites ? plan.upsertion(places) : nil, isLong: true)
    pass.batchIdentifier = { [unowned self] row in
      serials.serial(of: row).map {
        PersistentIdentifier(token: definition.temporaryToken, row: $0)
      }
    }
    if !places.isEmpty || !bounds.isEmpty {
      pass.aroundUpdate = { [unowned self] row, update in try updating(row, update) }
    }
  }

  func close() { inserter.finish() }

  // MARK: rows

  /// Writes snapshots that lie side by side.
  func add(_ buffer: SnapshotBuffer) throws {
    if refersToItself {
      // In this order, so that references among the snapshots do not change the order of the rows.
      for index in 0..<buffer.count {
        let identifier = buffer.identifier(index)
        if identifier.isTemporary, let serial = identifier.row { _ = try expectedRow(serial) }
      }
    }
    for index in 0..<buffer.count { try add(buffer, index) }
    try progress.update(count)
  }

  private func add(_ buffer: SnapshotBuffer, _ index: Int) throws {
    let identifier = buffer.identifier(index)
    if !identifier.isTemporary, identifier.storeIdentifier == store.identifier {
      return try overwrite(identifier, DefaultSnapshot(buffer: buffer, index: index))
    }
    // Nothing can refer to a snapshot with an identifier of another store.
    let serial = identifier.isTemporary ? identifier.row : nil
    let row = try row(for: serial)
    if needsCheck, try !check(buffer, index) { return try refuse() }
    switch try inserter.insert(buffer, index, as: row) {
    case .inserted:
      newRows.append(row)
      if isConstrained, let serial { serials.append(serial, row: row) }
      try finish(buffer, index, row, isMerged: false)
    case .overwritten(let existing):
      try merge(row, serial, into: existing)
      try noteOverwriting(existing)
      try finish(buffer, index, existing, isMerged: true)
    case .kept(let existing):
      try merge(row, serial, into: existing)
      try finish(buffer, index, existing, isMerged: true)
    case .refused: try refuse()
    }
  }

  private func merge(_ row: Int64, _ serial: Int64?, into existing: Int64) throws {
    if refersToItself {
      try pass.merge(row, serial, into: existing, plan)
    } else if row == nextKey - 1 {
      nextKey = row
    }
  }

  private func noteOverwriting(_ row: Int64) throws {
    outcome.result.updatedCount += 1
    merged.append(row)
  }

  private func finish(_ buffer: SnapshotBuffer, _ index: Int, _ row: Int64, isMerged: Bool) throws {
    rows.append(row)
    if isMerged { mergedCount += 1 }
    if hasPairs { paired.append((row, isMerged)) }
    if isMerged || inserter.hasLists { try writeLists(buffer, index, of: row) }
    count += 1
    if count == progress.nextCount || count % 64 == 0 { try progress.update(count) }
  }

  /// Leaves out a row that breaks a rule.
  ///
  /// - Parameter violation: nil if the pass has it.
  func refuse(_ violation: SwiftDataError.Violation? = nil) throws {
    if let violation { pass.violations.append(violation) }
    if pass.violations.count >= Self.mostViolations { try pass.throwViolations() }
  }

  /// The number of violations that ends a batch at once.
  private static let mostViolations = 1_000

  /// Overwrites the row with the identifier of a snapshot.
  private func overwrite(_ identifier: PersistentIdentifier, _ snapshot: DefaultSnapshot) throws {
    guard isUpsert else {
      return try refuse(.savedAlready(identifier))
    }
    if needsCheck, try !check(snapshot.buffer, snapshot.index) { return try refuse() }
    guard try isRow(identifier, of: definition), let row = identifier.row else {
      let reason = "belongs to another model than \(plan.entity.name)"
      return try refuse(.init(model: identifier, properties: [], reason: reason))
    }
    if let other = try otherEntity(of: row) {
      return try refuse(.overwriting(identifier, other, with: plan.entity.name))
    }
    guard try pass.overwrite(row, with: snapshot, plan) else { return try refuse() }
    try noteOverwriting(row)
    try finish(snapshot.buffer, snapshot.index, row, isMerged: true)
  }

  /// The entity of a row in a shared table, if it is another one than that of the batch.
  private func otherEntity(of row: Int64) throws -> String? {
    let entity = plan.entity
    guard !entity.discriminators.isEmpty else { return nil }
    let found = try connection.rows(
      """
      SELECT \(name: entity.entityColumn) FROM \(name: entity.table)
      WHERE \(name: entity.keyColumn) = \(value: .integer(row))
      """
    ).first?.first
    guard case .text(let name)? = found, name != entity.name else { return nil }
    return name
  }

  // MARK: keys

  private func takeKey() throws -> Int64 {
    if nextKey == endKey {
      let size = min(max(64, count), 4096)
      nextKey = try store.keys.take(size, of: plan.entity, connection)
      endKey = nextKey + Int64(size)
    }
    nextKey += 1
    return nextKey - 1
  }

  /// The row of the next new snapshot. Of several snapshots with one identifier, references mean the first.
  private func row(for serial: Int64?) throws -> Int64 {
    guard refersToItself, let serial else { return try takeKey() }
    if expected.remove(serial) != nil, let row = pass.keys[serial] { return row }
    let row = try takeKey()
    if pass.keys[serial] == nil { pass.keys[serial] = row }
    return row
  }

  /// The row of a snapshot of this batch, which may come later.
  func expectedRow(_ serial: Int64) throws -> Int64 {
    if let row = pass.keys[serial] { return row }
    let row = try takeKey()
    pass.keys[serial] = row
    expected.insert(serial)
    return row
  }

  // MARK: the end

  /// Completes the transaction when all snapshots are written.
  func complete() throws {
    try checkExpected()
    try placeInLists()
    try checkCounts()
    try checkLeftLists()
    // Of several snapshots that name one partner, the last one has it.
    let own = Set(paired.lazy.map(\.row))
    for (row, isMerged) in paired.reversed() {
      for relation in plan.pairs { try settle(relation, of: row, isMerged: isMerged, own) }
    }
    try pass.throwViolations()
    if nextKey < endKey { store.keys.giveBack(nextKey..<endKey, of: plan.entity) }
    outcome.result.insertedCount = count - mergedCount
    for run in rows.runs { outcome.result.identifiers.append(run, plan.token) }
    for run in merged.runs {
      for row in run.keys where outcome.updated != nil {
        outcome.noteUpdate(PersistentIdentifier(token: plan.token, row: row))
      }
    }
    for identifier in pass.kept.keys { outcome.noteUpdate(identifier) }
    if let history = pass.history {
      // An upsert writes all values of a row.
      let entity = try history.number(of: plan.entity)
      pass.record.insert(newRows, of: entity)
      pass.record.update(merged, of: entity, columns: PropertySet(plan.entity.columns.indices))
    }
    guard !rows.isEmpty else { return }
    try pass.writeHistory()
    outcome.historyToken = pass.historyNumber.map(store.origin.at)
  }

  private func checkExpected() throws {
    guard let serial = expected.min() else { return }
    let missing = PersistentIdentifier(token: definition.temporaryToken, row: serial)
    throw SwiftDataError.modelValidationFailure.explained(
      "a snapshot of '\(plan.entity.name)' refers to \(missing), which is not saved and not in the "
        + "batch: put its snapshot into the same batch, or save its model first")
  }

  /// Settles a pair: a row that names a partner has it. A row that names none leaves its former partner, unless the
  /// batch gives it one.
  private func settle(
    _ relation: Relation, of row: Int64, isMerged: Bool, _ own: Set<Int64>
  ) throws {
    if try pass.partner(of: row, relation, plan) != nil {
      return try pass.settle(relation, of: row, plan, isMerged: false)
    }
    guard isMerged else { return }
    let isOwn = relation.destination.root === definition.root
    guard try !isOwn || pass.claimants(of: row, relation).allSatisfy({ !own.contains($0) }) else { return }
    try pass.settle(relation, of: row, plan, isMerged: true)
  }
}

extension DefaultStore {
  /// Runs a batch in one transaction; an error leaves nothing behind.
  package func write(
    _ definition: ModelDefinition, isUpsert: Bool, _ progress: BatchProgress,
    _ editingState: EditingState, _ body: BatchBody
  ) throws -> BatchOutcome? {
    try checkWritable()
    return try writing { connection in
      let keysBefore = keys.state
      do {
        let batch = try TableBatch(self, connection, definition, isUpsert: isUpsert, progress, editingState)
        defer { batch.close() }
        try connection.write(explaining: { batch.pass.explained($0) }) {
          try checkVersion(connection)
          try body(batch)
          try batch.complete()
        }
        persistedMarks.formUnion(batch.pass.newMarks)
        return batch.outcome
      } catch {
        // A store with one connection shows the new rows to fetches of the sequence and of the progress block.
        if case .file = pool.place { keys.restore(keysBefore) } else { keys.abandon(since: keysBefore) }
        throw error
      }
    }
  }
}

import Foundation
import Synchronization
package import Trellis

/// Inserts a model's snapshots in one transaction, without creating model instances.
///
/// Large batches use COPY: the server stores the first rows while the next ones are encoded. Memory is bounded by
/// ``part``.
final class PostgresBatch: BatchWriter {
  private let store: PostgresStore
  private let connection: PostgresConnection
  private let plan: EntityStatements
  private let progress: BatchProgress
  private let editingState: EditingState
  private var check: BatchCheck
  private let columns: RowColumns
  private var binder: StatementBinder
  private var rows = RowRuns()
  /// The number of snapshots so far.
  private var count = 0

  /// The number of rows that are encoded at a time.
  private static let part = 1_000

  init(
    _ store: PostgresStore, _ connection: PostgresConnection, _ plan: EntityStatements, _ progress: BatchProgress,
    _ editingState: EditingState
  ) {
    self.store = store
    self.connection = connection
    self.plan = plan
    self.progress = progress
    check = BatchCheck(plan, isUpsert: false)
    self.editingState = editingState
    columns = RowColumns(plan, nil, store.layout)
    binder = StatementBinder(columns, nil, shape: plan.shape)
  }

  // MARK: rows

  func add(_ snapshots: SnapshotBuffer) throws {
    var start = 0
    while start < snapshots.count {
      var end = snapshots.count
      if progress.nextCount != .max { end = min(end, start + min(progress.nextCount - count, 4_096)) }
      for index in start..<end { _ = try check.accepts(snapshots, index) }
      if check.violations.isEmpty { try insert(snapshots, start..<end) }
      count += end - start
      start = end
      try progress.update(count)
    }
  }

  private func insert(_ snapshots: SnapshotBuffer, _ range: Range<Int>) throws {
    let taken = try store.newKeys(range.count, of: plan, connection)
    var keys = taken.lazy.flatMap { $0 }.makeIterator()
    var next = range.lowerBound
    /// Encodes the next rows; returns false if there are none.
    func fill() throws -> Bool {
      columns.removeAll()
      let end = min(next + Self.part, range.upperBound)
      while next < end, let key = keys.next() {
        try columns.add(key, snapshots, next, &binder)
        next += 1
      }
      return columns.count > 0
    }
    do {
      if range.count >= RowColumns.many, store.copiesRows.load(ordering: .relaxed) {
        do {
          try connection.run([columns.copying { send in while try fill() { try send(self.columns.columns) } }])
        } catch let error as PostgresError where error.refusesCopy && rows.isEmpty {
          // The rollback would lose any rows that were inserted before.
          store.copiesRows.store(false, ordering: .relaxed)
          try connection.run([.rollback, .beginCommitted])
        }
      }
      while try fill() { try connection.run(columns.insertions) }
    } catch let error as PostgresError where error.isMissingRow {
      throw PostgresError.writeSuppressed([plan.entity.definition.entityName])
    }
    for run in taken { rows.append(run) }
  }

  // MARK: the end

  /// Reports references to missing rows before foreign keys reject them.
  private func checkReferences() throws {
    let runs = rows.runs
    guard let first = runs.map(\.first).min(), let end = runs.map(\.end).max(), store.configuration.usesForeignKeys,
      let table = store.layout.tables.first(where: { $0.name == plan.entity.table })
    else { return }
    check.violations += try OrphanedRows(store.plans, rows: connection.pairs)
      .violations(of: table, keys: first..<end)
  }

  /// Records the batch and commits it.
  ///
  /// - Throws: ``CommitInDoubt`` if the connection is lost.
  func commit() throws -> BatchOutcome {
    try check.throwViolations()
    try checkReferences()
    try check.throwViolations()
    guard !rows.isEmpty else {
      connection.rollBack()
      return outcome(nil)
    }
    var ending = TransactionEnd(store: store, save: store.history == nil ? nil : store.saves.next())
    var statements = store.generationCheck
    if let history = store.history, let save = ending.save {
      var record = HistoryRecord()
      record.insert(rows, of: try history.number(of: plan.entity))
      let changes = history.changes(editingState.recordsHistory ? record : nil) ?? []
      statements = store.recording(save, editingState, changes)
    }
    return outcome(try ending.commit(statements, connection))
  }

  func outcome(_ token: DefaultHistoryToken?) -> BatchOutcome { BatchOutcome(inserted: rows, plan.token, token) }
}

extension PostgresStore {
  package func write(
    _ definition: ModelDefinition, isUpsert: Bool, _ progress: BatchProgress, _ editingState: EditingState,
    _ body: BatchBody
  ) throws -> BatchOutcome? {
    try checkWritable()
    let plan = try plans.plan(for: definition)
    // Violated unique constraints are resolved by the model insertion path.
    let isUnique = plan.constraints.isEmpty || progress.isRepeatable
    guard !isUpsert, isUnique, commits.hasSnapshots, plan.isIndependent else { return nil }
    var batch: PostgresBatch?
    do {
      return try reading(unless: { batch != nil }) { connection in
        try connection.run([.beginCommitted])
        _ = try server(of: connection)
        let own = PostgresBatch(self, connection, plan, progress, editingState)
        batch = own
        do {
          // The sequence and the progress block may use the store.
          try pool.withoutConnection { try body(own) }
          return try own.commit()
        } catch {
          connection.rollBack()
          throw error
        }
      }
    } catch let error as PostgresError where error.isUniqueViolation && progress.isRepeatable {
      return nil
    } catch let error as PostgresError where error.isOfEarlierGeneration {
      try checkGeneration()
      guard progress.isRepeatable else { throw PostgresError.migratedMeanwhile }
      return nil
    } catch let doubt as CommitInDoubt {
      // The snapshots are not retained, so the batch cannot be retried.
      guard let token = try token(of: doubt), let batch else { throw doubt.cause }
      return batch.outcome(token)
    }
  }
}

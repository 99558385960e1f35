import Trellis

/// The size of a save on an engine that limits transactions.
extension PostgresStore {
  /// - Throws: ``PostgresError/Code/tooManyRows`` if the request writes more rows than the engine accepts.
  func checkSize(of request: DataStoreSaveChangesRequest<DefaultSnapshot>) throws {
    guard let limit = engine.rowsPerTransaction else { return }
    let count = try rows(writtenBy: request)
    guard count > limit else { return }
    throw PostgresError(
      .tooManyRows,
      "the save writes \(count) rows, and \(engine.name) accepts \(limit) in one transaction: save more often, for example "
        + "after every \(max(1, limit / 2)) models")
  }

  /// The rows of models, of their lists and of the history. The database writes more if its foreign keys delete rows.
  private func rows(writtenBy request: DataStoreSaveChangesRequest<DefaultSnapshot>) throws -> Int {
    let deleted = request.deleted.count + request.deletedRows.reduce(0) { $0 + $1.keys.count }
    // Every deletion may leave a tombstone; the transaction itself has a row, and its number another one.
    let recorded = history == nil ? 0 : deleted + (engine.hasSnapshots ? 1 : 2)
    var members = 0
    for snapshot in request.inserted + request.updated {
      guard let definition = snapshot.buffer.definition else { continue }
      for list in try plans.plan(for: definition).writtenLists where snapshot.changedLists?.contains(list.slot) ?? true
      {
        members += snapshot.buffer.references(snapshot.index, list.slot)?.count ?? 0
      }
    }
    return request.inserted.count + request.updated.count + deleted + members + recorded
  }
}

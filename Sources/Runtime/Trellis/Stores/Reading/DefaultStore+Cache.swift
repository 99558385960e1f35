/// How much of the file the writer keeps in memory.
extension DefaultStore {
  /// Fewer rows than this are not worth a change.
  private static let manyRows = 1_000

  /// To be called before a save, in front of its transaction.
  func prepareCache(
    for request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ connection: Connection
  ) throws {
    guard request.updated.isEmpty, request.deleted.isEmpty, request.inserted.count >= Self.manyRows,
      try onlyAppends(request.inserted)
    else { return try connection.enlargeCache(to: .writing) }
    try connection.shrinkCache()
  }

  /// Whether a new row touches no page but the last ones of its table.
  func appends(_ plan: EntityStatements) -> Bool {
    guard !plan.entity.columns.contains(where: { $0.destination != nil }),
      let table = catalogue.tables.first(where: { $0.name == plan.entity.table })
    else { return false }
    return table.indexes.isEmpty
  }

  private func onlyAppends(_ snapshots: [DefaultSnapshot]) throws -> Bool {
    // Snapshots of one class stand in one batch.
    var latest: SnapshotBatch?
    for snapshot in snapshots where snapshot.batch !== latest {
      latest = snapshot.batch
      guard let definition = snapshot.batch.definition, appends(try plans.plan(for: definition)) else {
        return false
      }
    }
    return true
  }
}

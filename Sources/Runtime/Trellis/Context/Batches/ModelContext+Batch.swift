import Foundation

extension ModelContext {
  /// Runs a batch, in tables or by models, and posts the result.
  ///
  /// - Parameter body: calls the function it gets with portions of the snapshots.
  @usableFromInline func write<S: ModelSnapshot>(
    isUpsert: Bool, _ progress: BatchProgress,
    _ body: ((UnsafeBufferPointer<S>) throws -> Void) throws -> Void
  ) throws -> BatchResult {
    let definition = S.Model._$definition
    let outcome = try occupancy.occupy(.batch) {
      let store = try core.store(of: definition)
      guard store.allowsSave else {
        throw SwiftDataError.loadIssueModelContainer.explained(
          "the store '\(store.configurationName)' does not allow saving")
      }
      do {
        let outcome = try store.write(definition, isUpsert: isUpsert, progress, editingState) { batch in
          try body { try batch.add(TypedBuffer(borrowing: $0)) }
        }
        if let outcome { return outcome }
      } catch {
        // A store with one connection has shown uncommitted rows to contexts that read meanwhile.
        if !store.streams { core.hub.post(Commit(isWholesale: true)) }
        throw error
      }
      let batch = ModelBatch<S>(self, store, isUpsert: isUpsert, progress)
      batch.author = author
      batch.recordsHistory = recordsHistory
      do {
        try body(batch.add)
        try batch.complete()
      } catch {
        // What was saved before the error stays.
        tell(of: batch.outcome, definition)
        throw error
      }
      return batch.outcome
    }
    tell(of: outcome, definition)
    return outcome.result
  }

  private func tell(of outcome: BatchOutcome, _ definition: ModelDefinition) {
    guard outcome.result.count > 0 else { return }
    if !outcome.isTold { core.hub.post(outcome.commit(of: definition, core.schema)) }
    // A row that cannot be read now is for the next fetch or save to complain of.
    try? occupancy.occupy(.refresh) { try readCommit() }
    var notification = SaveNotification()
    if let token = outcome.historyToken { notification.note(token, of: token.store) }
    var info = notification.info(updated: outcome.updated ?? [])
    info[BatchNotificationKey.batchResult] = outcome.result
    info[BatchNotificationKey.batchResult.rawValue] = outcome.result
    NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: info)
  }
}

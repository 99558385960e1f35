extension DefaultStore {
  /// Runs a batch in one transaction; an error leaves nothing behind.
  func write(
    _ definition: ModelDefinition, isUpsert: Bool, _ progress: BatchProgress,
    _ editingState: EditingState, _ body: (TableBatch) throws -> Void
  ) throws -> BatchOutcome {
    try checkWritable()
    return try writing { connection in
      let keysBefore = keys.state
      do {
        let batch = try TableBatch(self, connection, definition, isUpsert: isUpsert, progress, editingState)
        defer { batch.close() }
        try connection.write(explaining: { batch.save.explained($0) }) {
          try checkVersion(connection)
          try body(batch)
          try batch.complete()
        }
        persistedMarks.formUnion(batch.save.newMarks)
        return batch.outcome
      } catch {
        // Where there is one connection, the sequence may have fetched what it has given.
        if case .file = pool.place { keys.restore(keysBefore) } else { keys.abandon(since: keysBefore) }
        throw error
      }
    }
  }
}

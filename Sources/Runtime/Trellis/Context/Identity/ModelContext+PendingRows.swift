/// Rows that a save deletes without objects, see ``ModelContext/deleteRows(_:)``.
extension ModelContext {
  /// Makes pending deletions of rows ordinary ones, before something asks for models.
  ///
  /// - Throws: The store's error. The rows are still pending then.
  func loadPendingRows() throws {
    // The save itself reads rows beside the deleted ones.
    guard !pending.rows.isEmpty, deletedRows == nil, !isInStore else { return }
    let rows = pending.rows
    pending.rows = []
    do {
      let models = try rows.map { try load($0.identifiers, $0.definition) }
      for model in models.joined() { remove(model) }
    } catch {
      pending.rows = rows
      throw error
    }
  }

  /// Drops rows that another context has deleted.
  func forgetPendingRows(_ deleted: Set<PersistentIdentifier>) {
    for index in pending.rows.indices {
      let token = pending.rows[index].token
      pending.rows[index].keys.removeAll { deleted.contains(PersistentIdentifier(token: token, row: $0)) }
    }
    pending.rows.removeAll { $0.keys.isEmpty }
  }
}

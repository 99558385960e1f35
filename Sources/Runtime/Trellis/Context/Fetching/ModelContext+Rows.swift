/// Deletions by a predicate: the next save deletes unregistered rows, and no objects are made.
extension ModelContext {
  /// Enters a query's matches into the pending deletions, as rows.
  ///
  /// - Returns: The registered matches, which the caller deletes. Nil if the matches have to become objects: the context has
  ///   further changes, an undo manager or observers, or the class is part of a hierarchy.
  func deleteRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T]? {
    let definition = T._$definition
    let entity = core.schema.entitiesByName[definition.entityName]
    guard pending.hasOnlyRows, monitor?.undo == nil, watchers == nil, entity?.root.hierarchy.count == 1
    else { return nil }
    let pass = try FetchPass(context: self, descriptor: descriptor, includesCascade: true)
    guard pass.table.store.deletesRows, pending.rows.isEmpty || !pass.query.crossesRelationships(hasDeletions: true)
    else { return nil }
    let known = Set(pending.rows.lazy.filter { $0.definition === definition }.flatMap(\.keys))
    var keys: [Int64] = []
    var registered: [T] = []
    for identifier in try pass.identifiers() {
      if let model = pass.table.model(identifier) as? T {
        registered.append(model)
      } else if let key = identifier.row, !known.contains(key) {
        keys.append(key)
      }
    }
    if !keys.isEmpty {
      pending.rows.append(DeletedRows.Group(definition: definition, token: pass.table.token, path: nil, keys: keys))
      monitor?.autosave?.noteChange()
      // Rows that were read ahead would become objects without a question to the store.
      ahead.removeAll()
    }
    return registered
  }
}

extension DefaultStore {
  /// Deletes all matching rows without creating model objects.
  ///
  /// Contexts do not call this function, because they apply delete rules.
  ///
  /// - Parameter request: The predicate, and the author for the history.
  /// - Throws: ``DataStoreError/unsupportedFeature`` if rows may refer to the deleted rows, because only a context
  ///   applies delete rules. ``DataStoreError/preferInMemoryFilter`` if the predicate cannot be translated.
  public func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    try checkWritable()
    let query = Query<T>(FetchDescriptor(predicate: request.predicate), request.editingState)
    try delete(query, includeSubclasses: request.includeSubclasses)
  }

  private func delete(_ query: StoreQuery, includeSubclasses: Bool) throws {
    let fetch = try FetchQuery(query, self)
    guard !isReferredTo(fetch.plan.entity) else { throw DataStoreError.unsupportedFeature }
    try writeTransaction { connection in
      var keys: [String: [Int64]] = [:]
      try connection.run(fetch, statement: { try fetch.keysWithEntity() }) { row in
        repeat { keys[row.text(1) ?? "", default: []].append(row.integer(0)) } while try row.step()
      }
      if !includeSubclasses { keys = keys.filter { $0.key == fetch.plan.entity.name } }
      guard !keys.isEmpty else { return }
      var request = DataStoreSaveChangesRequest<DefaultSnapshot>(
        inserted: [], updated: [], deleted: [], editingState: query.editingState)
      request.deletedRows = try keys.sorted { $0.key > $1.key }.map { name, keys in
        let plan = try plans.plan(named: name)
        return DeletedRows.Group(definition: plan.entity.definition, token: plan.token, path: nil, keys: keys)
      }
      try SQLiteSaveDriver(self, connection, author: query.editingState.author).run(request)
    }
  }

  /// Returns true if any table's rows may refer to the entity's rows.
  private func isReferredTo(_ entity: EntityLayout) -> Bool {
    func leads(to destination: String) -> Bool {
      catalogue.layout.entity(named: destination)?.rootName == entity.rootName
    }
    return !entity.lists.isEmpty
      || catalogue.layout.entities.contains { other in
        other.columns.contains { $0.destination.map(leads) ?? false }
          || other.lists.contains { leads(to: $0.destination) }
      }
  }
}

extension FetchQuery {
  /// Returns a statement that selects each match's key and class.
  fileprivate func keysWithEntity() throws -> SQLFragment {
    let name: SQLFragment =
      plan.entity.discriminators.isEmpty
      ? "\(value: .text(plan.entity.name))"
      : "\(column: plan.entity.entityColumn, of: PredicateTranslator.rootAlias)"
    return "SELECT \(plan.key), \(name) FROM \(plan.source)\(try condition())"
  }
}

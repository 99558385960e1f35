extension DefaultStore {
  /// Deletes every match without fetching it.
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature`` when other rows may refer to the deleted ones:
  ///   then the delete rules are the context's business.
  public func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    try checkWritable()
    let plan = try plans.plan(for: T._$definition)
    guard !isReferredTo(plan.entity) else { throw DataStoreError.unsupportedFeature }
    var terms: [SQLFragment] = []
    if !plan.entity.discriminators.isEmpty {
      let names = request.includeSubclasses ? plan.entity.discriminators : [plan.entity.name]
      let values = names.map { "\(value: .text($0))" as SQLFragment }.joined(separator: ", ")
      terms.append(
        "\(column: plan.entity.entityColumn, of: PredicateTranslator.rootAlias) IN (\(values))")
    }
    try writeTransaction { connection in
      if let predicate = request.predicate {
        // Marks of other processes matter here, too; inside the transaction they cannot change.
        marks.formUnion(try StoreMetadata.marks(connection))
        let translator = PredicateTranslator(
          layout: catalogue.layout, entity: plan.entity, marks: marks, storeIdentifier: identifier)
        do {
          terms.append("(\(try translator.filter(predicate)))")
        } catch is Untranslatable {
          throw DataStoreError.preferInMemoryFilter
        }
      }
      let condition: SQLFragment =
        terms.isEmpty ? "" : " WHERE \(terms.joined(separator: " AND "))"
      do {
        try recordDeletion(plan, condition, request.editingState, connection)
        try connection.executeCached("DELETE FROM \(plan.source)\(condition)")
      } catch let error as SQLiteError where PredicateFunctions.isDeclined(error) {
        throw DataStoreError.preferInMemoryFilter
      }
    }
  }

  /// Tells the history which rows are about to go, some thousand at a time.
  private func recordDeletion(
    _ plan: EntityStatements, _ condition: SQLFragment, _ editingState: EditingState, _ connection: Connection
  ) throws {
    guard history != nil else { return }
    let pass = StoreSavePass(
      store: self, connection: connection,
      request: DataStoreSaveChangesRequest(
        inserted: [], updated: [], deleted: [], editingState: editingState))
    let alias = PredicateTranslator.rootAlias
    let name: SQLFragment =
      plan.entity.discriminators.isEmpty
      ? "\(value: .text(plan.entity.name))" : "\(column: plan.entity.entityColumn, of: alias)"
    let query: SQLFragment = """
      SELECT \(plan.key), \(name) FROM \(plan.source)\(condition) ORDER BY 2, 1
      """
    var keys: [Int64] = []
    var entity = ""
    var isEmpty = true
    func flush() throws {
      if pass.history != nil, !keys.isEmpty { try pass.noteDeletion(of: keys, plans.plan(named: entity)) }
      keys.removeAll(keepingCapacity: true)
    }
    let statement = try connection.take(query.text)
    defer { connection.giveBack(statement) }
    try statement.bind(query.values)
    while try statement.step() {
      isEmpty = false
      if !statement.isText(1, entity) || keys.count == Self.deletionPortion {
        try flush()
        entity = statement.text(1) ?? ""
      }
      keys.append(statement.integer(0))
    }
    try flush()
    if !isEmpty { try pass.writeHistory() }
  }

  private static let deletionPortion = 4_096

  /// Whether rows of other tables, or of the same one, may have a reference to rows of the entity.
  private func isReferredTo(_ entity: EntityLayout) -> Bool {
    if !entity.lists.isEmpty { return true }
    return catalogue.tables.contains { table in
      table.columns.contains { $0.reference?.table == entity.table }
    }
      || catalogue.layout.entities.contains { other in
        other.columns.contains { column in
          column.destination.flatMap { catalogue.layout.entity(named: $0) }?.rootName
            == entity.rootName
        }
      }
  }
}

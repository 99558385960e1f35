/// A store that computes aggregates and selects single columns by itself.
protocol SummarizingStore: DataStore {
  /// Calls `row` for every row of a SELECT over the rows of the request.
  ///
  /// - Parameter select: says what to select; asked again when the store's marks have changed.
  /// - Throws: as ``DataStore/fetch(_:)``, before the first row.
  func summarize<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, isWide: Bool,
    select: (inout AggregateTranslation) throws -> AggregateSelect,
    row: (inout StatementRow) throws -> Void
  ) throws

  /// How many members the lists of the owners have, at one state of the store; whether they have
  /// any, as 0 and 1, when only that is asked.
  func countMembers(_ request: DataStoreRelatedRequest, isExistence: Bool) throws -> [Int]
}

extension DefaultStore: SummarizingStore {
  func summarize<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, isWide: Bool,
    select: (inout AggregateTranslation) throws -> AggregateSelect,
    row: (inout StatementRow) throws -> Void
  ) throws {
    let query = FetchQuery(request, plan: try plans.plan(for: T._$definition), store: self)
    // The columns are none of the entity's, so an error does not name one of its properties.
    let shape = RowShape(
      entity: query.plan.entity, token: query.plan.token, destinations: [], columns: [])
    try pool.read(for: .aggregate) { connection in
      try connection.runRaw(
        query, readsValues: true, { try query.summary(select, isWide: isWide) }
      ) { statement in
        var current = StatementRow(statement: statement.handle, shape: shape)
        try row(&current)
      }
    }
  }
}

extension FetchQuery {
  func summary(
    _ select: (inout AggregateTranslation) throws -> AggregateSelect, isWide: Bool
  ) throws -> SQLFragment {
    var sql = AggregateTranslation(translator, isWide: isWide)
    let wanted: AggregateSelect
    do {
      wanted = try select(&sql)
    } catch is Untranslatable {
      throw DataStoreError.preferInMemoryFilter
    }
    let columns = wanted.columns.joined(separator: ", ")
    if wanted.isProjection { return try fragment(selecting: columns) }
    var text: SQLFragment = "SELECT \(columns) FROM \(try rows())"
    if !wanted.groupBy.isEmpty {
      text += " GROUP BY \(wanted.groupBy.joined(separator: ", "))"
    }
    if let having = wanted.having { text += " HAVING \(having)" }
    if !wanted.order.isEmpty { text += " ORDER BY \(wanted.order.joined(separator: ", "))" }
    if let limit = wanted.limit { text += " LIMIT \(value: .integer(Int64(limit)))" }
    return text
  }

  /// The rows to be summed up; the page is cut before.
  private func rows() throws -> SQLFragment {
    guard isPaged else { return "\(plan.source)\(try condition())" }
    let alias = PredicateTranslator.rootAlias
    return "(\(try fragment(selecting: "\(name: alias).*"))) AS \(name: alias)"
  }
}

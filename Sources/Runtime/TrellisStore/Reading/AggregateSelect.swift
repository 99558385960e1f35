/// A SELECT of aggregates or plain columns from a query's rows.
package struct AggregateSelect {
  package var columns: [SQLFragment]
  var groupBy: [SQLFragment] = []
  /// True to select each row individually, in query order.
  package var isProjection = false
  /// True if a column must return text exactly as written.
  package var needsOriginals = false

  package init(
    columns: [SQLFragment], groupBy: [SQLFragment] = [], isProjection: Bool = false, needsOriginals: Bool = false
  ) {
    self.columns = columns
    self.groupBy = groupBy
    self.isProjection = isProjection
    self.needsOriginals = needsOriginals
  }
}

extension FetchQuery {
  /// The shape of a result row. The columns do not belong to the entity, so errors name no property.
  package var summaryShape: RowShape {
    RowShape(entity: plan.entity, token: plan.token, destinations: [], columns: [])
  }

  package func summary(
    _ select: (inout Translation) throws -> AggregateSelect
  ) throws -> SQLFragment {
    var sql = Translation(translator)
    let wanted: AggregateSelect
    do {
      wanted = try select(&sql)
    } catch is Untranslatable {
      throw DataStoreError.preferInMemoryFilter
    }
    let columns = wanted.columns.joined(separator: ", ")
    if wanted.isProjection { return try fragment(selecting: columns) }
    let text: SQLFragment = "SELECT \(columns) FROM \(try rows())"
    return wanted.groupBy.isEmpty ? text : "\(text) GROUP BY \(wanted.groupBy.joined(separator: ", "))"
  }

  /// The rows to aggregate, after paging.
  private func rows() throws -> SQLFragment {
    guard query.isPaged else { return "\(plan.source)\(try condition())" }
    let alias = PredicateTranslator.rootAlias
    return "(\(try fragment(selecting: "\(name: alias).*"))) AS \(name: alias)"
  }
}

extension DefaultStore {
  /// Calls `row` for every row of a SELECT on a query's rows.
  ///
  /// - Parameter select: Builds the selection; called again if the column flags have changed.
  /// - Throws: The same errors as ``rows(_:known:row:)``, before the first row.
  package func summarize(
    _ query: StoreQuery, select: (inout Translation) throws -> AggregateSelect,
    row: (inout StatementRow) throws -> Void
  ) throws -> Bool {
    let fetch = try FetchQuery(query, self)
    let shape = fetch.summaryShape
    try pool.read(for: .aggregate) { connection in
      try connection.run(fetch, statement: { try fetch.summary(select) }) { statement in
        var current = StatementRow(statement: statement.handle, shape: shape)
        repeat { try row(&current) } while try statement.step()
      }
    }
    return true
  }
}

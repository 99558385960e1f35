/// A SELECT of aggregates, or of plain columns, over the rows of a query.
package struct AggregateSelect {
  package var columns: [SQLFragment]
  var groupBy: [SQLFragment] = []
  /// True if each row is selected on its own, in the order of the query.
  package var isProjection = false
  /// True if a column must have its text exactly as it was written.
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
  /// The columns are none of the entity's, so an error does not name one of its properties.
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

  /// The rows to be summed up; the page is cut before.
  private func rows() throws -> SQLFragment {
    guard query.isPaged else { return "\(plan.source)\(try condition())" }
    let alias = PredicateTranslator.rootAlias
    return "(\(try fragment(selecting: "\(name: alias).*"))) AS \(name: alias)"
  }
}

extension DefaultStore {
  /// Calls `row` for every row of a SELECT over the rows of the query.
  ///
  /// - Parameter select: says what to select; called again when the column flags have changed.
  /// - Throws: as ``rows(_:known:row:)``, before the first row.
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

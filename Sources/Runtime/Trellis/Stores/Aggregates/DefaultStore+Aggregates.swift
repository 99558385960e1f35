/// Aggregates and single columns, computed by SQL.
extension DefaultStore {
  /// Calls `row` for every row of a SELECT over the rows of the query.
  ///
  /// - Parameter select: says what to select; called again when the column flags have changed.
  /// - Throws: as ``rows(_:known:row:)``, before the first row.
  package func summarize(
    _ query: StoreQuery, isWide: Bool, select: (inout AggregateTranslation) throws -> AggregateSelect,
    row: (inout StatementRow) throws -> Void
  ) throws -> Bool {
    let fetch = try FetchQuery(query, self)
    let shape = fetch.summaryShape
    try pool.read(for: .aggregate) { connection in
      try connection.run(fetch, selecting: { try fetch.summary(select, isWide: isWide) }) { statement in
        var current = StatementRow(statement: statement.handle, shape: shape)
        try row(&current)
      }
    }
    return true
  }
}

extension FetchQuery {
  /// The columns are none of the entity's, so an error does not name one of its properties.
  package var summaryShape: RowShape {
    RowShape(entity: plan.entity, token: plan.token, destinations: [], columns: [])
  }

  package func summary(
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
    guard query.isPaged else { return "\(plan.source)\(try condition())" }
    let alias = PredicateTranslator.rootAlias
    return "(\(try fragment(selecting: "\(name: alias).*"))) AS \(name: alias)"
  }
}

/// A SELECT of aggregates, or of plain columns, over the rows of a descriptor.
package struct AggregateSelect {
  package var columns: [SQLFragment]
  var groupBy: [SQLFragment] = []
  /// Nil also when the condition is tested in Swift.
  package var having: SQLFragment?
  /// True if SQL sorts the groups by `order`.
  package var isOrdered = false
  package var order: [SQLFragment] = []
  package var limit: Int?
  /// True if each row is selected on its own.
  package var isProjection = false
}

/// A value of an aggregate or a projection that its type cannot hold.
///
/// The columns of such a statement belong to no table, and the row of a group is not a row of one. The caller
/// therefore searches the row that has the value, and throws the error that a fetch would throw.
struct UnreadableColumn: Error, @unchecked Sendable {  // thrown and caught by one call
  let route: KeyPathRoute
  let error: StoredValueError
  let read: (inout StatementRow, Int32) throws -> Void
}

/// Turns the key paths of aggregates into SQL expressions over one entity.
package struct AggregateTranslation {
  private(set) var translation: Translation
  private let root: ModelTerm

  fileprivate init(_ translator: PredicateTranslator) {
    translation = Translation(translator)
    root = translator.root
  }

  /// The value at the end of a route in each row.
  ///
  /// - Throws: ``Untranslatable`` without a route, and if the value is not a column.
  mutating func term(_ route: KeyPathRoute?) throws -> ScalarTerm {
    guard let route else { throw Untranslatable("a value that is not stored is read in memory") }
    var model = root
    for reference in route.references {
      let type = Swift.type(of: reference).valueType
      guard case .model(let next) = try translation.property(reference, of: model, type: type)
      else { throw Untranslatable("\(reference) is read in memory") }
      model = next
    }
    let type = Swift.type(of: route.leaf).valueType
    guard case .scalar(let term) = try translation.property(route.leaf, of: model, type: type)
    else { throw Untranslatable("\(route.leaf) is not a value") }
    return term
  }

  /// The smallest or the largest value of a group.
  func extreme(_ term: ScalarTerm, isLargest: Bool) throws -> SQLFragment {
    let value = try translation.equatable(term)
    guard
      let sql = translation.dialect.extreme(value, term.scalar, isLargest: isLargest, mayBeNaN: mayBeNaN(term))
    else { throw Untranslatable("the database has no least and no greatest value of this type") }
    return sql
  }

  /// True if some of the values may be NaN.
  func mayBeNaN(_ term: ScalarTerm) -> Bool { term.isIrregular && term.scalar.isNumberThatMayBeNaN }
}

/// A SELECT of aggregates, or of plain columns, over the rows of a query.
package struct AggregateSelect {
  package var columns: [SQLFragment]
  var groupBy: [SQLFragment] = []
  /// True if SQL tests, sorts and limits the groups.
  package var isFinished = false
  var having: SQLFragment?
  var order: [SQLFragment] = []
  package var limit: Int?
  /// True if each row is selected on its own, in the order of the query.
  package var isProjection = false
  /// True if a column must have its text exactly as it was written.
  package var needsOriginals = false
}

extension FetchQuery {
  /// The columns are none of the entity's, so an error does not name one of its properties.
  package var summaryShape: RowShape {
    RowShape(entity: plan.entity, token: plan.token, destinations: [], columns: [])
  }

  package func summary(
    _ select: (inout AggregateTranslation) throws -> AggregateSelect
  ) throws -> SQLFragment {
    var sql = AggregateTranslation(translator)
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

extension DefaultStore {
  /// Calls `row` for every row of a SELECT over the rows of the query.
  ///
  /// - Parameter select: says what to select; called again when the column flags have changed.
  /// - Throws: as ``rows(_:known:row:)``, before the first row.
  package func summarize(
    _ query: StoreQuery, select: (inout AggregateTranslation) throws -> AggregateSelect,
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

package import Trellis

/// Handwritten SQL.
extension PostgresStore {
  package func rows(_ query: SQLQuery, row: (inout StatementRow, [String]) throws -> Void) throws {
    var current: (row: StatementRow, names: [String])?
    try read(query.statement(.reading, plans)) { cells in
      cells.isOwn = true
      var (own, names) = current ?? (StatementRow(cells, .none), cells.names)
      try row(&own, names)
      current = (own, names)
    }
  }

  package func explain(_ query: SQLQuery) throws -> (sql: SQLFragment, plan: [String]) {
    let fragment = try query.statement(.reading, plans)
    var plan: [String] = []
    try read(fragment, after: "EXPLAIN ") { row in
      if let line = row.string(0) { plan.append(line) }
    }
    return (fragment, plan)
  }

  /// Runs a statement in a read-only transaction. The rollback also reverts settings such as the search path.
  private func read(_ fragment: SQLFragment, after prefix: String = "", _ row: (ResultRow) throws -> Void) throws {
    guard fragment.values.count <= UInt16.max else {
      throw SQLQueryError(
        .refusedStatement, "the statement has \(fragment.values.count) values, and PostgreSQL accepts \(UInt16.max)")
    }
    var hasRows = false
    try reading(unless: { hasRows }) { connection in
      guard !connection.isInTransaction else {
        throw SwiftDataError.contextInUse.explained(
          "the thread is saving to the store or reading from it: run the statement when that is done")
      }
      connection.begin([.beginReading])
      do {
        try connection.run([PostgresStatement(handwritten: fragment, prefix: prefix), .rollback]) { _, cells in
          hasRows = true
          try row(cells)
        }
      } catch {
        if !connection.isBroken { try? connection.run([.rollback]) }
        throw error
      }
    }
  }
}

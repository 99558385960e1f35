/// Explains a foreign key violation: finds the rows that refer to missing rows, inside the failed transaction.
package struct OrphanedRows {
  private let plans: StoreStatements
  /// Returns the identifier that the caller uses for a row.
  private let identifier: (_ row: Int64, EntityStatements) -> PersistentIdentifier
  /// Runs a query that returns two row keys.
  private let rows: (SQLFragment) throws -> [(Int64, Int64)]

  package init(
    _ plans: StoreStatements,
    identifier: @escaping (_ row: Int64, EntityStatements) -> PersistentIdentifier = {
      PersistentIdentifier(token: $1.token, row: $0)
    },
    rows: @escaping (SQLFragment) throws -> [(Int64, Int64)]
  ) {
    self.plans = plans
    self.identifier = identifier
    self.rows = rows
  }

  /// Returns violations in all tables.
  package func violations() throws -> [SwiftDataError.Violation] {
    Array(try plans.catalogue.tables.flatMap { try violations(of: $0) }.prefix(100))
  }

  /// Returns a table's violations, at most a hundred per column.
  ///
  /// - Parameter keys: The row keys to check; `nil` for all rows.
  package func violations(of table: TableDefinition, keys: Range<Int64>? = nil) throws -> [SwiftDataError.Violation] {
    try table.columns.flatMap { try violations(of: $0, in: table, keys) }
  }

  private func violations(
    of column: ColumnDefinition, in table: TableDefinition, _ keys: Range<Int64>?
  ) throws -> [SwiftDataError.Violation] {
    guard let parent = column.reference?.table, let target = plans.all.first(where: { $0.entity.table == parent })
    else { return [] }
    func orphans(_ key: String, _ other: String) throws -> [(key: Int64, other: Int64)] {
      let reference: SQLFragment = "\(column: column.name, of: "t")"
      var query: SQLFragment = """
        SELECT \(column: key, of: "t"), \(column: other, of: "t") FROM \(name: table.name) AS t
        WHERE \(reference) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(name: parent) AS o
        WHERE \(column: target.entity.keyColumn, of: "o") = \(reference))
        """
      if let keys {
        let (first, last) = (SQLValue.integer(keys.lowerBound), SQLValue.integer(keys.upperBound - 1))
        query += " AND \(column: key, of: "t") BETWEEN \(value: first) AND \(value: last)"
      }
      return try rows("\(query) LIMIT 100")
    }
    if let plan = plans.all.first(where: { $0.entity.table == table.name }) {
      let columns = plans.all.lazy.filter { $0.entity.table == table.name }.flatMap(\.entity.columns)
      let property = columns.first { $0.name == column.name }?.property.name
      return try orphans(plan.entity.keyColumn, column.name).map { key, other in
        .orphaned(
          identifier(key, plan), property.map { [$0] } ?? [], target.entity.rootName, [identifier(other, target)])
      }
    }
    for plan in plans.all {
      for list in plan.entity.lists {
        guard case .join(table.name, let owner, let member, _) = list.kind else { continue }
        let members = try plans.plan(named: list.destination)
        let reason =
          column.name == owner
          ? "was deleted by a concurrent save; roll back its changes"
          : "refers to a '\(list.destination)' that a concurrent save has deleted; remove it from the list or roll back"
        return try orphans(owner, member).map { key, other in
          SwiftDataError.Violation(
            model: identifier(key, plan), properties: [list.property.name], rule: .required, reason: reason,
            others: [identifier(other, members)])
        }
      }
    }
    return []
  }
}

extension SwiftDataError.Violation {
  /// Creates a violation for a row that refers to missing rows.
  fileprivate static func orphaned(
    _ model: PersistentIdentifier, _ properties: [String], _ entity: String, _ others: [PersistentIdentifier]
  ) -> Self {
    Self(
      model: model, properties: properties, rule: .required,
      reason: "refers to a row of '\(entity)' that would not exist", others: others)
  }
}

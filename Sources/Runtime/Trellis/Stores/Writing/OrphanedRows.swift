/// Explains the error of a commit that breaks a foreign key: finds the rows that refer to missing rows.
struct OrphanedRows {
  let store: DefaultStore
  let connection: Connection
  /// The identifier of a row for the caller.
  let identifier: (_ row: Int64, EntityStatements) -> PersistentIdentifier

  func explained(_ error: any Error) -> any Error {
    guard let error = error as? SQLiteError, error.isForeignKeyViolation else { return error }
    let violations = store.catalogue.tables.flatMap { table in
      table.columns.flatMap { column in (try? orphans(column, in: table)) ?? [] }
    }
    return violations.isEmpty ? error : SwiftDataError.modelValidationFailure.listing(Array(violations.prefix(100)))
  }

  /// The rows whose references in a column lead to no row.
  private func orphans(_ column: ColumnDefinition, in table: TableDefinition) throws -> [SwiftDataError.Violation] {
    let plans = store.plans.all
    guard let parent = column.reference?.table, let target = plans.first(where: { $0.entity.table == parent })
    else { return [] }
    func rows(_ key: String, _ other: String) throws -> [(key: Int64, other: Int64)] {
      let found = try connection.rows(
        """
        SELECT \(name: key), \(name: other) FROM \(name: table.name) WHERE \(name: column.name) IS NOT NULL
        AND \(name: column.name) NOT IN (SELECT \(name: target.entity.keyColumn) FROM \(name: parent)) LIMIT 100
        """)
      return found.compactMap { row in
        if case .integer(let key) = row[0], case .integer(let other) = row[1] { (key, other) } else { nil }
      }
    }
    let own = plans.filter { $0.entity.table == table.name }
    if let plan = own.first {
      let property = own.lazy.flatMap(\.entity.columns).first { $0.name == column.name }?.property.name
      return try rows(plan.entity.keyColumn, column.name).map { key, other in
        .orphaned(identifier(key, plan), property.map { [$0] } ?? [], parent, [identifier(other, target)])
      }
    }
    for plan in plans {
      for list in plan.entity.lists {
        guard case .join(table.name, let owner, let member, _) = list.kind else { continue }
        let members = try store.plans.plan(named: list.destination)
        let reason =
          column.name == owner
          ? "was deleted by someone else; roll its changes back"
          : "refers to a '\(list.destination)' that someone else has deleted; take it out or roll back"
        return try rows(owner, member).map { key, other in
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
  /// A row refers to missing rows of an entity.
  package static func orphaned(
    _ model: PersistentIdentifier, _ properties: [String], _ entity: String, _ others: [PersistentIdentifier]
  ) -> Self {
    Self(
      model: model, properties: properties, rule: .required,
      reason: "refers to a row of '\(entity)' that would not exist", others: others)
  }
}

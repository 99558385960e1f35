/// Explains the error of a commit that breaks a foreign key: finds the rows that refer to missing rows.
struct OrphanedRows {
  let store: DefaultStore
  let connection: Connection
  /// The identifier of a row for the caller.
  var identifier: (_ row: Int64, EntityStatements) -> PersistentIdentifier = {
    PersistentIdentifier(token: $1.token, row: $0)
  }

  func explained(_ error: any Error) -> any Error {
    guard let error = error as? SQLiteError, error.isForeignKeyViolation,
      let rows = try? connection.rows("PRAGMA foreign_key_check")
    else { return error }
    var violations: [SwiftDataError.Violation] = []
    var pairTables = Set<String>()
    for row in rows.prefix(100) {
      guard case .text(let table) = row[0], case .text(let parent) = row[2],
        case .integer(let number) = row[3]
      else { continue }
      if case .integer(let key) = row[1], let found = orphan(table, key, of: parent, foreignKey: number) {
        violations.append(found)
      } else if pairTables.insert(table).inserted {
        violations += orphanedPairs(table)
      }
    }
    guard !violations.isEmpty else { return error }
    return SwiftDataError.modelValidationFailure.listing(violations)
  }

  /// The pairs of a relationship that refer to a missing row.
  private func orphanedPairs(_ table: String) -> [SwiftDataError.Violation] {
    for plan in store.plans.all {
      for list in plan.entity.lists {
        guard case .join(table, let owner, let member, _) = list.kind,
          let members = try? store.plans.plan(named: list.destination)
        else { continue }
        let rows = try? connection.rows(
          """
          SELECT \(name: owner), \(name: member), \(name: owner) NOT IN
            (SELECT \(name: plan.entity.keyColumn) FROM \(name: plan.entity.table))
          FROM \(name: table)
          WHERE \(name: owner) NOT IN
            (SELECT \(name: plan.entity.keyColumn) FROM \(name: plan.entity.table))
          OR \(name: member) NOT IN
            (SELECT \(name: members.entity.keyColumn) FROM \(name: members.entity.table))
          LIMIT 100
          """)
        return (rows ?? []).compactMap { row in
          guard case .integer(let key) = row[0], case .integer(let other) = row[1] else { return nil }
          let reason =
            row[2] == .integer(1)
            ? "was deleted by someone else; roll its changes back"
            : "refers to a '\(list.destination)' that someone else has deleted; take it out or roll back"
          return SwiftDataError.Violation(
            model: identifier(key, plan), properties: [list.property.name], rule: .required,
            reason: reason, others: [identifier(other, members)])
        }
      }
    }
    return []
  }

  private func orphan(
    _ table: String, _ key: Int64, of parent: String, foreignKey number: Int64
  ) -> SwiftDataError.Violation? {
    let plans = store.plans.all.filter { $0.entity.table == table }
    guard let plan = plans.first else { return nil }
    let keys = try? connection.rows("PRAGMA foreign_key_list(\(name: table))")
    let name = keys?.lazy.compactMap { row -> String? in
      if row[0] == .integer(number), case .text(let name) = row[3] { name } else { nil }
    }.first
    let column = plans.lazy.flatMap(\.entity.columns).first { $0.name == name }
    var others: [PersistentIdentifier] = []
    if let name, let target = store.plans.all.first(where: { $0.entity.table == parent }),
      case .integer(let row)? = try? connection.rows(
        """
        SELECT \(name: name) FROM \(name: table)
        WHERE \(name: plan.entity.keyColumn) = \(value: .integer(key))
        """
      ).first?.first
    {
      others = [identifier(row, target)]
    }
    return SwiftDataError.Violation(
      model: identifier(key, plan), properties: column.map { [$0.property.name] } ?? [],
      rule: .required, reason: "refers to a row of '\(parent)' that would not exist", others: others)
  }
}

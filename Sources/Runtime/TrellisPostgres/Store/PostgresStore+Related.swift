package import Trellis

/// Rows by key, and related rows.
extension PostgresStore: RowReading {
  package func rows(
    of identifiers: [PersistentIdentifier], row: (inout StatementRow) throws -> Void
  ) throws {
    try plans.visitKeys(of: identifiers) { plan, keys in
      let columns = selection(plan.selection, of: plan.entity)
      let statement = statement(
        "SELECT \(columns) FROM \(plan.source) WHERE \(dialect.isKey(plan.key, in: "?1"))", keys: keys)
      try visit(statement, plan) { current, _ in try row(&current) }
    }
  }

  /// Creates a statement whose only parameter is a list of keys.
  func statement(_ fragment: SQLFragment, keys: some Collection<Int64>) -> PostgresStatement {
    var statement = PostgresStatement(fragment)
    statement.parameters.append(keys: keys)
    return statement
  }

  package func members(
    _ request: DataStoreRelatedRequest,
    row: (_ owner: PersistentIdentifier, _ member: inout StatementRow) throws -> Void
  ) throws {
    guard let (plan, list, members, owners) = try plans.list(of: request), !owners.isEmpty else { return }
    let statement = statement(
      ListTables(list, members).members(
        members, .listed, selecting: selection(members.selection, of: members.entity)), keys: owners)
    try visit(statement, members) { member, cells in
      try row(PersistentIdentifier(token: plan.token, row: cells.last ?? 0), &member)
    }
  }

  package func visitMembers(
    _ request: DataStoreRelatedRequest,
    _ body: (_ owner: PersistentIdentifier, _ member: PersistentIdentifier) -> Void
  ) throws {
    guard let (plan, list, members, owners) = try plans.list(of: request), !owners.isEmpty else { return }
    let statement = statement(ListTables(list, members).members(members, .listed, selecting: members.key), keys: owners)
    for (member, owner) in try reading({ try $0.rows(statement) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0) } }) {
      body(PersistentIdentifier(token: plan.token, row: owner), PersistentIdentifier(token: members.token, row: member))
    }
  }

  package func countMembers(_ request: DataStoreRelatedRequest, isExistence: Bool) throws -> [Int] {
    guard let (plan, list, members, owners) = try plans.list(of: request) else { return request.owners.map { _ in 0 } }
    let tables = ListTables(list, members)
    let isOwned = dialect.isKey(tables.owner, in: "?1")
    let fragment: SQLFragment =
      isExistence
      ? "SELECT DISTINCT \(tables.owner), 1::bigint FROM \(tables.source) WHERE \(isOwned)"
      : "SELECT \(tables.owner), COUNT(*) FROM \(tables.source) WHERE \(isOwned) GROUP BY \(tables.owner)"
    let statement = statement(fragment, keys: owners)
    let found = try reading { try $0.rows(statement) { ($0.integer(0) ?? 0, Int($0.integer(1) ?? 0)) } }
    let counts = Dictionary(found, uniquingKeysWith: { first, _ in first })
    return request.owners.map { owner in
      guard owner.token == plan.token, let row = owner.row else { return 0 }
      return counts[row] ?? 0
    }
  }

  package func visitRelatedRows(
    of rows: [Int64], _ definition: ModelDefinition, _ relation: Relation, _ body: (RelatedRow) throws -> Void
  ) throws {
    let plan = try plans.plan(for: definition)
    let others = try plans.plan(for: relation.destination)
    let isShared = !others.entity.discriminators.isEmpty
    let statement = statement(plan.relatedRows(relation, others) { dialect.isKey($0, in: "?1") }, keys: rows)
    let found = try reading { connection in
      try connection.rows(statement) { row -> RelatedRow? in
        guard let owner = row.integer(0), let key = row.integer(1) else { return nil }
        let own = isShared ? try plans.plan(named: row.string(2) ?? "") : others
        return RelatedRow(owner: owner, row: key, definition: own.entity.definition)
      }
    }
    // Called after the query has ended, because `body` may query the store.
    for row in found { try body(row) }
  }
}

package import Trellis

/// Rows by their keys, and the rows at the other ends of relationships.
extension PostgresStore: RowReading {
  package func rows(
    of identifiers: [PersistentIdentifier], row: (inout StatementRow) throws -> Void
  ) throws {
    // As a rule all of them are of one table.
    var rest = identifiers[...]
    while let token = rest.first?.token {
      let run = rest.prefix { $0.token == token }
      rest = rest[run.endIndex...]
      guard let plan = try plans.plan(of: token, identifier) else { continue }
      let keys = run.compactMap(\.row)
      let columns = selection(plan.selection, of: plan.entity)
      let statement = statement(
        "SELECT \(columns) FROM \(plan.source) WHERE \(dialect.isKey(plan.key, in: "?1"))", keys: keys)
      try visit(statement, plan) { current, _ in try row(&current) }
    }
  }

  /// A statement whose only parameter is a list of keys.
  func statement(_ fragment: SQLFragment, keys: some Collection<Int64>) -> PostgresStatement {
    var statement = PostgresStatement(fragment)
    statement.parameters.append(keys: keys)
    return statement
  }

  package func members(
    _ request: DataStoreRelatedRequest,
    row: (_ owner: PersistentIdentifier, _ member: inout StatementRow) throws -> Void
  ) throws {
    let plan = try plans.plan(named: request.entityName)
    guard plan.entity.lists.indices ~= request.slot else { return }
    let list = plan.entity.lists[request.slot]
    let members = try plans.plan(named: list.destination)
    let owners = request.owners.compactMap { $0.token == plan.token ? $0.row : nil }
    guard !owners.isEmpty else { return }
    let statement = statement(
      ListTables(list, members).members(
        members, .listed, selecting: selection(members.selection, of: members.entity)), keys: owners)
    try visit(statement, members) { member, cells in
      try row(PersistentIdentifier(token: plan.token, row: cells.last ?? 0), &member)
    }
  }

  package func countMembers(_ request: DataStoreRelatedRequest, isExistence: Bool) throws -> [Int] {
    let plan = try plans.plan(named: request.entityName)
    guard plan.entity.lists.indices ~= request.slot else { return request.owners.map { _ in 0 } }
    let list = plan.entity.lists[request.slot]
    let tables = ListTables(list, try plans.plan(named: list.destination))
    let owners = request.owners.compactMap { $0.token == plan.token ? $0.row : nil }
    let isOwned = dialect.isKey(tables.owner, in: "?1")
    let fragment: SQLFragment =
      isExistence
      ? "SELECT DISTINCT \(tables.owner), 1::bigint FROM \(tables.source) WHERE \(isOwned)"
      : "SELECT \(tables.owner), COUNT(*) FROM \(tables.source) WHERE \(isOwned) GROUP BY \(tables.owner)"
    var counts: [Int64: Int] = [:]
    try visitKeys(fragment, of: owners) { counts[$0] = Int($1) }
    return request.owners.map { owner in
      owner.token == plan.token ? owner.row.flatMap { counts[$0] } ?? 0 : 0
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
    // Not while the rows come, because the caller may ask the store.
    for row in found { try body(row) }
  }

  /// Calls `body` with the two columns of each row of a statement whose parameter is a list of keys.
  func visitKeys(_ statement: SQLFragment, of keys: [Int64], _ body: (Int64, Int64) -> Void) throws {
    let statement = self.statement(statement, keys: keys)
    // A repetition after a lost connection begins anew.
    let found = try reading { try $0.rows(statement) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0) } }
    for (first, second) in found { body(first, second) }
  }
}

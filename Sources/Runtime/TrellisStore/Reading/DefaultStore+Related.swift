import CSQLite

/// Reads rows in a single database state, that of the connection's transaction.
struct OneState: RowReading {
  let store: DefaultStore
  let connection: Connection

  func rows(of identifiers: [PersistentIdentifier], row: (inout StatementRow) throws -> Void) throws {
    try store.plans.visitKeys(of: identifiers) { plan, keys in
      let statement: Statement
      if keys.count == 1 {
        statement = try connection.take(plan.number(.byKey), plan.rows(where: "\(plan.key) = ?1").text)
        statement.bind(keys[0], at: 1)
      } else {
        statement = try connection.take(
          plan.number(.byKeys), plan.rows(where: plan.dialect.isKey(plan.key, in: "?1")).text)
        try statement.bind(.keys(keys), at: 1)
      }
      try connection.run(statement, plan, row)
    }
  }

  func members(
    _ request: DataStoreRelatedRequest,
    row: (_ owner: PersistentIdentifier, _ member: inout StatementRow) throws -> Void
  ) throws {
    guard let (plan, list, members, rows) = try store.plans.list(of: request), let first = rows.first,
      let last = rows.last
    else { return }
    // True if the keys are consecutive, so that the range contains no other keys.
    let isRange = last &- first == rows.count - 1 && zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
    let owners: EntityStatements.Owners = rows.count == 1 ? .one : isRange ? .range : .listed
    let statement = try connection.take(
      plan.number(list: request.slot, of: owners),
      ListTables(list, members).members(members, owners, selecting: members.selection).text)
    if isRange { statement.bind(first, at: 1) } else { try statement.bind(.keys(rows), at: 1) }
    if owners == .range { statement.bind(last, at: 2) }
    try connection.run(statement, members) { member in
      let owner = sqlite3_column_int64(member.statement, members.selectionCount)
      try row(PersistentIdentifier(token: plan.token, row: owner), &member)
    }
  }

  func visitMembers(
    _ request: DataStoreRelatedRequest,
    _ body: (_ owner: PersistentIdentifier, _ member: PersistentIdentifier) -> Void
  ) throws {
    guard let (plan, list, members, rows) = try store.plans.list(of: request), !rows.isEmpty else { return }
    let keys = ListTables(list, members).members(members, .listed, selecting: members.key)
    let statement = try connection.take(keys.text)
    defer { connection.checkIn(statement) }
    try statement.bind(.keys(rows), at: 1)
    while try statement.step() {
      let (member, owner) = (statement.integer(0), statement.integer(1))
      body(PersistentIdentifier(token: plan.token, row: owner), PersistentIdentifier(token: members.token, row: member))
    }
  }
}

extension DefaultStore: RowReading {
  package func rows(
    of identifiers: [PersistentIdentifier], row: (inout StatementRow) throws -> Void
  ) throws {
    try reading(for: .fault, several: identifiers.count > 1) { connection in
      try OneState(store: self, connection: connection).rows(of: identifiers, row: row)
    }
  }

  package func members(
    _ request: DataStoreRelatedRequest,
    row: (_ owner: PersistentIdentifier, _ member: inout StatementRow) throws -> Void
  ) throws {
    try pool.read(for: .fault) { try OneState(store: self, connection: $0).members(request, row: row) }
  }

  package func visitMembers(
    _ request: DataStoreRelatedRequest,
    _ body: (_ owner: PersistentIdentifier, _ member: PersistentIdentifier) -> Void
  ) throws {
    try pool.read(for: .fault) { try OneState(store: self, connection: $0).visitMembers(request, body) }
  }

  /// Returns each owner's member count. If `isExistence` is true, the count is 1 if there are members, otherwise 0.
  package func countMembers(_ request: DataStoreRelatedRequest, isExistence: Bool) throws -> [Int] {
    let plan = try plans.plan(named: request.entityName)
    guard plan.entity.lists.indices ~= request.slot else { return request.owners.map { _ in 0 } }
    var counts: [Int] = []
    counts.reserveCapacity(request.owners.count)
    try reading(for: .count, several: request.owners.count > 1) { connection in
      let statement = try connection.take(
        plan.number(counting: request.slot, isExistence: isExistence),
        counting(plan.entity.lists[request.slot], isExistence).text)
      defer { connection.checkIn(statement) }
      for owner in request.owners {
        guard let key = owner.row, owner.token == plan.token else {
          counts.append(0)
          continue
        }
        statement.bind(key, at: 1)
        counts.append(try statement.step() ? Int(statement.integer(0)) : 0)
        statement.reset()
      }
    }
    return counts
  }

  private func counting(_ list: ListLayout, _ isExistence: Bool) throws -> SQLFragment {
    let tables = ListTables(list, try plans.plan(named: list.destination))
    let body: SQLFragment = "FROM \(tables.source) WHERE \(tables.owner) = ?1"
    return isExistence ? "SELECT EXISTS (SELECT 1 \(body))" : "SELECT COUNT(*) \(body)"
  }

  /// Calls `body` with a connection, in a read transaction if there are several queries.
  func reading(
    for purpose: TracedStatement.Purpose = .other, several: Bool, _ body: (Connection) throws -> Void
  ) throws {
    try pool.read(for: purpose) { connection in
      if several { try connection.read { try body(connection) } } else { try body(connection) }
    }
  }

}

/// Related rows as keys only.
extension DefaultStore {
  /// Calls `body` for each row that saved rows refer to through a relationship.
  ///
  /// - Parameters:
  ///   - rows: The saved rows' keys.
  ///   - definition: The saved rows' class.
  package func visitRelatedRows(
    of rows: [Int64], _ definition: ModelDefinition, _ relation: Relation,
    _ body: (RelatedRow) throws -> Void
  ) throws {
    let plan = try plans.plan(for: definition)
    let others = try plans.plan(for: relation.destination)
    let isShared = !others.entity.discriminators.isEmpty
    try reading(for: .fault, several: rows.count > 1) { connection in
      let statement = try connection.take(plan.relatedRows(relation, others) { "\($0) = ?1" }.text)
      defer { connection.checkIn(statement) }
      var name = ""
      var own = others.entity.definition
      // Separate queries take half the time, because SQLite need not parse and sort a list of keys.
      for key in rows {
        statement.bind(key, at: 1)
        while try statement.step() {
          if isShared, !statement.isText(2, name) {
            name = statement.text(2) ?? ""
            own = try plans.plan(named: name).entity.definition
          }
          try body(RelatedRow(owner: key, row: statement.integer(1), definition: own))
        }
        statement.reset()
      }
    }
  }
}

extension EntityStatements {
  /// Returns a statement that selects the rows that satisfy a condition.
  func rows(where condition: SQLFragment) -> SQLFragment {
    "SELECT \(selection) FROM \(source) WHERE \(condition)"
  }

  /// Returns a statement that selects keys and related keys, with the related rows' classes in a shared table.
  ///
  /// - Parameter isWanted: Builds the condition for a key.
  package func relatedRows(
    _ relation: Relation, _ others: EntityStatements, where isWanted: (SQLFragment) -> SQLFragment
  ) -> SQLFragment {
    let own = "own"
    let isShared = !others.entity.discriminators.isEmpty
    let name: SQLFragment =
      isShared ? ", \(column: others.entity.entityColumn, of: PredicateTranslator.rootAlias)" : ""
    guard relation.isToMany else {
      let reference: SQLFragment = "\(column: entity.columns[relation.slot].name, of: own)"
      let key: SQLFragment = "\(column: entity.keyColumn, of: own)"
      let join: SQLFragment = isShared ? " JOIN \(others.source) ON \(others.key) = \(reference)" : ""
      return """
        SELECT \(key), \(reference)\(name) FROM \(name: entity.table) AS \(name: own)\(join)
        WHERE \(isWanted(key)) AND \(reference) IS NOT NULL
        """
    }
    let tables = ListTables(entity.lists[relation.slot], others, joinsMembers: isShared)
    return """
      SELECT \(tables.owner), \(tables.member)\(name) FROM \(tables.source) WHERE \(isWanted(tables.owner))
      """
  }
}

import CSQLite

extension DefaultStore {
  /// Calls `row` for every member of a to-many relationship: owner by owner, in any order of the
  /// owners, the members of each in theirs: by position when ordered, else by key.
  func members(
    _ request: DataStoreRelatedRequest,
    row: (_ owner: PersistentIdentifier, _ member: inout StatementRow) throws -> Void
  ) throws {
    try pool.read(for: .fault) { try members(request, on: $0, row: row) }
  }

  private func members(
    _ request: DataStoreRelatedRequest, on connection: Connection,
    row: (_ owner: PersistentIdentifier, _ member: inout StatementRow) throws -> Void
  ) throws {
    let plan = try plans.plan(named: request.entityName)
    guard plan.entity.lists.indices ~= request.slot else { return }
    let list = plan.entity.lists[request.slot]
    let members = try plans.plan(named: list.destination)
    let rows = request.owners.compactMap { $0.token == plan.token ? $0.row : nil }
    guard let first = rows.first else { return }
    guard rows.count > 1 else {
      let statement = try connection.statement(
        slot: plan.slot(list: request.slot), Self.members(of: list, plan, members, .one).text)
      statement.bind(first, at: 1)
      let owner = PersistentIdentifier(token: plan.token, row: first)
      try connection.run(statement, members) { try row(owner, &$0) }
      return
    }
    let range = Self.range(of: rows)
    let kind = range == nil ? EntityStatements.Owners.listed : .range
    let statement = try connection.statement(
      slot: plan.slot(list: request.slot, of: kind), Self.members(of: list, plan, members, kind).text)
    if let range {
      statement.bind(range.lowerBound, at: 1)
      statement.bind(range.upperBound, at: 2)
    } else {
      try statement.bind(.list(rows.map { .integer($0) }), at: 1)
    }
    try connection.run(statement, members) { member in
      let owner = sqlite3_column_int64(member.statement, members.selectionCount)
      try row(PersistentIdentifier(token: plan.token, row: owner), &member)
    }
  }

  /// The bounds of some keys that have no other key between them.
  private static func range(of rows: [Int64]) -> ClosedRange<Int64>? {
    guard let first = rows.min(), let last = rows.max(), last &- first == rows.count - 1 else {
      return nil
    }
    let isAscending = zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
    return isAscending || Set(rows).count == rows.count ? first...last : nil
  }

  /// Calls `row` for each of the models that exists, in any order.
  func rows(
    of identifiers: [PersistentIdentifier], row: (inout StatementRow) throws -> Void
  ) throws {
    try reading(for: .fault, several: identifiers.count > 1) { connection in
      try rows(of: identifiers, on: connection, row: row)
    }
  }

  func rows(
    of identifiers: [PersistentIdentifier], on connection: Connection,
    row: (inout StatementRow) throws -> Void
  ) throws {
    try connection.expectLookups()
    // As a rule all of them are of one table.
    var rest = identifiers[...]
    while let token = rest.first?.token {
      let run = rest.prefix { $0.token == token }
      rest = rest[run.endIndex...]
      guard let plan = try plans.plan(of: token, identifier) else { continue }
      let keys = run.compactMap(\.row)
      let statement: Statement
      if keys.count == 1 {
        statement = try connection.statement(slot: plan.slot(.byKey), Self.row(of: plan).text)
        statement.bind(keys[0], at: 1)
      } else {
        statement = try connection.statement(slot: plan.slot(.byKeys), Self.rows(of: plan).text)
        try statement.bind(.list(keys.map { .integer($0) }), at: 1)
      }
      try connection.run(statement, plan, row)
    }
  }

  /// Lends a connection; for several queries, one that reads one state for all of them.
  func reading(
    for purpose: TracedStatement.Purpose = .other, several: Bool, _ body: (Connection) throws -> Void
  ) throws {
    try pool.read(for: purpose) { connection in
      if several { try connection.read { try body(connection) } } else { try body(connection) }
    }
  }

  /// One row by its key.
  static func row(of plan: EntityStatements) -> SQLFragment {
    "SELECT \(plan.selection) FROM \(plan.source) WHERE \(plan.key) = ?1"
  }

  /// The rows whose keys are in a JSON array.
  static func rows(of plan: EntityStatements) -> SQLFragment {
    """
    SELECT \(plan.selection) FROM \(plan.source)
    WHERE \(plan.key) IN (SELECT "value" FROM json_each(?1))
    """
  }

  /// The members of one owner's list; or those of the lists of several owners, with the owner's key in
  /// a last column and owner after owner.
  ///
  /// - Parameter selected: what is wanted of the members; nil for whole rows.
  static func members(
    of list: ListLayout, _ owners: EntityStatements, _ plan: EntityStatements, _ kind: EntityStatements.Owners,
    selecting selected: SQLFragment? = nil
  ) -> SQLFragment {
    let selection = selected ?? plan.selection
    let alias = PredicateTranslator.rootAlias
    let pairs = "pairs"
    var source = plan.source
    let owner: SQLFragment
    let position: SQLFragment?
    switch list.kind {
    case .foreignKey(let column):
      owner = "\(column: column, of: alias)"
      position = list.orderColumn.map { "\(column: $0, of: alias)" }
    case .join(let table, let ownerColumn, let member, let positionColumn):
      owner = "\(column: ownerColumn, of: pairs)"
      position = positionColumn.map { "\(column: $0, of: pairs)" }
      source = """
        \(name: table) AS \(name: pairs)
        JOIN \(plan.source) ON \(plan.key) = \(column: member, of: pairs)
        """
    }
    // Members that were never given a place come last.
    let order: SQLFragment = position.map { "\($0) IS NULL, \($0), \(plan.key)" } ?? plan.key
    let condition: SQLFragment
    switch kind {
    case .one:
      return """
        SELECT \(selection) FROM \(source) WHERE \(owner) = ?1 ORDER BY \(order)
        """
    case .range: condition = "\(owner) BETWEEN ?1 AND ?2"
    case .listed: condition = "\(owner) IN (SELECT \"value\" FROM json_each(?1))"
    }
    return """
      SELECT \(selection), \(owner) FROM \(source)
      WHERE \(condition) ORDER BY \(owner), \(order)
      """
  }

  /// The models that the fetch is to bring along.
  func relatedSnapshots<T: PersistentModel>(
    of snapshots: [DefaultSnapshot], _ request: DataStoreFetchRequest<T>,
    on connection: Connection
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    guard !request.descriptor.relationshipKeyPathsForPrefetching.isEmpty else { return [:] }
    var collector = SnapshotCollector()
    for keyPath in request.descriptor.relationshipKeyPathsForPrefetching {
      guard let property = T._$definition.layout.property(for: keyPath),
        property.kind.isRelationship
      else { continue }
      if property.kind.isToMany {
        let related = DataStoreRelatedRequest(
          owners: snapshots.map(\.persistentIdentifier), entityName: T._$definition.entityName,
          slot: property.slot, editingState: request.editingState)
        try members(related, on: connection) { try collector.add(&$1) }
      } else {
        let references = Set(snapshots.compactMap { $0.batch.reference($0.index, property.slot) })
        try rows(of: references.sorted(), on: connection) { try collector.add(&$0) }
      }
    }
    try fillLists(of: collector.filled, on: connection)
    return Dictionary(
      collector.snapshots.map { ($0.persistentIdentifier, $0) }, uniquingKeysWith: { old, _ in old }
    )
  }
}

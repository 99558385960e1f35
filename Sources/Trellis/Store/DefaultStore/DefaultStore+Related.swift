extension DefaultStore {
  public func streamRelated(
    _ request: DataStoreRelatedRequest,
    row: (_ owner: PersistentIdentifier, _ member: inout StatementRow) throws -> Void
  ) throws {
    try reading(several: request.owners.count > 1) { connection in
      try streamRelated(request, on: connection, row: row)
    }
  }

  private func streamRelated(
    _ request: DataStoreRelatedRequest, on connection: Connection,
    row: (_ owner: PersistentIdentifier, _ member: inout StatementRow) throws -> Void
  ) throws {
    let plan = try plans.plan(named: request.entityName)
    guard plan.entity.lists.indices ~= request.slot else { return }
    let list = plan.entity.lists[request.slot]
    let members = try plans.plan(named: list.destination)
    let statement = try connection.statement(
      slot: plan.slot(list: request.slot), Self.members(of: list, plan, members).text)
    for owner in request.owners {
      guard let key = owner.row, owner.token == plan.token else { continue }
      statement.bind(key, at: 1)
      try connection.run(statement, members) { try row(owner, &$0) }
    }
  }

  public func stream(
    _ identifiers: [PersistentIdentifier], editingState: EditingState,
    row: (inout StatementRow) throws -> Void
  ) throws {
    try reading(several: identifiers.count > 1) { connection in
      try stream(identifiers, on: connection, row: row)
    }
  }

  private func stream(
    _ identifiers: [PersistentIdentifier], on connection: Connection,
    row: (inout StatementRow) throws -> Void
  ) throws {
    var token: IdentifierToken?
    var current: (plan: EntityPlan, statement: Statement)?
    for identifier in identifiers {
      guard let key = identifier.row, !identifier.isTemporary else { continue }
      if token != identifier.token {
        token = identifier.token
        current = nil
        guard identifier.storeIdentifier == self.identifier else { continue }
        let plan = try plans.plan(named: identifier.entityName)
        let statement = try connection.statement(
          slot: plan.slot(.byKey), Self.row(of: plan).text)
        current = (plan, statement)
      }
      guard let (plan, statement) = current else { continue }
      statement.bind(key, at: 1)
      try connection.run(statement, plan, row)
    }
  }

  /// Lends a connection; for several queries, one that reads one state for all of them.
  func reading(several: Bool, _ body: (Connection) throws -> Void) throws {
    try pool.read { connection in
      if several { try connection.read { try body(connection) } } else { try body(connection) }
    }
  }

  /// One row by its key.
  static func row(of plan: EntityPlan) -> SQLFragment {
    "SELECT \(plan.selection) FROM \(plan.source) WHERE \(plan.key) = ?1"
  }

  /// The members of one owner's list.
  static func members(of list: ListLayout, _ owners: EntityPlan, _ plan: EntityPlan) -> SQLFragment
  {
    let alias = PredicateTranslator.rootAlias
    switch list.kind {
    case .foreignKey(let column):
      let owner: SQLFragment = "\(column: column, of: alias)"
      var order: SQLFragment = ""
      if let position = list.orderColumn {
        // Members that were never given a place come last.
        order = "\(column: position, of: alias) IS NULL, \(column: position, of: alias), "
      }
      return """
        SELECT \(plan.selection) FROM \(plan.source) WHERE \(owner) = ?1
        ORDER BY \(order)\(plan.key)
        """
    case .join(let table, let owner, let member, let position):
      let pairs = "pairs"
      let order: SQLFragment =
        position.map { "\(column: $0, of: pairs) IS NULL, \(column: $0, of: pairs), " } ?? ""
      return """
        SELECT \(plan.selection) FROM \(name: table) AS \(name: pairs)
        JOIN \(plan.source) ON \(plan.key) = \(column: member, of: pairs)
        WHERE \(column: owner, of: pairs) = ?1 ORDER BY \(order)\(plan.key)
        """
    }
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
        try streamRelated(related, on: connection) { try collector.add(&$1) }
      } else {
        let references = Set(snapshots.compactMap { $0.batch.reference($0.index, property.slot) })
        try stream(references.sorted(), on: connection) { try collector.add(&$0) }
      }
    }
    return Dictionary(
      collector.snapshots.map { ($0.persistentIdentifier, $0) }, uniquingKeysWith: { old, _ in old }
    )
  }
}

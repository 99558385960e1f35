/// To-many lists that are asked something without being loaded.
extension DefaultStore {
  func countMembers(_ request: DataStoreRelatedRequest, isExistence: Bool) throws -> [Int] {
    let plan = try plans.plan(named: request.entityName)
    guard plan.entity.lists.indices ~= request.slot else { return request.owners.map { _ in 0 } }
    let slot = plan.slot(counting: request.slot, isExistence: isExistence)
    var counts: [Int] = []
    counts.reserveCapacity(request.owners.count)
    try reading(for: .count, several: request.owners.count > 1) { connection in
      let statement = try connection.statement(
        slot: slot, try counting(plan.entity.lists[request.slot], isExistence).text)
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
    let members = try plans.plan(named: list.destination)
    let alias = PredicateTranslator.rootAlias
    let body: SQLFragment =
      switch list.kind {
      case .foreignKey(let column):
        "FROM \(members.source) WHERE \(column: column, of: alias) = ?1"
      case .join(let table, let owner, let member, _):
        """
        FROM \(name: table) AS \(name: "pairs") \
        JOIN \(members.source) ON \(members.key) = \(column: member, of: "pairs") \
        WHERE \(column: owner, of: "pairs") = ?1
        """
      }
    return isExistence ? "SELECT EXISTS (SELECT 1 \(body))" : "SELECT count(*) \(body)"
  }

  /// The condition that a row is a member of a list.
  func membership(_ scope: DataStoreRelatedRequest) throws -> SQLFragment {
    guard let (list, owner, plan) = try members(scope) else { return "0" }
    switch list.kind {
    case .foreignKey(let column):
      return "\(column: column, of: PredicateTranslator.rootAlias) = \(value: .integer(owner))"
    case .join(let table, let ownerColumn, let member, _):
      return """
        \(plan.key) IN (SELECT \(name: member) FROM \(name: table) \
        WHERE \(name: ownerColumn) = \(value: .integer(owner)))
        """
    }
  }

  /// What orders the members of a list before their keys do: their places.
  func place(_ scope: DataStoreRelatedRequest) throws -> [SQLFragment] {
    guard let (list, owner, plan) = try members(scope) else { return [] }
    let place: SQLFragment
    switch list.kind {
    case .foreignKey:
      guard let column = list.orderColumn else { return [] }
      place = "\(column: column, of: PredicateTranslator.rootAlias)"
    case .join(let table, let ownerColumn, let member, let position):
      guard let position else { return [] }
      place = """
        (SELECT \(column: position, of: "pairs") FROM \(name: table) AS \(name: "pairs") \
        WHERE \(column: ownerColumn, of: "pairs") = \(value: .integer(owner)) \
        AND \(column: member, of: "pairs") = \(plan.key))
        """
    }
    return ["\(place) IS NULL", place]
  }

  private func members(
    _ scope: DataStoreRelatedRequest
  ) throws -> (list: ListLayout, owner: Int64, members: EntityStatements)? {
    let plan = try plans.plan(named: scope.entityName)
    guard plan.entity.lists.indices ~= scope.slot, let owner = scope.owners.first?.row else {
      return nil
    }
    let list = plan.entity.lists[scope.slot]
    return (list, owner, try plans.plan(named: list.destination))
  }
}

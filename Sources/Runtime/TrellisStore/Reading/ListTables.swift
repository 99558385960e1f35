/// A to-many relationship's tables and columns, for statements on list members.
package struct ListTables {
  /// The members' table or the join table.
  package let source: SQLFragment
  /// The key of a member's owner.
  package let owner: SQLFragment
  /// A member's key.
  package let member: SQLFragment
  /// A member's position in an ordered list.
  package let position: SQLFragment?

  private static let pairs = "pairs"

  /// - Parameters:
  ///   - members: The statements for the members' class.
  ///   - joinsMembers: False if a statement on a join table needs no member columns.
  package init(_ list: ListLayout, _ members: EntityStatements, joinsMembers: Bool = true) {
    switch list.kind {
    case .foreignKey(let column):
      let alias = PredicateTranslator.rootAlias
      source = members.source
      owner = "\(column: column, of: alias)"
      member = members.key
      position = list.orderColumn.map { "\(column: $0, of: alias)" }
    case .join(let table, let ownerColumn, let memberColumn, let positionColumn):
      owner = "\(column: ownerColumn, of: Self.pairs)"
      member = "\(column: memberColumn, of: Self.pairs)"
      position = positionColumn.map { "\(column: $0, of: Self.pairs)" }
      let pairs: SQLFragment = "\(name: table) AS \(name: Self.pairs)"
      source = joinsMembers ? "\(pairs) JOIN \(members.source) ON \(members.key) = \(member)" : pairs
    }
  }

  /// Returns a statement that selects list members grouped by owner, with the owner's key as the last column.
  package func members(
    _ plan: EntityStatements, _ owners: EntityStatements.Owners, selecting selection: SQLFragment
  ) -> SQLFragment {
    // Members with no position come last.
    let order: SQLFragment = position.map { "\($0) IS NULL, \($0), \(plan.key)" } ?? plan.key
    let condition: SQLFragment =
      switch owners {
      case .one: "\(owner) = ?1"
      case .range: "\(owner) BETWEEN ?1 AND ?2"
      case .listed: plan.dialect.isKey(owner, in: "?1")
      }
    return "SELECT \(selection), \(owner) FROM \(source) WHERE \(condition) ORDER BY \(owner), \(order)"
  }
}

/// Query parts for a single list's members.
extension StoreStatements {
  /// Returns the condition for list membership.
  package func membership(_ scope: DataStoreRelatedRequest) throws -> SQLFragment {
    guard let (tables, owner, members, isJoin) = try list(scope) else { return dialect.condition(false) }
    let isOwned: SQLFragment = "\(tables.owner) = \(value: .integer(owner))"
    guard isJoin else { return isOwned }
    return "\(members.key) IN (SELECT \(tables.member) FROM \(tables.source) WHERE \(isOwned))"
  }

  /// Returns the terms that order list members by position, before ordering by key.
  package func positions(_ scope: DataStoreRelatedRequest) throws -> [SQLFragment] {
    guard let (tables, owner, members, isJoin) = try list(scope), var position = tables.position else { return [] }
    if isJoin {
      position = """
        (SELECT \(position) FROM \(tables.source) WHERE \(tables.owner) = \(value: .integer(owner)) \
        AND \(tables.member) = \(members.key))
        """
    }
    return ["\(position) IS NULL", position]
  }

  /// Returns the requested list, the statements for owners and members, and the owner keys; `nil` if the model has no
  /// such list.
  package func list(
    of request: DataStoreRelatedRequest
  ) throws -> (plan: EntityStatements, list: ListLayout, members: EntityStatements, owners: [Int64])? {
    let plan = try plan(named: request.entityName)
    guard plan.entity.lists.indices ~= request.slot else { return nil }
    let list = plan.entity.lists[request.slot]
    let owners = request.owners.compactMap { $0.token == plan.token ? $0.row : nil }
    return (plan, list, try self.plan(named: list.destination), owners)
  }

  private func list(
    _ scope: DataStoreRelatedRequest
  ) throws -> (ListTables, owner: Int64, members: EntityStatements, isJoin: Bool)? {
    guard let (_, list, members, _) = try list(of: scope), let owner = scope.owners.first?.row else { return nil }
    var isJoin = false
    if case .join = list.kind { isJoin = true }
    return (ListTables(list, members, joinsMembers: false), owner, members, isJoin)
  }
}

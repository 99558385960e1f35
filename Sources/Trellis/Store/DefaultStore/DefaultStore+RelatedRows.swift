/// The other ends of relationships as keys, without the values of their rows.
extension DefaultStore {
  /// Visits the rows at the other end of a relationship of saved rows.
  ///
  /// - Parameters:
  ///   - rows: the keys of the rows to ask about.
  ///   - definition: the class of these rows.
  func visitRelatedRows(
    of rows: [Int64], _ definition: ModelDefinition, _ relation: Relation,
    _ body: (RelatedRow) throws -> Void
  ) throws {
    let plan = try plans.plan(for: definition)
    let others = try plans.plan(for: relation.destination)
    let isShared = !others.entity.discriminators.isEmpty
    try pool.read { connection in
      let statement = try connection.take(
        Self.relatedRows(relation, plan, others, isShared: isShared).text)
      defer { connection.giveBack(statement) }
      try statement.bind(KeyList.text(of: rows), at: 1)
      var name = ""
      var own = others.entity.definition
      while try statement.step() {
        if isShared, !statement.isText(2, name) {
          name = statement.text(2) ?? ""
          own = try plans.plan(named: name).entity.definition
        }
        try body(
          RelatedRow(owner: statement.integer(0), row: statement.integer(1), definition: own))
      }
    }
  }

  private static func relatedRows(
    _ relation: Relation, _ plan: EntityPlan, _ others: EntityPlan, isShared: Bool
  ) -> SQLFragment {
    let alias = PredicateTranslator.rootAlias
    let own = "own"
    let wanted: SQLFragment = "IN (SELECT \"value\" FROM json_each(?1))"
    let entity: SQLFragment =
      isShared ? ", \(column: others.entity.entityColumn, of: alias)" : ""
    guard relation.isToMany else {
      let reference: SQLFragment = "\(column: plan.entity.columns[relation.slot].name, of: own)"
      let join: SQLFragment = isShared ? " JOIN \(others.source) ON \(others.key) = \(reference)" : ""
      return """
        SELECT \(column: plan.entity.keyColumn, of: own), \(reference)\(entity)
        FROM \(name: plan.entity.table) AS \(name: own)\(join)
        WHERE \(column: plan.entity.keyColumn, of: own) \(wanted) AND \(reference) IS NOT NULL
        """
    }
    switch plan.entity.lists[relation.slot].kind {
    case .foreignKey(let column):
      let owner: SQLFragment = "\(column: column, of: alias)"
      return """
        SELECT \(owner), \(others.key)\(entity) FROM \(others.source) WHERE \(owner) \(wanted)
        """
    case .join(let table, let ownerColumn, let memberColumn, _):
      let pairs = "pairs"
      let owner: SQLFragment = "\(column: ownerColumn, of: pairs)"
      let member: SQLFragment = "\(column: memberColumn, of: pairs)"
      let join: SQLFragment = isShared ? " JOIN \(others.source) ON \(others.key) = \(member)" : ""
      return """
        SELECT \(owner), \(member)\(entity) FROM \(name: table) AS \(name: pairs)\(join)
        WHERE \(owner) \(wanted)
        """
    }
  }
}

/// The other ends of relationships as keys, without the values of their rows.
extension DefaultStore {
  /// Visits the rows at the other end of a relationship of saved rows.
  ///
  /// - Parameters:
  ///   - rows: the keys of the rows to ask about.
  ///   - definition: the class of these rows.
  package func visitRelatedRows(
    of rows: [Int64], _ definition: ModelDefinition, _ relation: Relation,
    _ body: (RelatedRow) throws -> Void
  ) throws {
    let plan = try plans.plan(for: definition)
    let others = try plans.plan(for: relation.destination)
    let isShared = !others.entity.discriminators.isEmpty
    try reading(for: .fault, several: rows.count > 1) { connection in
      let statement = try connection.take(
        Self.relatedRows(relation, plan, others, isShared: isShared).text)
      defer { connection.giveBack(statement) }
      var name = ""
      var own = others.entity.definition
      // One after the other: half the work of a list of keys that SQLite has to parse and sort.
      for key in rows {
        statement.bind(key, at: 1)
        while try statement.step() {
          if isShared, !statement.isText(1, name) {
            name = statement.text(1) ?? ""
            own = try plans.plan(named: name).entity.definition
          }
          try body(RelatedRow(owner: key, row: statement.integer(0), definition: own))
        }
        statement.reset()
      }
    }
  }

  private static func relatedRows(
    _ relation: Relation, _ plan: EntityStatements, _ others: EntityStatements, isShared: Bool
  ) -> SQLFragment {
    let alias = PredicateTranslator.rootAlias
    let own = "own"
    let entity: SQLFragment =
      isShared ? ", \(column: others.entity.entityColumn, of: alias)" : ""
    guard relation.isToMany else {
      let reference: SQLFragment = "\(column: plan.entity.columns[relation.slot].name, of: own)"
      let join: SQLFragment = isShared ? " JOIN \(others.source) ON \(others.key) = \(reference)" : ""
      return """
        SELECT \(reference)\(entity) FROM \(name: plan.entity.table) AS \(name: own)\(join)
        WHERE \(column: plan.entity.keyColumn, of: own) = ?1 AND \(reference) IS NOT NULL
        """
    }
    let tables = ListTables(plan.entity.lists[relation.slot], others, joinsMembers: isShared)
    return "SELECT \(tables.member)\(entity) FROM \(tables.source) WHERE \(tables.owner) = ?1"
  }
}

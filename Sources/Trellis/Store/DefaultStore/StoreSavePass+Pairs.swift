/// Both ends of one-to-one relationships of rows that were merged with new models.
///
/// A new model's own end of a pair was written into the existing row, but nobody knew of the partner
/// that row had before.
extension StoreSavePass {
  func settlePairs() throws {
    for group in groups {
      let relations = group.plan.entity.definition.relations.references.filter {
        $0.inverse?.kind.isToMany == false
      }
      guard !relations.isEmpty else { continue }
      for position in group.positions where merged.contains(position) {
        for relation in relations { try settle(relation, of: rows[position], group.plan) }
      }
    }
  }

  /// Makes the row and its partner name each other, and nobody else name the row.
  private func settle(_ relation: Relation, of row: Int64, _ plan: EntityPlan) throws {
    guard let inverse = relation.inverse else { return }
    let partners = try store.plans.plan(named: relation.destination.entityName)
    let column = plan.entity.columns[relation.property.slot].name
    let back = partners.entity.columns[inverse.slot].name
    let partner = try keys(
      """
      SELECT \(name: column) FROM \(name: plan.entity.table)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
      """
    ).first
    let claimants = try keys(
      """
      SELECT \(name: partners.entity.keyColumn) FROM \(name: partners.entity.table)
      WHERE \(name: back) = \(value: .integer(row))
      """)
    let others = claimants.filter { $0 != partner }
    if let needed = others.first, !inverse.isOptional {
      // The partner cannot be without the row; the row can be with it.
      try point(row, plan, column, at: needed)
      return
    }
    for other in others { try point(other, partners, back, at: nil) }
    if let partner, !claimants.contains(partner), relation.property.isOptional {
      try point(row, plan, column, at: nil)
    }
  }

  private func keys(_ fragment: SQLFragment) throws -> [Int64] {
    try connection.rows(fragment).compactMap { row in
      if case .integer(let key) = row[0] { key } else { nil }
    }
  }

  private func point(_ row: Int64, _ plan: EntityPlan, _ column: String, at other: Int64?) throws {
    let value = other.map { SQLValue.integer($0) } ?? .null
    try connection.executeCached(
      """
      UPDATE \(name: plan.entity.table) SET \(name: column) = \(value: value)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
      """)
    try reregister(row, plan)
  }
}

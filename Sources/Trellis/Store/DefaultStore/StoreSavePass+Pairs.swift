/// Both ends of one-to-one relationships, where nobody could know both of them.
///
/// A new model's own end of a pair was written into a row that was there before, whose partner only
/// the store knows. Or another context has given one of the two another partner since this one has
/// read them: the last save wins, and whom it leaves alone is told so.
extension StoreSavePass {
  func settlePairs() throws {
    // First the rows that have turned out to be there: what they are told is final.
    if !merged.isEmpty {
      for group in groups where !group.plan.pairs.isEmpty {
        for position in group.positions where merged.contains(position) {
          for relation in group.plan.pairs {
            try settle(relation, of: rows[position], group.plan, isMerged: true)
          }
        }
      }
    }
    guard updatesPairs else { return }
    for snapshot in request.updated {
      let plan = try plan(for: snapshot.batch)
      guard !plan.pairs.isEmpty, let row = snapshot.persistentIdentifier.row else { continue }
      for relation in plan.pairs
      where snapshot.changed?.contains(relation.property.slot) ?? true {
        try settle(relation, of: row, plan, isMerged: false)
      }
    }
  }

  /// Makes the row and its partner name each other, and nobody else name the row.
  func settle(
    _ relation: Relation, of row: Int64, _ plan: EntityPlan, isMerged: Bool
  ) throws {
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
      if isMerged { return try point(row, plan, column, at: needed) }
      violations.append(
        SwiftDataError.Violation(
          model: PersistentIdentifier(token: partners.token, row: needed),
          properties: [inverse.name], rule: .required,
          reason: "needs the model that was given another partner",
          others: [PersistentIdentifier(token: plan.token, row: row)]))
      return
    }
    for other in others { try point(other, partners, back, at: nil) }
    guard let partner, !claimants.contains(partner) else { return }
    if isMerged {
      if relation.property.isOptional { try point(row, plan, column, at: nil) }
    } else {
      // The writer took the partner for the row's already, but another one has parted them.
      try point(partner, partners, back, at: row)
      try settle(inverse, of: partner, partners)
    }
  }

  /// Settles the other end of a pair whose one end has been.
  private func settle(_ inverse: ModelProperty, of partner: Int64, _ plan: EntityPlan) throws {
    guard let relation = plan.entity.definition.relations.relation(for: inverse) else { return }
    try settle(relation, of: partner, plan, isMerged: false)
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

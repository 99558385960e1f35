/// Makes both ends of one-to-one relationships agree if the context knew only one of them.
///
/// There are two cases. A new model was merged with an existing row whose partner the context has not read. Or another
/// context has changed the partner of one of the two since this context read them: the last save wins, and the former
/// partner loses its reference.
extension StoreSavePass {
  func settlePairs() throws {
    // Merged rows come first, because their partners are final.
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
      let plan = try plan(for: snapshot.buffer)
      guard !plan.pairs.isEmpty, let row = snapshot.persistentIdentifier.row else { continue }
      for relation in plan.pairs
      where snapshot.changed?.contains(relation.property.slot) ?? true {
        try settle(relation, of: row, plan, isMerged: false)
      }
    }
  }

  /// Makes a row and its partner refer to each other, and removes other references to the row.
  func settle(
    _ relation: Relation, of row: Int64, _ plan: EntityStatements, isMerged: Bool
  ) throws {
    guard let inverse = relation.inverse else { return }
    let partners = try store.plans.plan(named: relation.destination.entityName)
    let column = plan.entity.columns[relation.property.slot].name
    let back = partners.entity.columns[inverse.slot].name
    let partner = try partner(of: row, relation, plan)
    let claimants = try claimants(of: row, relation)
    let others = claimants.filter { $0 != partner }
    if let needed = others.first, !inverse.isOptional {
      // The reference of the partner is required.
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
      // Another context has given the partner another row since this context read it.
      try point(partner, partners, back, at: row)
      try settle(inverse, of: partner, partners)
    }
  }

  /// The partner that a row refers to.
  func partner(of row: Int64, _ relation: Relation, _ plan: EntityStatements) throws -> Int64? {
    try connection.integers(
      """
      SELECT \(name: plan.entity.columns[relation.property.slot].name)
      FROM \(name: plan.entity.table)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
      """
    ).first
  }

  /// The rows that refer to a row.
  func claimants(of row: Int64, _ relation: Relation) throws -> [Int64] {
    guard let inverse = relation.inverse else { return [] }
    let partners = try store.plans.plan(named: relation.destination.entityName)
    return try connection.integers(
      """
      SELECT \(name: partners.entity.keyColumn) FROM \(name: partners.entity.table)
      WHERE \(name: partners.entity.columns[inverse.slot].name) = \(value: .integer(row))
      """)
  }

  /// Settles the other end of a pair.
  private func settle(_ inverse: ModelProperty, of partner: Int64, _ plan: EntityStatements) throws {
    guard let relation = plan.entity.definition.relations.relation(for: inverse) else { return }
    try settle(relation, of: partner, plan, isMerged: false)
  }

  private func point(_ row: Int64, _ plan: EntityStatements, _ column: String, at other: Int64?) throws {
    let value = other.map { SQLValue.integer($0) } ?? .null
    try connection.executeCached(
      """
      UPDATE \(name: plan.entity.table) SET \(name: column) = \(value: value)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
      """)
    try reregister(row, plan)
    if let slot = plan.entity.columns.firstIndex(where: { $0.name == column }) {
      try noteChange(of: row, plan, PropertySet(slot))
    }
  }
}

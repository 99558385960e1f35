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

  /// Makes both ends of the pairs of new rows name each other where one of them does.
  func completePairs() throws {
    for group in groups {
      for position in group.positions {
        for relation in group.plan.pairs { try complete(relation, of: position, group.plan) }
      }
    }
  }

  private func complete(_ relation: Relation, of position: Int, _ plan: EntityStatements) throws {
    let row = rows[position]
    guard let inverse = relation.inverse, let partner = try partner(of: row, relation, plan) else {
      return
    }
    let claimants = try claimants(of: row, relation)
    guard claimants != [partner] else { return }
    let partners = try store.plans.plan(named: relation.destination.entityName)
    let back = partners.entity.columns[inverse.slot].name
    let named = try connection.integers(
      """
      SELECT \(name: back) FROM \(name: partners.entity.table)
      WHERE \(name: partners.entity.keyColumn) = \(value: .integer(partner))
      """)
    guard claimants.isEmpty, named.isEmpty else {
      violations.append(
        SwiftDataError.Violation(
          model: temporary[position], properties: [relation.property.name],
          reason: "is one of a pair, of which the other one says something else",
          others: [PersistentIdentifier(token: partners.token, row: partner)]))
      return
    }
    try point(partner, partners, back, at: row)
  }

  /// Refuses new rows with lists whose members do not belong to them.
  func checkDerivedLists() throws {
    for group in groups {
      for list in group.plan.entity.lists {
        guard case .foreignKey(let column) = list.kind else { continue }
        let members = try store.plans.plan(named: list.destination).entity
        for position in group.positions {
          let snapshot = request.inserted[position]
          guard let named = snapshot.batch.references(snapshot.index, list.slot), !named.isEmpty
          else { continue }
          let found = Set(
            try connection.integers(
              """
              SELECT \(name: members.keyColumn) FROM \(name: members.table)
              WHERE \(name: column) = \(value: .integer(rows[position]))
              """))
          guard let other = named.first(where: { !found.contains($0.row ?? 0) }) else { continue }
          violations.append(
            SwiftDataError.Violation(
              model: temporary[position], properties: [list.property.name],
              reason: "names \(other), which does not belong to it", others: [other]))
        }
      }
    }
  }

  /// Makes the row and its partner name each other, and nobody else name the row.
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

  /// Whom a row names.
  func partner(of row: Int64, _ relation: Relation, _ plan: EntityStatements) throws -> Int64? {
    try connection.integers(
      """
      SELECT \(name: plan.entity.columns[relation.property.slot].name)
      FROM \(name: plan.entity.table)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
      """
    ).first
  }

  /// Who names a row.
  func claimants(of row: Int64, _ relation: Relation) throws -> [Int64] {
    guard let inverse = relation.inverse else { return [] }
    let partners = try store.plans.plan(named: relation.destination.entityName)
    return try connection.integers(
      """
      SELECT \(name: partners.entity.keyColumn) FROM \(name: partners.entity.table)
      WHERE \(name: partners.entity.columns[inverse.slot].name) = \(value: .integer(row))
      """)
  }

  /// Settles the other end of a pair whose one end has been.
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

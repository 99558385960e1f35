/// Makes both sides of one-to-one relationships consistent.
///
/// They can differ in two cases: a new model was merged with an existing row whose partner the context has not read,
/// or a concurrent context changed either side's partner. In the second case, the last save wins, and the former
/// partner loses its reference.
struct PairSettlement {
  let driver: any SaveDriver
  let plans: StoreStatements
  /// The changed columns.
  private(set) var changed: [PersistentIdentifier: PropertySet] = [:]
  /// Required references to rows that now have a different partner.
  private(set) var violations: [SwiftDataError.Violation] = []

  init(driver: any SaveDriver, plans: StoreStatements) {
    self.driver = driver
    self.plans = plans
  }

  /// Makes a row and its partner refer to each other, and removes all other references to the row.
  mutating func resolve(_ relation: Relation, of row: Int64, _ plan: EntityStatements, isMerged: Bool) throws {
    guard let inverse = relation.inverse else { return }
    let partners = try plans.plan(for: relation.destination)
    let reference: SQLFragment = "\(name: plan.entity.columns[relation.slot].name)"
    let partner = try driver.integers(
      """
      SELECT \(reference) FROM \(name: plan.entity.table)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row)) AND \(reference) IS NOT NULL
      """
    ).first
    let claimants = try driver.integers(
      """
      SELECT \(name: partners.entity.keyColumn) FROM \(name: partners.entity.table)
      WHERE \(name: partners.entity.columns[inverse.slot].name) = \(value: .integer(row))
      """)
    let others = claimants.filter { $0 != partner }
    if let needed = others.first, !inverse.isOptional {
      // The partner's reference is required.
      if isMerged { return try point(row, plan, relation.slot, at: needed) }
      violations.append(
        SwiftDataError.Violation(
          model: PersistentIdentifier(token: partners.token, row: needed), properties: [inverse.name], rule: .required,
          reason: "requires a model that was assigned a different partner",
          others: [PersistentIdentifier(token: plan.token, row: row)]))
      return
    }
    for other in others { try point(other, partners, inverse.slot, at: nil) }
    guard let partner, !claimants.contains(partner) else { return }
    if isMerged {
      if relation.property.isOptional { try point(row, plan, relation.slot, at: nil) }
    } else {
      // A concurrent context assigned a different row to the partner.
      try point(partner, partners, inverse.slot, at: row)
      guard let back = partners.entity.definition.relations.relation(for: inverse) else { return }
      try resolve(back, of: partner, partners, isMerged: false)
    }
  }

  private mutating func point(_ row: Int64, _ plan: EntityStatements, _ slot: Int, at other: Int64?) throws {
    try driver.execute(
      """
      UPDATE \(name: plan.entity.table)
      SET \(name: plan.entity.columns[slot].name) = \(value: other.map { .integer($0) } ?? .null)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
      """)
    changed[PersistentIdentifier(token: plan.token, row: row), default: PropertySet()].insert(slot)
  }
}

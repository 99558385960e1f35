/// Checks the lists that rows of a batch leave and join: positions, and numbers of members.
extension TableBatch {
  /// Runs the update of a row, which loses its position in the lists that it leaves.
  func updating(_ key: Int64, _ update: () throws -> Void) throws {
    let before = try owners(of: key)
    try update()
    let after = try owners(of: key)
    let entity = plan.entity
    for (position, (_, place)) in places.enumerated() where before[position] != after[position] {
      try connection.executeCached(
        """
        UPDATE \(name: entity.table) SET \(name: place) = NULL
        WHERE \(name: entity.keyColumn) = \(value: .integer(key))
        """)
    }
    for position in bounds.indices {
      let owner = before[places.count + position]
      guard case .integer(let owner) = owner, .integer(owner) != after[places.count + position]
      else { continue }
      left[position].insert(owner)
    }
  }

  /// The owners of the lists that contain a row.
  private func owners(of key: Int64) throws -> [SQLValue] {
    let columns = places.map(\.owner) + bounds.map { plan.entity.columns[$0.slot].name }
    guard !columns.isEmpty else { return [] }
    let names = columns.map { "\(name: $0)" as SQLFragment }
    let found = try connection.rows(
      """
      SELECT \(names.joined(separator: ", ")) FROM \(name: plan.entity.table)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(key))
      """)
    return found.first ?? columns.map { _ in .null }
  }

  /// Reports lists that have too few members because rows have left them.
  func checkLeftLists() throws {
    for (relation, owners) in zip(bounds, left) where !owners.isEmpty {
      guard let list = relation.inverse else { continue }
      let token = try store.plans.plan(named: relation.destination.entityName).token
      let column = plan.entity.columns[relation.slot].name
      for owner in owners.sorted() {
        let count = try connection.integers(
          "SELECT COUNT(*) FROM \(name: plan.entity.table) WHERE \(name: column) = \(value: .integer(owner))"
        )[0]
        guard count < list.minimumCount else { continue }
        // An empty list of an optional relationship may mean nil, which has no minimum.
        if list.isOptional, count == 0 { continue }
        violate(
          PersistentIdentifier(token: token, row: owner), list, .minimumModelCount,
          "holds \(count) models, at least \(list.minimumCount) are required")
      }
    }
  }

  /// Reports lists that have too many members because rows have joined them.
  func checkCounts() throws {
    for relation in relations.references {
      guard let inverse = relation.inverse, inverse.maximumCount > 0 else { continue }
      let owners = try store.plans.plan(named: relation.destination.entityName)
      for run in rows.runs {
        try checkCounts(run, plan.entity.columns[relation.slot].name, inverse, owners)
      }
    }
  }

  private func checkCounts(
    _ run: RowRuns.Run, _ column: String, _ list: ModelProperty, _ owners: EntityStatements
  ) throws {
    let table = plan.entity.table
    let key = plan.entity.keyColumn
    let long = try connection.rows(
      """
      SELECT \(name: column), COUNT(*) FROM \(name: table) WHERE \(name: column) IN (
        SELECT \(name: column) FROM \(name: table)
        WHERE \(name: key) BETWEEN \(value: .integer(run.first))
          AND \(value: .integer(run.end - 1)))
      GROUP BY \(name: column) HAVING COUNT(*) > \(value: .integer(Int64(list.maximumCount)))
      LIMIT 1000
      """)
    for row in long {
      guard case .integer(let owner) = row[0], case .integer(let count) = row[1] else { continue }
      let identifier = PersistentIdentifier(token: owners.token, row: owner)
      guard !pass.violations.contains(where: { $0.model == identifier }) else { continue }
      violate(
        identifier, list, .maximumModelCount, "holds \(count) models, at most \(list.maximumCount) are allowed")
    }
  }

  /// Checks a snapshot before it is written: required references, counts, and references to other snapshots of the
  /// batch. False if it breaks a rule, which is a violation of the pass then.
  func check(_ buffer: SnapshotBuffer, _ index: Int) throws -> Bool {
    let before = pass.violations.count
    let root = definition.root
    for relation in relations.references {
      guard let reference = buffer.reference(index, relation.slot) else {
        if !relation.property.isOptional {
          pass.violations.append(.missing(relation, of: buffer.identifier(index)))
        }
        continue
      }
      if reference.isTemporary, let serial = reference.row, relation.destination.root === root {
        _ = try expectedRow(serial)
      }
    }
    for relation in relations.checked where relation.isToMany {
      let count = buffer.references(index, relation.slot)?.count ?? 0
      checkCount(count, relation, buffer.identifier(index))
    }
    return pass.violations.count == before
  }

  private func checkCount(_ count: Int, _ relation: Relation, _ model: PersistentIdentifier) {
    // An empty list of an optional relationship may mean nil, which has no minimum.
    if relation.property.isOptional, count == 0 { return }
    let minimum = relation.property.minimumCount
    let maximum = relation.property.maximumCount
    if count < minimum {
      let wayOut =
        relation.inverse?.kind.isToMany == false
        ? ": insert it as a model, together with them" : ""
      violate(
        model, relation.property, .minimumModelCount,
        "holds \(count) models, at least \(minimum) are required\(wayOut)")
    }
    if maximum > 0, count > maximum {
      violate(
        model, relation.property, .maximumModelCount,
        "holds \(count) models, at most \(maximum) are allowed")
    }
  }

  private func violate(
    _ model: PersistentIdentifier, _ property: ModelProperty, _ rule: SwiftDataError.Violation.Rule,
    _ reason: String
  ) {
    pass.violations.append(
      SwiftDataError.Violation(
        model: model, properties: [property.name], rule: rule, reason: reason))
  }
}

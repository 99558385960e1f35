import SchemaModel
import StoreCare
import StoreTransfer
import Trellis

extension StudioStore {
  /// Saves a draft in one transaction with the author `studio`, unless it is a trial, has conflicts or violates rules.
  ///
  /// - Throws: ``StudioError`` if the draft is not readable, and the store's errors if nothing can be written.
  func save(_ draft: Draft) throws -> DraftAnswer {
    try withReader { reader in
      let database = reader.database
      do {
        return try database.change(isTrial: draft.isTrial == true) { store, transaction in
          try reader.save(draft, in: store.identifier, transaction)
        }
      } catch {
        guard let message = database.uniqueViolation(error) else { throw error }
        return try database.read {
          DraftAnswer(outcome: .invalid, problems: reader.uniqueProblems(message, try DraftPlan(draft, reader)))
        }
      }
    }
  }
}

extension StoreReader {
  fileprivate func save(
    _ draft: Draft, in store: String, _ transaction: any StoreTransaction
  ) throws -> DraftAnswer {
    var plan = try DraftPlan(draft, self)
    guard plan.conflicts.isEmpty else { return DraftAnswer(outcome: .conflict, conflicts: plan.conflicts) }
    let walk = try DeletionWalk(plan, self)
    try plan.check(after: walk)
    let problems = plan.problems + walk.problems
    guard problems.isEmpty else { return DraftAnswer(outcome: .invalid, problems: problems) }
    let consequences = walk.isEmpty ? nil : try walk.consequences()
    if draft.isTrial != true, consequences?.fingerprint != draft.confirmed, consequences != nil {
      return DraftAnswer(outcome: .confirm, consequences: consequences)
    }
    let rows = try DraftRows(plan, walk, self, in: store)
    var answer = DraftAnswer(outcome: .trial, consequences: consequences)
    do {
      try transaction.write(try request(rows, walk, store), commitsNext: draft.isTrial != true)
      guard draft.isTrial != true else { return answer }
      let permanent = try transaction.commit().remappedIdentifiers
      for snapshot in rows.inserted {
        guard let row = rows.row(snapshot.persistentIdentifier),
          let key = permanent[snapshot.persistentIdentifier]?.row
        else { continue }
        answer.keys[row.text] = "\(key)"
      }
      answer.outcome = .saved
      return answer
    } catch let error as SwiftDataError where error == .modelValidationFailure {
      return DraftAnswer(outcome: .invalid, problems: try self.problems(error, rows))
    }
  }

  /// Returns a problem for each row of the draft that may have another row's values.
  ///
  /// - Parameter text: The database's message.
  fileprivate func uniqueProblems(_ text: String, _ plan: DraftPlan) -> [DraftAnswer.Problem] {
    let constraints = schema.entities.flatMap { entity in
      (target.catalogue.constraints[entity.name] ?? []).filter { constraint in
        text.contains(constraint.index)
          || constraint.columns.allSatisfy { text.contains("\(entity.layout.table).\($0)") }
      }
    }
    guard let constraint = constraints.max(by: { $0.columns.count < $1.columns.count }) else {
      return [.init(entity: "", key: "", message: text)]
    }
    let names = constraint.properties.joined(separator: " and ")
    return plan.order.compactMap { row in
      guard let planned = plan.rows[row], planned.entity.lineage.contains(constraint.entity),
        constraint.properties.contains(where: { planned.values[$0] != nil })
      else { return nil }
      return .init(
        entity: planned.entity.name, key: row.text, property: constraint.properties.first,
        message: "another \(constraint.entity) has the same \(names)")
    }
  }

  private func request(
    _ rows: DraftRows, _ walk: DeletionWalk, _ store: String
  ) throws -> DataStoreSaveChangesRequest<DefaultSnapshot> {
    func token(_ entity: StudioSchema.Entity) -> IdentifierToken {
      .interned(store: store, entity: entity.name)
    }
    var request = DataStoreSaveChangesRequest<DefaultSnapshot>(
      inserted: rows.inserted, updated: rows.updated, deleted: [], editingState: EditingState(author: "studio"))
    request.refusesMerges = true
    request.deletedRows = walk.groups.map { entity, keys in
      DeletedRows.Group(definition: entity.layout.definition, token: token(entity), path: nil, keys: keys)
    }
    request.clearedRows = walk.cleared.filter(\.isRecorded).compactMap { reference in
      let column = reference.entity.layout.columns.first { $0.property.name == reference.property }
      return column.map { column in
        (
          row: PersistentIdentifier(token: token(reference.entity), row: reference.key), slot: column.slot,
          definition: reference.entity.layout.definition
        )
      }
    }
    return request
  }

  /// Returns the problems that the store has found.
  private func problems(_ error: SwiftDataError, _ rows: DraftRows) throws -> [DraftAnswer.Problem] {
    guard !error.details.isEmpty else {
      return [.init(entity: "", key: "", message: error.explanation ?? error.description)]
    }
    return try error.details.map { violation in
      let others = try violation.others.flatMap { other -> [RowLink] in
        guard let entity = schema.entity(other.entityName), let key = other.row, !other.isTemporary else { return [] }
        return try links(entity, [key])
      }
      return .init(
        entity: violation.model.entityName, key: rows.row(violation.model)?.text ?? "", property: violation.property,
        message: violation.reason, others: others)
    }
  }
}

extension DraftPlan {
  /// Reports missing values, references to deleted rows, and lists with too few or too many members.
  fileprivate mutating func check(after walk: DeletionWalk) throws {
    remove(where: walk.contains)
    try checkRequired()
    for row in order {
      guard let planned = rows[row] else { continue }
      if walk.contains(row), !planned.own.isEmpty {
        problems.append(
          .init(entity: planned.entity.name, key: row.text, message: "is changed and deleted by the same save"))
      }
      for (name, value) in planned.values.sorted(by: { $0.key < $1.key }) {
        guard case .row(let target?) = value, walk.contains(target), !walk.contains(row) else { continue }
        problems.append(
          .init(
            entity: planned.entity.name, key: row.text, property: name, message: "leads to a row that is deleted"))
      }
    }
    var lists: [(DraftRow, String)] = walk.shortened.map { ($0.row, $0.list) }
    for row in order {
      for (name, relationship) in rows[row]?.entity.relationships ?? [:] where relationship.isToMany {
        if rows[row]?.isNew == true || rows[row]?.lists[name] != nil { lists.append((row, name)) }
      }
    }
    var seen: Set<String> = []
    for (row, name) in lists where !walk.contains(row) {
      guard seen.insert("\(row) \(name)").inserted, let problem = try countProblem(row, name, walk) else { continue }
      problems.append(problem)
    }
  }

  private func countProblem(
    _ row: DraftRow, _ name: String, _ walk: DeletionWalk
  ) throws -> DraftAnswer.Problem? {
    guard let entity = try entity(of: row), let relationship = entity.relationships[name] else { return nil }
    let (minimum, maximum) = (relationship.minimumCount ?? 0, relationship.maximumCount ?? 0)
    guard minimum > 0 || maximum > 0 else { return nil }
    let members = members(try partners(row, name), rows[row]?.lists[name] ?? ([], []))
    let count = members.filter { !walk.contains($0) }.count
    let isTooShort = count < minimum
    guard isTooShort || maximum > 0 && count > maximum, !(relationship.isOptional && count == 0) else { return nil }
    let bound = isTooShort ? "needs at least \(counted(minimum, "row"))" : "allows at most \(counted(maximum, "row"))"
    return .init(
      entity: entity.name, key: row.text, property: name, message: "\(bound), but would have \(count)")
  }
}

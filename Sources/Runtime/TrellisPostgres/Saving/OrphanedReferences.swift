import Trellis

/// Explains a violated foreign key: finds the references to rows that do not exist, or would not exist after the save.
struct OrphanedReferences {
  let store: PostgresStore
  let request: DataStoreSaveChangesRequest<DefaultSnapshot>

  func violations() throws -> [SwiftDataError.Violation] { try ofWrittenRows() + ofOtherRows() }

  /// The references of inserted and updated rows.
  private func ofWrittenRows() throws -> [SwiftDataError.Violation] {
    var violations: [SwiftDataError.Violation] = []
    let deleted = Set(self.deleted.flatMap { token, keys in keys.map { PersistentIdentifier(token: token, row: $0) } })
    for snapshot in request.inserted + request.updated {
      guard let definition = snapshot.buffer.definition else { continue }
      for relation in definition.relations.references {
        guard let target = snapshot.buffer.reference(snapshot.index, relation.slot), !target.isTemporary,
          try deleted.contains(target) || store.identifiers(existing: [target]).isEmpty
        else { continue }
        violations.append(
          violation(of: snapshot.persistentIdentifier, relation.property.name, relation.destination.root, target))
      }
      for relation in definition.relations.toMany where relation.inverse?.kind.isToMany != false {
        let members = (snapshot.buffer.references(snapshot.index, relation.slot) ?? []).filter { !$0.isTemporary }
        let present = try Set(store.identifiers(existing: members))
        let lost = members.filter { !present.contains($0) }
        guard !lost.isEmpty else { continue }
        violations.append(
          SwiftDataError.Violation(
            model: snapshot.persistentIdentifier, properties: [relation.property.name], rule: .required,
            reason:
              "refers to a '\(relation.destination.entityName)' that someone else has deleted; take it out or roll back",
            others: lost))
      }
    }
    return violations
  }

  /// The references of rows that are not part of the request to rows that it deletes.
  private func ofOtherRows() throws -> [SwiftDataError.Violation] {
    var violations: [SwiftDataError.Violation] = []
    let written = Set(request.updated.map(\.persistentIdentifier))
    let deleted = self.deleted
    var seen = Set<PersistentIdentifier>()
    for plan in store.plans.all {
      for column in plan.entity.columns {
        guard let destination = column.destination,
          store.layout.tables.first(where: { $0.name == plan.entity.table })?.column(named: column.name)?.reference?
            .onDelete == .noAction
        else { continue }
        let target = try store.plans.plan(named: destination)
        guard let keys = deleted[target.token] else { continue }
        let reference: SQLFragment = "\(column: column.name, of: PredicateTranslator.rootAlias)"
        let statement = store.statement(
          "SELECT \(plan.key), \(reference) FROM \(plan.source) WHERE \(store.dialect.isKey(reference, in: "?1"))",
          keys: keys)
        var found: [(row: PersistentIdentifier, target: PersistentIdentifier)] = []
        try store.reading { connection in
          try connection.run(statement) { row in
            found.append(
              (
                PersistentIdentifier(token: plan.token, row: row.integer(0) ?? 0),
                PersistentIdentifier(token: target.token, row: row.integer(1) ?? 0)
              ))
          }
        }
        for (row, lost) in found {
          if written.contains(row) || deleted[plan.token]?.contains(row.row ?? 0) == true { continue }
          guard seen.insert(row).inserted else { continue }
          violations.append(violation(of: row, column.property.name, target.entity.definition.root, lost))
        }
      }
    }
    return violations
  }

  private func violation(
    of model: PersistentIdentifier, _ property: String, _ root: ModelDefinition, _ target: PersistentIdentifier
  ) -> SwiftDataError.Violation {
    SwiftDataError.Violation(
      model: model, properties: [property], rule: .required,
      reason: "refers to a row of '\(root.entityName)' that would not exist", others: [target])
  }

  /// The keys of the rows that the request deletes.
  private var deleted: [IdentifierToken: [Int64]] {
    let identifiers = request.deleted.map(\.persistentIdentifier) + request.deletedRows.flatMap(\.identifiers)
    return Dictionary(grouping: identifiers.filter { !$0.isTemporary }, by: \.token)
      .mapValues { $0.compactMap(\.row) }
  }
}

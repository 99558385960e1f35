import Trellis

/// Explains a violated foreign key: finds the references to rows that do not exist, or would not exist after the save.
struct OrphanedReferences {
  private let store: PostgresStore
  private let request: DataStoreSaveChangesRequest<DefaultSnapshot>
  private let deleted: Set<PersistentIdentifier>

  init(_ store: PostgresStore, _ request: DataStoreSaveChangesRequest<DefaultSnapshot>) {
    self.store = store
    self.request = request
    deleted = Set(request.deleted.map(\.persistentIdentifier) + request.deletedRows.flatMap(\.identifiers))
  }

  func violations() throws -> [SwiftDataError.Violation] { try ofWrittenRows() + ofOtherRows() }

  /// The references and the members of inserted and updated rows.
  private func ofWrittenRows() throws -> [SwiftDataError.Violation] {
    var violations: [SwiftDataError.Violation] = []
    for snapshot in request.inserted + request.updated {
      for relation in snapshot.buffer.definition?.relations.all ?? [] {
        let others =
          relation.isToMany
          ? snapshot.buffer.references(snapshot.index, relation.slot) ?? []
          : snapshot.buffer.reference(snapshot.index, relation.slot).map { [$0] } ?? []
        // Lists of members with a reference follow from the members.
        guard !others.isEmpty, !relation.isToMany || relation.inverse?.kind.isToMany != false else { continue }
        let present = try Set(store.identifiers(existing: others)).subtracting(deleted)
        let lost = others.filter { !$0.isTemporary && !present.contains($0) }
        guard !lost.isEmpty else { continue }
        violations.append(
          .orphaned(snapshot.persistentIdentifier, [relation.property.name], relation.destination.root.entityName, lost)
        )
      }
    }
    return violations
  }

  /// The references of rows that are not part of the request to rows that it deletes.
  private func ofOtherRows() throws -> [SwiftDataError.Violation] {
    var violations: [SwiftDataError.Violation] = []
    var known = deleted.union(request.updated.map(\.persistentIdentifier))
    for plan in store.plans.all {
      let table = store.layout.tables.first { $0.name == plan.entity.table }
      for column in plan.entity.columns
      where table?.column(named: column.name)?.reference?.onDelete == .noAction {
        let target = try store.plans.plan(named: column.destination ?? "")
        let keys = deleted.filter { $0.token == target.token }.compactMap(\.row)
        let reference: SQLFragment = "\(column: column.name, of: PredicateTranslator.rootAlias)"
        try store.visitKeys(
          "SELECT \(plan.key), \(reference) FROM \(plan.source) WHERE \(store.dialect.isKey(reference, in: "?1"))",
          of: keys
        ) { row, lost in
          let row = PersistentIdentifier(token: plan.token, row: row)
          guard known.insert(row).inserted else { return }
          violations.append(
            .orphaned(
              row, [column.property.name], target.entity.rootName,
              [PersistentIdentifier(token: target.token, row: lost)]))
        }
      }
    }
    return violations
  }
}

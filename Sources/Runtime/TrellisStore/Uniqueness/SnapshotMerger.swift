/// Turns insertions that duplicate unique values into updates, and redirects references to the existing models.
///
/// ``TableSave`` merges rows; this type merges snapshots saved to a custom store.
package struct SnapshotMerger {
  private let request: DataStoreSaveChangesRequest<DefaultSnapshot>
  private let merges: [UniquenessCheck.Merge]
  /// Existing models by the merged model's identifier.
  private let targets: [PersistentIdentifier: PersistentIdentifier]
  /// Saved models that the merger may change.
  private let stored: [PersistentIdentifier: DefaultSnapshot]
  /// Inserted and updated models.
  private let requested: [PersistentIdentifier: DefaultSnapshot]
  private let deleted: Set<PersistentIdentifier>
  /// Modified snapshot copies.
  private var touched: [PersistentIdentifier: SnapshotBuffer] = [:]
  private var order: [PersistentIdentifier] = []
  /// Lists left with too few members by a merge.
  package private(set) var violations: [SwiftDataError.Violation] = []

  /// - Parameter stored: The saved models among ``related(to:in:_:)`` and the merge targets.
  package init(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>, _ merges: [UniquenessCheck.Merge],
    stored: [PersistentIdentifier: DefaultSnapshot]
  ) {
    self.request = request
    self.merges = merges
    self.stored = stored
    targets = Dictionary(
      merges.map { (request.inserted[$0.position].persistentIdentifier, $0.target) },
      uniquingKeysWith: { first, _ in first })
    deleted = Set(request.deleted.lazy.map(\.persistentIdentifier))
    requested = Dictionary(
      (request.inserted + request.updated).map { ($0.persistentIdentifier, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the models related to merged models, by root class.
  package static func related(
    to merges: [UniquenessCheck.Merge], in request: DataStoreSaveChangesRequest<DefaultSnapshot>,
    _ stored: [PersistentIdentifier: DefaultSnapshot]
  ) -> [(definition: ModelDefinition, identifiers: Set<PersistentIdentifier>)] {
    var found: [ObjectIdentifier: (definition: ModelDefinition, identifiers: Set<PersistentIdentifier>)] = [:]
    let updated = Dictionary(
      request.updated.map { ($0.persistentIdentifier, $0) }, uniquingKeysWith: { first, _ in first })
    for merge in merges {
      for case let snapshot? in [request.inserted[merge.position], stored[merge.target], updated[merge.target]] {
        for relation in snapshot.buffer.definition?.relations.mirrored ?? [] {
          let root = relation.destination.root
          for end in snapshot.buffer.ends(snapshot.index, relation.slot, isToMany: relation.isToMany)
          where !end.isTemporary && stored[end] == nil && updated[end] == nil {
            found[ObjectIdentifier(root), default: (root, [])].identifiers.insert(end)
          }
        }
      }
    }
    return Array(found.values)
  }

  /// Returns the request to pass to the store.
  package mutating func run() -> DataStoreSaveChangesRequest<DefaultSnapshot> {
    redirectReferences()
    var ends: [RelatedEnd] = []
    for merge in merges { ends += self.merge(merge) }
    for end in ends { resolve(end) }
    func current(_ snapshot: DefaultSnapshot) -> DefaultSnapshot {
      touched[snapshot.persistentIdentifier].map(snapshot.replacing) ?? snapshot
    }
    let inserted = request.inserted.filter { targets[$0.persistentIdentifier] == nil }.map(current)
    let others = order.filter { requested[$0] == nil }.compactMap { touched[$0] }
    return DataStoreSaveChangesRequest(
      inserted: inserted,
      updated: request.updated.map(current) + others.map { DefaultSnapshot(buffer: $0, index: 0) },
      deleted: request.deleted, editingState: request.editingState)
  }

  /// Maps the store's result back to the original request.
  package func result(
    _ result: DataStoreSaveChangesResult<DefaultSnapshot>,
    for settled: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    let identifiers = settled.inserted.map(\.persistentIdentifier)
    let permanent = Dictionary(
      zip(identifiers, try result.permanentIdentifiers(for: identifiers)),
      uniquingKeysWith: { first, _ in first })
    let temporary = request.inserted.map(\.persistentIdentifier)
    var changed = result.snapshotsToReregister
    for identifier in Set(order).union(targets.values) {
      // A copy, because the store may keep the request's snapshots.
      guard let buffer = touched[identifier]?.copy(0) ?? stored[identifier]?.copiedRow else { continue }
      let own = permanent[identifier] ?? identifier
      guard changed[own] == nil else { continue }
      buffer.setIdentifier(0, own)
      buffer.mapReferences(0) { permanent[$0] ?? $0 }
      changed[own] = DefaultSnapshot(buffer: buffer, index: 0)
    }
    return DataStoreSaveChangesResult(
      for: result.storeIdentifier, temporary: temporary,
      permanent: temporary.map { identifier in
        let target = targets[identifier] ?? identifier
        return permanent[target] ?? target
      },
      merged: Set(merges.map(\.position)), ignored: Set(merges.lazy.filter(\.isKept).map(\.position)),
      snapshotsToReregister: changed,
      historyToken: result.historyToken)
  }

  // MARK: rows

  /// Returns a model's values; `nil` if the model is unknown, merged or deleted.
  private func snapshot(_ identifier: PersistentIdentifier) -> DefaultSnapshot? {
    guard targets[identifier] == nil, !deleted.contains(identifier) else { return nil }
    return touched[identifier].map { DefaultSnapshot(buffer: $0, index: 0) } ?? requested[identifier]
      ?? stored[identifier]
  }

  /// Returns a writable copy of a model's values; `nil` if the model is unknown or deleted.
  private mutating func row(_ identifier: PersistentIdentifier) -> SnapshotBuffer? {
    if let buffer = touched[identifier] { return buffer }
    guard !deleted.contains(identifier), let buffer = (requested[identifier] ?? stored[identifier])?.copiedRow
    else { return nil }
    touched[identifier] = buffer
    order.append(identifier)
    return buffer
  }

  /// Replaces references to merged models.
  private mutating func redirectReferences() {
    for snapshot in request.inserted + request.updated
    where snapshot.buffer.references(snapshot.index, contain: { targets[$0] != nil }) {
      guard let buffer = row(snapshot.persistentIdentifier) else { continue }
      buffer.mapReferences(0) { targets[$0] ?? $0 }
      for list in buffer.definition?.layout.lists ?? [] {
        guard let members = buffer.references(0, list.slot) else { continue }
        buffer.setReferences(0, list.slot, Self.unique(members))
      }
    }
  }

  private static func unique(_ members: [PersistentIdentifier]) -> [PersistentIdentifier] {
    var seen = Set<PersistentIdentifier>()
    return members.filter { seen.insert($0).inserted }
  }

  // MARK: merging

  /// A former or current relationship target of a merged model.
  private struct RelatedEnd {
    let model: PersistentIdentifier
    let relation: Relation
    let end: PersistentIdentifier
  }

  /// Copies a merged model's values to the existing model.
  private mutating func merge(_ merge: UniquenessCheck.Merge) -> [RelatedEnd] {
    let new = request.inserted[merge.position]
    guard let relations = new.buffer.definition?.relations, let old = row(merge.target) else { return [] }
    let fresh = touched[new.persistentIdentifier] ?? new.copiedRow
    let values = merge.isKept ? old.copy(0) : fresh.copy(0)
    values.setIdentifier(0, merge.target)
    for relation in relations.toMany {
      let former = old.references(0, relation.slot)
      let added = fresh.references(0, relation.slot) ?? []
      values.setReferences(
        0, relation.slot, added.isEmpty ? former : Self.union(former ?? [], added, isOrdered: relation.isOrdered))
    }
    touched[merge.target] = values
    return relations.mirrored.flatMap { relation in
      let ends = [values, fresh, old].flatMap { $0.ends(0, relation.slot, isToMany: relation.isToMany) }
      return Self.unique(ends).map { RelatedEnd(model: merge.target, relation: relation, end: $0) }
    }
  }

  /// Returns the members of both lists. Ordered lists are merged position by position.
  private static func union(
    _ old: [PersistentIdentifier], _ new: [PersistentIdentifier], isOrdered: Bool
  ) -> [PersistentIdentifier] {
    guard isOrdered else { return unique(old + new) }
    return unique(
      (0..<max(old.count, new.count)).flatMap { place in
        [old, new].compactMap { place < $0.count ? $0[place] : nil }
      })
  }

  /// Makes both sides of a merged model's relationship consistent. A list member's reference takes precedence.
  private mutating func resolve(_ related: RelatedEnd) {
    let (model, relation, end) = (related.model, related.relation, related.end)
    // Unknown models remain unchanged.
    guard let inverse = relation.inverse, let row = touched[model], let other = snapshot(end) else { return }
    let isEnd = row.ends(0, relation.slot, isToMany: relation.isToMany).contains(end)
    let back = other.buffer.ends(other.index, inverse.slot, isToMany: relation.inverseIsToMany)
    switch (isEnd, back.contains(model)) {
    case (true, false) where relation.inverseIsToMany:
      self.row(end)?.setReferences(0, inverse.slot, back + [model])
    case (true, false) where relation.isToMany:
      remove(end, from: row, relation.property, of: model)
    case (true, false) where relation.property.isOptional:
      row.setReference(0, relation.slot, nil)
    case (false, true) where relation.inverseIsToMany:
      if let owner = self.row(end) { remove(model, from: owner, inverse, of: end) }
    case (false, true) where inverse.isOptional:
      self.row(end)?.setReference(0, inverse.slot, nil)
    case (false, true) where !relation.isToMany:
      // The partner's reference is required.
      row.setReference(0, relation.slot, end)
    default: break
    }
  }

  private mutating func remove(
    _ member: PersistentIdentifier, from row: SnapshotBuffer, _ list: ModelProperty, of owner: PersistentIdentifier
  ) {
    let members = (row.references(0, list.slot) ?? []).filter { $0 != member }
    row.setReferences(0, list.slot, members)
    if let violation = list.violation(of: owner, count: members.count) { violations.append(violation) }
  }
}

extension DefaultSnapshot {
  /// A buffer with copied values.
  fileprivate var copiedRow: SnapshotBuffer { buffer.copy(index) }
}

extension SnapshotBuffer {
  /// Returns the related models.
  fileprivate func ends(_ index: Int, _ slot: Int, isToMany: Bool) -> [PersistentIdentifier] {
    isToMany ? references(index, slot) ?? [] : [reference(index, slot)].compactMap { $0 }
  }
}

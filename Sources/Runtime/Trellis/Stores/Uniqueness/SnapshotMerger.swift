/// Turns insertions of models with existing unique values into updates of the existing models, and redirects references
/// to the inserted models.
///
/// ``TableSave`` does this with rows; this type does it with the snapshots of one save to a custom store.
package struct SnapshotMerger {
  package let request: DataStoreSaveChangesRequest<DefaultSnapshot>
  package let merges: [UniquenessCheck.Merge]
  /// The existing models by the identifiers of the merged ones.
  private let targets: [PersistentIdentifier: PersistentIdentifier]
  /// The saved models that the merger may change.
  package let stored: [PersistentIdentifier: DefaultSnapshot]
  package let positions: [PersistentIdentifier: Int]
  private let deleted: Set<PersistentIdentifier>
  /// Changed copies of snapshots.
  private(set) var touched: [PersistentIdentifier: SnapshotBuffer] = [:]
  private var order: [PersistentIdentifier] = []
  /// Lists that have too few members because merged models have left them.
  private(set) var violations: [SwiftDataError.Violation] = []
  /// Lists that follow from the references of their members, which may have changed.
  private var derived: [ListKey: DerivedList] = [:]

  private struct DerivedList {
    /// The reference of the members.
    let slot: Int
    /// The possible new members.
    var members: [PersistentIdentifier] = []
  }

  /// - Parameter stored: the saved models among ``related(to:in:)`` and the targets.
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
    positions = Dictionary(
      (request.inserted + request.updated).enumerated().map { ($1.persistentIdentifier, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The models at the other ends of relationships of merged models, by root class.
  package static func related(
    to merges: [UniquenessCheck.Merge], in request: DataStoreSaveChangesRequest<DefaultSnapshot>,
    _ stored: [PersistentIdentifier: DefaultSnapshot]
  ) -> [(definition: ModelDefinition, identifiers: Set<PersistentIdentifier>)] {
    var found: [ObjectIdentifier: (definition: ModelDefinition, identifiers: Set<PersistentIdentifier>)] = [:]
    let updated = Dictionary(
      request.updated.map { ($0.persistentIdentifier, $0) }, uniquingKeysWith: { first, _ in first })
    for merge in merges {
      let snapshots = [
        request.inserted[merge.position], stored[merge.target], updated[merge.target],
      ]
      for case let snapshot? in snapshots {
        for relation in snapshot.buffer.definition?.relations.mirrored ?? [] {
          let ends =
            relation.isToMany
            ? snapshot.buffer.references(snapshot.index, relation.slot) ?? []
            : [snapshot.buffer.reference(snapshot.index, relation.slot)].compactMap { $0 }
          let root = relation.destination.root
          for end in ends where !end.isTemporary && stored[end] == nil && updated[end] == nil {
            found[ObjectIdentifier(root), default: (root, [])].identifiers.insert(end)
          }
        }
      }
    }
    return Array(found.values)
  }

  /// The request for the store.
  package mutating func run() -> DataStoreSaveChangesRequest<DefaultSnapshot> {
    redirectReferences()
    for merge in merges { settle(merge) }
    deriveLists()
    settlePairs()
    let merged = Set(merges.map(\.position))
    var inserted: [DefaultSnapshot] = []
    for (position, snapshot) in request.inserted.enumerated() where !merged.contains(position) {
      inserted.append(present(snapshot))
    }
    var updated = request.updated.map(present)
    for identifier in order where positions[identifier] == nil {
      if let buffer = touched[identifier] { updated.append(DefaultSnapshot(buffer: buffer, index: 0)) }
    }
    return DataStoreSaveChangesRequest(
      inserted: inserted, updated: updated, deleted: request.deleted,
      editingState: request.editingState)
  }

  private func present(_ snapshot: DefaultSnapshot) -> DefaultSnapshot {
    guard let buffer = touched[snapshot.persistentIdentifier] else { return snapshot }
    return snapshot.replacing(buffer)
  }

  /// The result of the original request, made of the store's result.
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
      // A copy, because the store may keep the snapshots of the request.
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

  /// A copy of a model's values for the store; nil for an unknown or deleted model.
  package mutating func row(_ identifier: PersistentIdentifier) -> SnapshotBuffer? {
    if let buffer = touched[identifier] { return buffer }
    guard !deleted.contains(identifier), let buffer = snapshot(identifier)?.copiedRow else { return nil }
    touched[identifier] = buffer
    order.append(identifier)
    return buffer
  }

  private func snapshot(_ identifier: PersistentIdentifier) -> DefaultSnapshot? {
    guard let position = positions[identifier] else { return stored[identifier] }
    let count = request.inserted.count
    return position < count ? request.inserted[position] : request.updated[position - count]
  }

  /// Replaces references to merged models.
  private mutating func redirectReferences() {
    for snapshot in request.inserted + request.updated
    where snapshot.buffer.references(snapshot.index, contain: { targets[$0] != nil }) {
      guard let buffer = row(snapshot.persistentIdentifier) else { continue }
      buffer.mapReferences(0) { targets[$0] ?? $0 }
      for list in buffer.definition?.layout.lists ?? [] {
        guard let members = buffer.references(0, list.slot) else { continue }
        var seen = Set<PersistentIdentifier>()
        buffer.setReferences(0, list.slot, members.filter { seen.insert($0).inserted })
      }
    }
  }

  // MARK: merging

  private mutating func settle(_ merge: UniquenessCheck.Merge) {
    let new = request.inserted[merge.position]
    guard let definition = new.buffer.definition, let old = row(merge.target) else { return }
    let identifier = merge.target
    let fresh = touched[new.persistentIdentifier] ?? new.copiedRow
    for relation in definition.relations.references where relation.inverseIsToMany {
      for end in [old, fresh] {
        guard let owner = end.reference(0, relation.slot), row(owner) != nil else { continue }
        let key = ListKey(owner: owner, slot: relation.inverseSlot)
        derived[key, default: .init(slot: relation.slot)].members.append(identifier)
      }
    }
    let values = merge.isKept ? old : fresh.copy(0)
    values.setIdentifier(0, identifier)
    for relation in definition.relations.toMany {
      let former = old.references(0, relation.slot)
      let added = fresh.references(0, relation.slot) ?? []
      values.setReferences(
        0, relation.slot, added.isEmpty ? former : union(former ?? [], added, relation))
      guard let inverse = relation.inverse else { continue }
      if inverse.kind.isToMany {
        for member in added { name(identifier, inverse.slot, of: member) }
      } else if !added.isEmpty {
        let key = ListKey(owner: identifier, slot: relation.slot)
        derived[key, default: .init(slot: inverse.slot)].members += added
      }
    }
    touched[identifier] = values
  }

  /// Merges the members of ordered lists by their positions.
  private func union(
    _ old: [PersistentIdentifier], _ new: [PersistentIdentifier], _ relation: Relation
  ) -> [PersistentIdentifier] {
    var members = old
    if relation.property.relationship?.isOrdered == true {
      members = []
      for place in 0..<max(old.count, new.count) {
        if place < old.count { members.append(old[place]) }
        if place < new.count { members.append(new[place]) }
      }
    } else {
      members += new
    }
    var seen = Set<PersistentIdentifier>()
    return members.filter { seen.insert($0).inserted }
  }

  /// Adds a member to a list of another model, unless it is there.
  private mutating func name(
    _ identifier: PersistentIdentifier, _ slot: Int, of other: PersistentIdentifier
  ) {
    guard let row = row(other) else { return }
    let members = row.references(0, slot) ?? []
    if !members.contains(identifier) { row.setReferences(0, slot, members + [identifier]) }
  }

  /// Computes the lists that follow from the to-one references of their members.
  private mutating func deriveLists() {
    for (key, list) in derived {
      guard let row = touched[key.owner] else { continue }
      let old = row.references(0, key.slot) ?? []
      func isMember(_ identifier: PersistentIdentifier) -> Bool? {
        present(identifier).map { $0.buffer.reference($0.index, list.slot) == key.owner }
      }
      // An unknown member has not changed and stays.
      let kept = old.filter { isMember($0) ?? true }
      var known = Set(kept)
      let new = list.members.filter { isMember($0) == true && known.insert($0).inserted }
      guard kept.count < old.count || !new.isEmpty else { continue }
      row.setReferences(0, key.slot, kept + new)
      let property = row.definition?.layout.lists.first { $0.slot == key.slot }
      if let violation = property?.violation(of: key.owner, count: kept.count + new.count) {
        violations.append(violation)
      }
    }
  }

  package func present(_ identifier: PersistentIdentifier) -> DefaultSnapshot? {
    guard targets[identifier] == nil, !deleted.contains(identifier) else { return nil }
    return touched[identifier].map { DefaultSnapshot(buffer: $0, index: 0) } ?? snapshot(identifier)
  }
}

extension DefaultSnapshot {
  /// A buffer with a copy of the values.
  fileprivate var copiedRow: SnapshotBuffer { buffer.copy(index) }
}

extension SnapshotMerger {
  /// Makes both ends of one-to-one relationships refer to each other. The references of merged models are final.
  mutating func settlePairs() {
    var claims = PairClaims()
    for identifier in Array(positions.keys) + Array(touched.keys) + Array(stored.keys) {
      guard let snapshot = present(identifier) else { continue }
      claims.add(snapshot, identifier)
    }
    for merge in merges {
      guard let definition = request.inserted[merge.position].buffer.definition else { continue }
      for relation in definition.relations.pairs {
        settle(relation, of: merge.target, &claims)
      }
    }
  }

  private mutating func settle(
    _ relation: Relation, of identifier: PersistentIdentifier, _ claims: inout PairClaims
  ) {
    guard let inverse = relation.inverse, let row = row(identifier) else { return }
    let back = relation.destination.relations.toOne[inverse.slot]
    let partner = row.reference(0, relation.slot)
    let claimants = claims.claimants(of: identifier, inverse.slot, relation.destination)
    let others = claimants.filter { $0 != partner }
    if let needed = others.first, back?.property.isOptional == false {
      // The reference of the partner is required.
      return row.setReference(0, relation.slot, needed)
    }
    for other in others {
      self.row(other)?.setReference(0, inverse.slot, nil)
      claims.remove(other, from: identifier, inverse.slot, relation.destination)
    }
    if let partner, !claimants.contains(partner), relation.property.isOptional {
      row.setReference(0, relation.slot, nil)
    }
  }
}

/// The references of one-to-one relationships by their destination.
private struct PairClaims {
  private struct Key: Hashable {
    let root: ObjectIdentifier
    let slot: Int
    let target: PersistentIdentifier
  }

  private var claimants: [Key: [PersistentIdentifier]] = [:]
  private var seen: Set<PersistentIdentifier> = []

  mutating func add(_ snapshot: DefaultSnapshot, _ identifier: PersistentIdentifier) {
    guard seen.insert(identifier).inserted, let definition = snapshot.buffer.definition else { return }
    for relation in definition.relations.pairs {
      guard let target = snapshot.buffer.reference(snapshot.index, relation.slot) else { continue }
      let key = Key(root: ObjectIdentifier(definition.root), slot: relation.slot, target: target)
      claimants[key, default: []].append(identifier)
    }
  }

  func claimants(
    of target: PersistentIdentifier, _ slot: Int, _ definition: ModelDefinition
  ) -> [PersistentIdentifier] {
    claimants[Key(root: ObjectIdentifier(definition.root), slot: slot, target: target)] ?? []
  }

  mutating func remove(
    _ identifier: PersistentIdentifier, from target: PersistentIdentifier, _ slot: Int,
    _ definition: ModelDefinition
  ) {
    claimants[Key(root: ObjectIdentifier(definition.root), slot: slot, target: target)]?
      .removeAll { $0 == identifier }
  }
}

extension RelationTable {
  /// To-one relationships whose other end is a to-one as well.
  fileprivate var pairs: [Relation] {
    references.filter { $0.inverse != nil && !$0.inverseIsToMany }
  }
}

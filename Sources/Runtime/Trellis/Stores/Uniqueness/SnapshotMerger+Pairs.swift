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

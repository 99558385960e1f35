extension TableBatch {
  /// Writes snapshots one after the other.
  @inlinable func add<Snapshots: Sequence>(contentsOf snapshots: Snapshots) throws
  where Snapshots.Element: ModelSnapshot {
    let isDone: Void? = try snapshots.withContiguousStorageIfAvailable { try add(allOf: $0) }
    guard isDone == nil else { return }
    for snapshot in snapshots { try add(snapshot) }
  }

  /// Writes snapshots that lie side by side, each in its place.
  @usableFromInline @inline(never) func add<S: ModelSnapshot>(
    allOf snapshots: UnsafeBufferPointer<S>
  ) throws {
    guard let first = snapshots.baseAddress else { return }
    if refersToItself {
      try plan(snapshots.count)
      for index in snapshots.indices { plan((first + index).place.pointee.identifier) }
    }
    for index in snapshots.indices { try add(at: first + index) }
  }

  /// The same as ``add(_:)`` without a copy of the snapshot.
  @inline(__always) private func add<S: ModelSnapshot>(at snapshot: UnsafePointer<S>) throws {
    guard try begin(snapshot.place.pointee.identifier) else { return try addKnown(snapshot.pointee) }
    if needsLook, try !look(at: snapshot.pointee) { return }
    try snapshot.place.pointee.write(to: &binder)
    if try !write() { try settle(snapshot.pointee) }
  }

  /// Looks at a snapshot before it is written: whether it has what it needs, and to whom of the same
  /// batch it refers. False when it breaks a rule, which has been noted.
  @usableFromInline func look<S: ModelSnapshot>(at snapshot: S) throws -> Bool {
    let before = save.violations.count
    let root = definition.root
    for relation in relations.references {
      guard let reference = snapshot.reference(relation.slot) else {
        if !relation.property.isOptional {
          violate(
            snapshot.persistentIdentifier, relation, .required,
            "required, but there is no \(relation.destination.entityName)")
        }
        continue
      }
      if reference.isTemporary, let serial = reference.row, relation.destination.root === root {
        _ = try expectedRow(serial)
      }
    }
    for relation in relations.checked where relation.isToMany {
      let count = snapshot.references(relation.slot)?.count ?? 0
      checkCount(count, relation, snapshot.persistentIdentifier)
    }
    guard save.violations.count > before else { return true }
    try drop()
    return false
  }

  private func checkCount(_ count: Int, _ relation: Relation, _ model: PersistentIdentifier) {
    // On an optional relationship an empty list may mean nil, which counts leave alone.
    if relation.property.isOptional, count == 0 { return }
    let minimum = relation.property.minimumCount
    let maximum = relation.property.maximumCount
    if count < minimum {
      let wayOut = relation.inverse?.kind.isToMany == false
        ? ": insert it as a model, together with them" : ""
      violate(
        model, relation, .minimumModelCount,
        "holds \(count) models, at least \(minimum) are required\(wayOut)")
    }
    if maximum > 0, count > maximum {
      violate(
        model, relation, .maximumModelCount,
        "holds \(count) models, at most \(maximum) are allowed")
    }
  }

  func violate(
    _ model: PersistentIdentifier, _ relation: Relation, _ rule: SwiftDataError.Violation.Rule,
    _ reason: String
  ) {
    save.violations.append(
      SwiftDataError.Violation(
        model: model, properties: [relation.property.name], rule: rule, reason: reason))
  }

  /// The rest for a snapshot that was not simply written.
  @usableFromInline @inline(never) func settle<S: ModelSnapshot>(_ snapshot: S) throws {
    try settle(DefaultSnapshot(snapshot))
  }
}

extension DefaultSnapshot {
  /// One typed snapshot as stores take them.
  init<S: ModelSnapshot>(_ values: S) {
    let batch = TypedBatch<S>(capacity: 1)
    batch.append(values)
    self.init(batch: batch, index: 0)
  }
}

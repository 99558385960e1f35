/// Compares the stored values that a save overwrites with the values that the context read; see
/// ``ConflictPolicy/fail``.
package struct ConflictCheck {
  let request: DataStoreSaveChangesRequest<DefaultSnapshot>

  package init(request: DataStoreSaveChangesRequest<DefaultSnapshot>) { self.request = request }

  /// - Parameter read: Reads a class's stored rows, omitting missing rows.
  /// - Throws: ``SwiftDataError/saveConflict`` with every conflicting property.
  package func run(
    _ read: ([PersistentIdentifier], ModelDefinition, SnapshotBuffer) throws -> Void
  ) throws {
    var conflicts: [SwiftDataError.Conflict] = []
    let committed = request.committed
    // Snapshots of the same class share a buffer.
    var rest = request.updated.indices.prefix(committed.count)
    while let first = rest.first {
      let buffer = request.updated[first].buffer
      let run = rest.prefix { request.updated[$0].buffer === buffer }
      rest = rest[run.endIndex...]
      guard let definition = buffer.definition else { continue }
      let stored = definition.codec.makeBuffer(capacity: run.count)
      try read(run.map { request.updated[$0].persistentIdentifier }, definition, stored)
      var rows: [PersistentIdentifier: Int] = [:]
      for index in 0..<stored.count { rows[stored.identifier(index)] = index }
      for position in run {
        let snapshot = request.updated[position]
        // The save itself reports deleted rows.
        guard let known = committed[position], let changed = snapshot.changed, !changed.isEmpty,
          let index = rows[snapshot.persistentIdentifier]
        else { continue }
        let differing = try known.buffer.differing(known.index, from: stored, index, among: changed)
        conflicts += differing.slots.compactMap { slot in
          let property = definition.layout.columns[slot]
          let committed = DefaultSnapshot(buffer: known.buffer, index: known.index).present(property)
          let stored = DefaultSnapshot(buffer: stored, index: index).present(property)
          let isTransformed = property.attribute?.isTransformable == true
          guard property.isExternal || !StoredForm.areAlike(committed, stored, isTransformed: isTransformed) else {
            return nil
          }
          return SwiftDataError.Conflict(
            model: snapshot.persistentIdentifier, property: property.name, committed: committed, stored: stored,
            new: snapshot.present(property))
        }
      }
    }
    if !conflicts.isEmpty { throw SwiftDataError.saveConflict.listing(conflicts) }
  }
}

extension DefaultSnapshot {
  /// Returns a property value; `nil` if the value's file was replaced by a concurrent connection.
  fileprivate func present(_ property: ModelProperty) -> (any Sendable)? {
    guard property.isExternal else { return value(named: property.name) }
    return try? RowValues(buffer, index).external(property.slot).load()
  }
}

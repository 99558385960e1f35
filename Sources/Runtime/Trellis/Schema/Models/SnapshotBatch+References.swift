extension SnapshotBatch {
  /// Replaces every reference of a row. Only the owner of the batch does this.
  func mapReferences(
    _ index: Int, _ transform: (PersistentIdentifier) -> PersistentIdentifier
  ) {
    guard let layout = definition?.layout else { return }
    for column in layout.columns where column.kind.isRelationship {
      guard let old = reference(index, column.slot) else { continue }
      let new = transform(old)
      if new != old { setReference(index, column.slot, new) }
    }
    for list in layout.lists {
      guard let old = references(index, list.slot) else { continue }
      let new = old.map(transform)
      if new != old { setReferences(index, list.slot, new) }
    }
  }

  /// Whether a reference of a row satisfies the condition.
  func references(_ index: Int, contain condition: (PersistentIdentifier) -> Bool) -> Bool {
    guard let layout = definition?.layout else { return false }
    for column in layout.columns where column.kind.isRelationship {
      if let reference = reference(index, column.slot), condition(reference) { return true }
    }
    for list in layout.lists {
      if references(index, list.slot)?.contains(where: condition) == true { return true }
    }
    return false
  }
}

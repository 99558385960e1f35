/// Finds which of the properties that were written have other values than before: who assigns what is
/// there already has changed nothing that is worth telling.
///
/// Asked of every updated model, so values are compared in the form they have in their columns, which takes
/// neither boxes nor generic code.
final class RowDifference {
  private let definition: ModelDefinition
  private let former = RowImage()
  private let present = RowImage()

  init(_ definition: ModelDefinition) { self.definition = definition }

  /// The slots among `candidates` whose values differ between two rows of one model.
  func differing(
    _ index: Int, of batch: SnapshotBatch, from other: SnapshotBatch, _ otherIndex: Int,
    among candidates: PropertySet
  ) throws -> PropertySet {
    let layout = definition.layout
    let plain = candidates.intersection(layout.comparable)
    var differing = PropertySet()
    if !plain.isEmpty {
      former.removeAll()
      present.removeAll()
      var row = StatementBinder(former, plain)
      try other.bind(otherIndex, to: &row)
      row = StatementBinder(present, plain)
      try batch.bind(index, to: &row)
      differing = present.differing(from: former)
    }
    guard plain != candidates else { return differing }
    var rest = PropertySet()
    for slot in candidates.slots where !plain.contains(slot) {
      if layout.columns.indices ~= slot, layout.columns[slot].kind.isRelationship {
        if batch.reference(index, slot) != other.reference(otherIndex, slot) { differing.insert(slot) }
      } else {
        rest.insert(slot)
      }
    }
    if !rest.isEmpty {
      differing.formUnion(try batch.differing(index, from: other, otherIndex, among: rest, readsFiles: true))
    }
    return differing
  }
}

extension ModelProperty {
  /// Whether the property is an attribute, and not one that may have a file.
  var isOneValue: Bool {
    !kind.isRelationship && attribute?.options.contains(.externalStorage) != true
  }
}

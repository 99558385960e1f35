/// Finds which of the properties that were written have other values than before: who assigns what is
/// there already has changed nothing that is worth telling.
///
/// Asked of every updated model, so values are compared in the form they have in their columns, which takes
/// neither boxes nor generic code.
final class RowDifference {
  private let definition: ModelDefinition
  private let former = RowImage()
  private let present = RowImage()
  // Nothing that is called while they are written to comes back to this object.
  @exclusivity(unchecked) private var formerRow: StatementBinder
  @exclusivity(unchecked) private var presentRow: StatementBinder
  /// What both of them take: models of a save have often changed alike.
  private var plain = PropertySet()

  init(_ definition: ModelDefinition) {
    self.definition = definition
    formerRow = StatementBinder(former, plain)
    presentRow = StatementBinder(present, plain)
  }

  /// The slots among `candidates` whose values differ between two rows of one model.
  func differing(
    _ index: Int, of buffer: SnapshotBuffer, from other: SnapshotBuffer, _ otherIndex: Int,
    among candidates: PropertySet
  ) throws -> PropertySet {
    let layout = definition.layout
    let plain = candidates.intersection(layout.comparable)
    var differing = PropertySet()
    if !plain.isEmpty {
      if plain != self.plain {
        self.plain = plain
        formerRow.changed = plain
        presentRow.changed = plain
      }
      former.removeAll()
      present.removeAll()
      try other.bind(otherIndex, to: &formerRow)
      try buffer.bind(index, to: &presentRow)
      differing = present.differing(from: former)
    }
    guard plain != candidates else { return differing }
    var rest = PropertySet()
    for slot in candidates.slots where !plain.contains(slot) {
      if layout.columns.indices ~= slot, layout.columns[slot].kind.isRelationship {
        if buffer.reference(index, slot) != other.reference(otherIndex, slot) { differing.insert(slot) }
      } else {
        rest.insert(slot)
      }
    }
    if !rest.isEmpty {
      differing.formUnion(try buffer.differing(index, from: other, otherIndex, among: rest))
    }
    return differing
  }
}

/// The values of one row in the form they have in columns.
private final class RowImage: ColumnSink {
  // Nothing that is called while they are accessed comes back to the image.
  @exclusivity(unchecked) private var values: [(parameter: Int32, value: SQLValue)] = []

  func removeAll() { values.removeAll(keepingCapacity: true) }

  func bindNull(_ parameter: Int32) { values.append((parameter, .null)) }
  func bind(_ integer: Int64, _ parameter: Int32) { values.append((parameter, .integer(integer))) }
  // Zeros of both signs differ.
  func bind(_ real: Double, _ parameter: Int32) {
    values.append((parameter, .integer(Int64(bitPattern: real.bitPattern))))
  }
  func bind(text bytes: UnsafeRawBufferPointer, _ parameter: Int32) {
    values.append((parameter, .blob([UInt8](bytes))))
  }
  func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32) {
    values.append((parameter, .blob([UInt8](bytes))))
  }

  /// The slots whose values differ in an image of the same slots.
  func differing(from other: RowImage) -> PropertySet {
    var differing = PropertySet()
    for (own, former) in zip(values, other.values) where own != former {
      differing.insert(Int(own.parameter - StatementBinder.firstParameter))
    }
    return differing
  }
}

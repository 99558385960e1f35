import Foundation

extension SnapshotBuffer {
  /// The column slots in which a row differs from a row of another buffer of the same model; see ``RowDifference``.
  ///
  /// - Parameters:
  ///   - other: the row to compare with.
  ///   - candidates: the slots to look at; nil for all of them.
  package func differing(
    _ index: Int, from other: SnapshotBuffer, _ otherIndex: Int, among candidates: PropertySet? = nil
  ) throws -> PropertySet {
    guard let definition else { return PropertySet() }
    return try RowDifference(definition).differing(
      index, of: self, from: other, otherIndex,
      among: candidates ?? PropertySet(definition.layout.columns.indices))
  }
}

/// Finds the columns in which two rows of one model differ: who assigns what is there already has changed
/// nothing that is worth telling.
///
/// Values differ when a store would keep them differently: texts by their bytes, floating-point numbers by their
/// bits, types of the program by their encoded form, whatever their `==` says.
///
/// Asked of every updated model, so values are compared in the form they have in their columns, which takes
/// neither boxes nor generic code.
package final class RowDifference {
  private let layout: ModelLayout
  private let former = RowImage()
  private let present = RowImage()
  // Nothing that is called while they are written to comes back to this object.
  @exclusivity(unchecked) private var formerRow: StatementBinder
  @exclusivity(unchecked) private var presentRow: StatementBinder
  /// What both of them take: models of a save have often changed alike.
  private var plain = PropertySet()

  package init(_ definition: ModelDefinition) {
    layout = definition.layout
    formerRow = StatementBinder(former, plain)
    presentRow = StatementBinder(present, plain)
  }

  /// The slots among `candidates` whose values differ between two rows of one model.
  package func differing(
    _ index: Int, of buffer: SnapshotBuffer, from other: SnapshotBuffer, _ otherIndex: Int,
    among candidates: PropertySet
  ) throws -> PropertySet {
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
    for slot in candidates.slots where !plain.contains(slot) && layout.columns.indices ~= slot {
      let isSame =
        if layout.columns[slot].kind.isRelationship {
          buffer.reference(index, slot) == other.reference(otherIndex, slot)
        } else {
          try RowValues(buffer, index, only: slot).external(slot).hasSameBytes(
            as: RowValues(other, otherIndex, only: slot).external(slot))
        }
      if !isSame { differing.insert(slot) }
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

/// Whether two values that a store keeps differently may be one value before and after a store has kept it: NaN, zeros of
/// both signs, sets, and whatever a transformer encrypts.
package enum StoredForm {
  package static func areAlike(_ lhs: (any Sendable)?, _ rhs: (any Sendable)?, isTransformed: Bool) -> Bool {
    guard let lhs, let rhs else { return false }
    if let lhs = number(lhs), let rhs = number(rhs) { return lhs == rhs || (lhs.isNaN && rhs.isNaN) }
    if let lhs = lhs as? URL, let rhs = rhs as? URL { return lhs.absoluteString == rhs.absoluteString }
    guard let equatable = lhs as? any Equatable, equatable.isSame(as: rhs) else { return false }
    // A set has no order, so its text may have another one each time. `==` alone is not enough: that of
    // a type of the program may ignore properties that a store keeps.
    return isTransformed || parts(lhs) == parts(rhs)
  }

  /// The floating-point number that a store keeps for a value.
  private static func number(_ value: Any) -> Double? { (value as? any StandardValue)?.stored as? Double }

  /// The parts of the value's JSON text: sets and dictionaries have no order.
  private static func parts(_ value: Any) -> [String]? {
    guard let value = value as? any Encodable, let text = try? JSONColumn.text(of: value) else { return nil }
    return text.split { "[]{},".contains($0) }.map(String.init).sorted()
  }
}

extension Equatable {
  fileprivate func isSame(as other: Any) -> Bool { self == (other as? Self) }
}

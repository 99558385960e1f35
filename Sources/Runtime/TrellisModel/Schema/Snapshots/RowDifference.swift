import Foundation

extension SnapshotBuffer {
  /// Returns the column slots that differ between two rows of the same model; see ``RowDifference``.
  ///
  /// - Parameters:
  ///   - other: The buffer that contains the row to compare with.
  ///   - candidates: The slots to compare; nil for all slots.
  package func differing(
    _ index: Int, from other: SnapshotBuffer, _ otherIndex: Int, among candidates: PropertySet? = nil
  ) throws -> PropertySet {
    guard let definition else { return PropertySet() }
    return try RowDifference(definition).differing(
      index, of: self, from: other, otherIndex,
      among: candidates ?? PropertySet(definition.layout.columns.indices))
  }
}

/// Finds the columns in which two rows of a model differ. Assigning an equal value is not a change.
///
/// Values differ if a store would store them differently: text is compared by bytes, floating-point numbers by bits,
/// and the app's types by encoded form, regardless of `==`.
///
/// Every updated model is compared, so values are compared in column form, which needs neither boxes nor generic code.
package final class RowDifference {
  private let layout: ModelLayout
  private let former = RowImage()
  private let present = RowImage()
  // No call made while these values are being mutated reenters this object.
  @exclusivity(unchecked) private var formerRow: StatementBinder
  @exclusivity(unchecked) private var presentRow: StatementBinder
  /// Both binders' slots. Kept between calls, because a save often changes the same columns in many models.
  private var plain = PropertySet()

  package init(_ definition: ModelDefinition) {
    layout = definition.layout
    formerRow = StatementBinder(former, plain)
    presentRow = StatementBinder(present, plain)
  }

  /// Returns the slots among `candidates` that differ between two rows of a model.
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

/// A row's values in column form.
private final class RowImage: ColumnSink {
  // No call made during an access reenters the image.
  @exclusivity(unchecked) private var values: [(parameter: Int32, value: SQLValue)] = []

  func removeAll() { values.removeAll(keepingCapacity: true) }

  func bindNull(_ parameter: Int32) { values.append((parameter, .null)) }
  func bind(_ integer: Int64, _ parameter: Int32) { values.append((parameter, .integer(integer))) }
  // Store the bits, so that 0.0 and -0.0 differ.
  func bind(_ real: Double, _ parameter: Int32) {
    values.append((parameter, .integer(Int64(bitPattern: real.bitPattern))))
  }
  func bind(text bytes: UnsafeRawBufferPointer, _ parameter: Int32) {
    values.append((parameter, .blob([UInt8](bytes))))
  }
  func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32) {
    values.append((parameter, .blob([UInt8](bytes))))
  }

  /// Returns the slots that differ from an image with the same slots.
  func differing(from other: RowImage) -> PropertySet {
    var differing = PropertySet()
    for (own, former) in zip(values, other.values) where own != former {
      differing.insert(Int(own.parameter - StatementBinder.firstParameter))
    }
    return differing
  }
}

/// Tests whether two different stored forms may represent the same value. This is the case for NaN, 0.0 and -0.0, sets,
/// and values that a transformer encrypts.
package enum StoredForm {
  package static func areAlike(_ lhs: (any Sendable)?, _ rhs: (any Sendable)?, isTransformed: Bool) -> Bool {
    guard let lhs, let rhs else { return false }
    if let lhs = number(lhs), let rhs = number(rhs) { return lhs == rhs || (lhs.isNaN && rhs.isNaN) }
    if let lhs = lhs as? URL, let rhs = rhs as? URL { return lhs.absoluteString == rhs.absoluteString }
    guard let equatable = lhs as? any Equatable, equatable.isSame(as: rhs) else { return false }
    // A set is unordered, so the JSON text can vary. `==` alone is insufficient, because an app's type may ignore
    // stored properties when comparing.
    return isTransformed || parts(lhs) == parts(rhs)
  }

  /// Returns the floating-point number that a store writes for a value.
  private static func number(_ value: Any) -> Double? { (value as? any StandardValue)?.stored as? Double }

  /// Returns the sorted parts of a value's JSON text, because sets and dictionaries are unordered.
  private static func parts(_ value: Any) -> [String]? {
    guard let value = value as? any Encodable, let text = try? JSONColumn.text(of: value) else { return nil }
    return text.split { "[]{},".contains($0) }.map(String.init).sorted()
  }
}

extension Equatable {
  fileprivate func isSame(as other: Any) -> Bool { self == (other as? Self) }
}

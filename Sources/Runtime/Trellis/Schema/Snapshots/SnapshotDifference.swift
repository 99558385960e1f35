import Foundation

extension SnapshotBuffer {
  /// The column slots in which a row differs from a row of another buffer of the same model.
  ///
  /// Values differ when a store would keep them differently: texts by their bytes, floating-point
  /// numbers by their bits, types of the program by their encoded form, whatever their `==` says.
  ///
  /// - Parameters:
  ///   - other: the row to compare with.
  ///   - candidates: the slots to look at; nil for all of them.
  ///   - isForgiving: whether values that a store cannot keep apart, or keeps differently each time, are equal:
  ///     NaN, zeros of both signs, sets and whatever a transformer encrypts.
  package func differing(
    _ index: Int, from other: SnapshotBuffer, _ otherIndex: Int, among candidates: PropertySet? = nil,
    isForgiving: Bool = false
  ) throws -> PropertySet {
    let values = RowValues(identifier: other.identifier(otherIndex))
    try other.write(otherIndex, to: values)
    let comparison = RowComparison(other: values, candidates: candidates, isForgiving: isForgiving)
    try write(index, to: comparison)
    return comparison.differing
  }
}

/// Compares the row that is written to it with another one.
private final class RowComparison: RowWriter {
  let other: RowValues
  let candidates: PropertySet?
  let isForgiving: Bool
  var differing = PropertySet()

  init(other: RowValues, candidates: PropertySet?, isForgiving: Bool) {
    self.other = other
    self.candidates = candidates
    self.isForgiving = isForgiving
  }

  private func isWanted(_ slot: Int) -> Bool { candidates?.contains(slot) ?? true }

  func value<T: ColumnValue>(_ slot: Int, _ value: T) throws {
    guard isWanted(slot) else { return }
    compare(slot, try other.value(slot), value)
  }

  func codable<T: Codable>(_ slot: Int, _ value: T) throws {
    guard isWanted(slot) else { return }
    compare(slot, try other.codable(slot), value)
  }

  private func compare<T: Codable>(_ slot: Int, _ old: T, _ new: T) {
    if StoredForm.areEqual(old, new) || (isForgiving && StoredForm.areAlike(old, new)) { return }
    differing.insert(slot)
  }

  func transformed<T>(
    _ slot: Int, _ value: T, by reference: TransformerReference
  ) throws {
    guard isWanted(slot) else { return }
    let old: T = try other.transformed(slot, by: reference)
    if isForgiving, StoredForm.areEquatable(old, value) { return }
    let transformer = try TransformerTable.transformer(reference)
    let isEqual =
      try TransformerTable.data(of: old, by: transformer)
      == TransformerTable.data(of: value, by: transformer)
    if !isEqual { differing.insert(slot) }
  }

  func external(_ slot: Int, _ value: ExternalData) throws {
    guard isWanted(slot) else { return }
    let old = try other.external(slot)
    if !old.isSame(as: value), !old.hasSameBytes(as: value) { differing.insert(slot) }
  }

  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
    guard isWanted(slot) else { return }
    if try other.reference(slot) != identifier { differing.insert(slot) }
  }
}

/// Whether two values are kept alike by a store.
enum StoredForm {
  static func areEqual<T: Codable>(_ lhs: T, _ rhs: T) -> Bool {
    if let lhs = lhs as? any StandardValue { return lhs.hasSameStoredForm(as: rhs) }
    if let lhs = lhs as? any OptionalValue, let rhs = rhs as? any OptionalValue, lhs.isNil || rhs.isNil {
      return lhs.isNil && rhs.isNil
    }
    // `==` of a type of the program may ignore properties that a store keeps.
    guard let lhs = try? JSONColumn.text(of: lhs), let rhs = try? JSONColumn.text(of: rhs) else { return false }
    return lhs.utf8.elementsEqual(rhs.utf8)
  }

  /// Whether two values may be one value before and after a store has kept it.
  static func areAlike<T: Codable>(_ lhs: T, _ rhs: T) -> Bool {
    if let lhs = number(lhs), let rhs = number(rhs) { return lhs == rhs || (lhs.isNaN && rhs.isNaN) }
    if let lhs = lhs as? URL, let rhs = rhs as? URL { return lhs.absoluteString == rhs.absoluteString }
    // A set has no order, so its text may have another one each time. `==` alone is not enough: that of
    // a type of the program may ignore properties that a store keeps.
    guard areEquatable(lhs, rhs), let lhs = try? JSONColumn.text(of: lhs), let rhs = try? JSONColumn.text(of: rhs)
    else { return false }
    return lhs.utf8.elementsEqual(rhs.utf8) || areSameApartFromOrder(lhs, rhs)
  }

  /// The floating-point number that a store keeps for a value.
  private static func number(_ value: Any) -> Double? { (value as? any StandardValue)?.stored as? Double }

  /// Whether two JSON texts have the same parts: sets and dictionaries have no order.
  private static func areSameApartFromOrder(_ lhs: String, _ rhs: String) -> Bool {
    func parts(_ text: String) -> [String] {
      text.split { "[]{},".contains($0) }.map(String.init).sorted()
    }
    return parts(lhs) == parts(rhs)
  }

  /// Whether values of a type with `==` are equal by it.
  static func areEquatable<T>(_ lhs: T, _ rhs: T) -> Bool {
    guard let lhs = lhs as? any Equatable else { return false }
    return lhs.isSame(as: rhs)
  }
}

extension Equatable {
  fileprivate func isSame(as other: Any) -> Bool { self == (other as? Self) }
}

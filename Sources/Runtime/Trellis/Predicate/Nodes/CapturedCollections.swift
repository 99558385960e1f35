import Foundation

/// The elements of a captured collection in the form of a column, without nil and NaN.
struct CapturedList {
  private(set) var values: [SQLValue] = []
  private(set) var holdsNil = false

  init(_ elements: any Sequence, as scalar: ScalarKind, _ storeIdentifier: String?) throws {
    values.reserveCapacity(elements.underestimatedCount)
    for element in elements {
      switch try scalar.captured(element, storeIdentifier) {
      case .null: holdsNil = true
      case let value?: values.append(value)
      case nil: break
      }
    }
  }
}

extension ScalarKind {
  /// A captured value in the form of a column, NULL for nil; nil for a value that equals none of a column: NaN, and the
  /// identifier of a row elsewhere.
  func captured(_ value: Any, _ storeIdentifier: String?) throws -> SQLValue? {
    guard let value = ConstantTerm.unwrap(value) else { return .null }
    switch try encode(value, storeIdentifier) {
    case .noRow where isIdentifier: return nil
    case .nan where isNumberThatMayBeNaN: return nil
    case let value: return value
    }
  }
}

/// A range of the standard library, its bounds open to inspection.
protocol CapturedRange {
  var lowerEnd: Any? { get }
  var upperEnd: Any? { get }
  var isClosed: Bool { get }
}

extension Range: CapturedRange {
  var lowerEnd: Any? { lowerBound }
  var upperEnd: Any? { upperBound }
  var isClosed: Bool { false }
}

extension ClosedRange: CapturedRange {
  var lowerEnd: Any? { lowerBound }
  var upperEnd: Any? { upperBound }
  var isClosed: Bool { true }
}

extension PartialRangeFrom: CapturedRange {
  var lowerEnd: Any? { lowerBound }
  var upperEnd: Any? { nil }
  var isClosed: Bool { true }
}

extension PartialRangeThrough: CapturedRange {
  var lowerEnd: Any? { nil }
  var upperEnd: Any? { upperBound }
  var isClosed: Bool { true }
}

extension PartialRangeUpTo: CapturedRange {
  var lowerEnd: Any? { nil }
  var upperEnd: Any? { upperBound }
  var isClosed: Bool { false }
}

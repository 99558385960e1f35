import Foundation

/// The elements of a captured collection in the form of a column, without nil and NaN.
struct CapturedList {
  private(set) var values: [SQLValue] = []
  private(set) var holdsNil = false

  init(_ elements: any Sequence, as scalar: ScalarKind, _ storeIdentifier: String?) throws {
    values.reserveCapacity(elements.underestimatedCount)
    for element in elements {
      guard let element = ConstantTerm.unwrap(element) else {
        holdsNil = true
        continue
      }
      switch try scalar.encode(element, storeIdentifier) {
      case .noRow where scalar.isIdentifier: break
      case .nan where scalar.isNumberThatMayBeNaN: break
      case let value: values.append(value)
      }
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

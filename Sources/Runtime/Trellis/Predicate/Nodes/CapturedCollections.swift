import Foundation

/// The elements of a captured collection as one parameter.
struct CapturedList {
  /// Integers and text only; numbers with a fraction travel as their bits, bytes in hexadecimal.
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
      case .real(let number): values.append(.integer(Int64(bitPattern: number.bitPattern)))
      case .text(let text) where text.utf8.contains(0):
        // SQLite's JSON ends a string there.
        throw Untranslatable("a captured text with U+0000 in it is compared in memory")
      case .blob(let bytes): values.append(.text(Hexadecimal.text(bytes)))
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

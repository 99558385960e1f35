import Foundation

/// The state of a sum or mean. Created and read by the library.
public struct Summation: Sendable {
  /// The number of added values, excluding nil.
  package var count = 0
  package var integer: Int128 = 0
  private var real: ExactSum?
  private var decimal: DecimalSum?
  /// The result, if a store has computed the sum.
  package var storedReal: Double?
  package var storedDecimal: String?

  package init() {}

  package mutating func add(integer value: some FixedWidthInteger) {
    count += 1
    integer &+= Int128(truncatingIfNeeded: value)
  }

  package mutating func add(real value: Double) {
    count += 1
    var total = real ?? ExactSum()
    // Removed from the property so that the digits are not copied.
    real = nil
    total.add(value)
    real = total
  }

  /// - Parameter text: Plain decimal notation, as stored in columns.
  package mutating func add(decimal text: some BidirectionalCollection<UInt8>) {
    count += 1
    var total = decimal ?? DecimalSum()
    decimal = nil
    total.add(text)
    decimal = total
  }

  package var realTotal: Double { storedReal ?? real?.total ?? 0 }
  package var realMean: Double { storedReal ?? real?.mean(of: count) ?? .nan }
  package var decimalTotal: String { storedDecimal ?? decimal?.text ?? "0" }
}

/// An error for a sum that exceeds the range of its type.
///
/// ```swift
/// do {
///   print(try context.aggregate(.sum(\Trip.budget)))
/// } catch let error as AggregateOverflow {
///   print(error.entity, error.property, error.type)  // Trip budget Decimal
/// }
/// ```
///
/// Integer sums are exact and never wrap around or turn into a `Double`. Use an attribute with a wider type, or sum
/// fewer rows.
public struct AggregateOverflow: Error, Sendable, Hashable, CustomStringConvertible {
  /// The attribute's entity.
  public let entity: String
  /// The summed attribute.
  public let property: String
  /// The result type.
  public let type: String

  package init(entity: String, property: String, type: String) {
    self.entity = entity
    self.property = property
    self.type = type
  }

  public var description: String {
    "the sum of '\(entity).\(property)' does not fit into '\(type)': narrow the predicate, or take "
      + "the average"
  }
}

// MARK: exact sums

/// Adds floating-point numbers exactly, and rounds once at the end.
///
/// The total does not depend on the order of the numbers, so a store that reads rows in index order and a loop over
/// models return equal results. The state is an integer multiple of the smallest positive `Double`, in 32-bit digits.
struct ExactSum {
  /// Finite numbers span 2,098 bits; four additional digits are enough for any number of additions.
  private var digits = ContiguousArray<Int64>(repeating: 0, count: 70)
  /// The number of additions since the last carry. Each addition changes a digit by less than 2^32.
  private var pending = 0
  private var hasNaN = false
  private var hasInfinity = false
  private var hasNegativeInfinity = false

  private static let base: Int64 = 1 << 32
  /// The exponent of the smallest positive number.
  private static let lowest = -1074

  mutating func add(_ value: Double) {
    guard value.isFinite else {
      if value.isNaN { hasNaN = true } else if value > 0 { hasInfinity = true } else { hasNegativeInfinity = true }
      return
    }
    let fraction = value.significandBitPattern
    let biased = Int(value.exponentBitPattern)
    let significand = biased == 0 ? fraction : fraction | 1 << 52
    let position = max(0, biased - 1)
    let shifted = UInt128(significand) << UInt128(position % 32)
    let first = position / 32
    let low = Int64(UInt32(truncatingIfNeeded: shifted))
    let middle = Int64(UInt32(truncatingIfNeeded: shifted >> 32))
    let high = Int64(UInt32(truncatingIfNeeded: shifted >> 64))
    if value.sign == .minus {
      digits[first] -= low
      digits[first + 1] -= middle
      digits[first + 2] -= high
    } else {
      digits[first] += low
      digits[first + 1] += middle
      digits[first + 2] += high
    }
    pending += 1
    if pending == 1 << 30 {
      digits.carry(base: Self.base)
      pending = 0
    }
  }

  /// The sum, rounded to nearest; +0 if the digits cancel out.
  var total: Double { special ?? rounded(shift: 0) }

  /// Returns the mean of `count` numbers; finite if all of them are finite.
  func mean(of count: Int) -> Double {
    if let special { return special }
    let total = rounded(shift: 0)
    if total.isFinite { return total / Double(count) }
    let scaled = rounded(shift: -64) / Double(count)
    return Double(sign: .plus, exponent: 64, significand: scaled)
  }

  private var special: Double? {
    if hasNaN || (hasInfinity && hasNegativeInfinity) { return .nan }
    if hasInfinity { return .infinity }
    return hasNegativeInfinity ? -.infinity : nil
  }

  /// Returns the sum times 2^shift.
  private func rounded(shift: Int) -> Double {
    let (magnitude, isNegative) = digits.carried(base: Self.base)
    guard let top = magnitude.lastIndex(where: { $0 != 0 }) else { return 0 }
    let last = max(0, top - 2)
    var bits: UInt128 = 0
    for place in stride(from: top, through: last, by: -1) { bits = bits << 32 | UInt128(magnitude[place]) }
    // Sets the lowest bit as a sticky bit if lower digits are not zero, so that rounding is correct.
    if magnitude[..<last].contains(where: { $0 != 0 }) { bits |= 1 }
    return Double(
      sign: isNegative ? .minus : .plus, exponent: last * 32 + Self.lowest + shift, significand: Double(bits))
  }
}

/// Adds decimal numbers digit by digit, exactly and in any order.
package struct DecimalSum {
  /// The digits in ascending order. They are carried only at the end.
  private var digits = ContiguousArray<Int64>(repeating: 0, count: 340)
  private var isNotANumber = false

  /// The position of the units digit: numbers have at most 128 fraction digits.
  private static let ones = 130

  /// - Parameter text: Plain decimal notation, as stored in columns.
  mutating func add(_ text: some BidirectionalCollection<UInt8>) {
    guard text.first != UInt8(ascii: "N") else {
      isNotANumber = true
      return
    }
    let isNegative = text.first == UInt8(ascii: "-")
    let number = text.drop { $0 == UInt8(ascii: "-") }
    let whole = number.prefix { $0 != UInt8(ascii: ".") }.count
    var place = Self.ones + whole - 1
    for byte in number where byte != UInt8(ascii: ".") {
      if digits.indices ~= place {
        let digit = Int64(byte &- UInt8(ascii: "0"))
        digits[place] += isNegative ? -digit : digit
      }
      place -= 1
    }
  }

  /// The exact sum in plain decimal notation.
  var text: String { text(digits: .max) }

  /// Returns the sum rounded to a number of digits, with ties rounded away from zero.
  private func text(digits limit: Int) -> String {
    if isNotANumber { return "NaN" }
    let (carried, isNegative) = digits.carried(base: 10)
    var magnitude = carried
    guard var first = magnitude.lastIndex(where: { $0 != 0 }) else { return "0" }
    if first >= limit {
      let last = first - limit + 1
      if magnitude[last - 1] >= 5 { magnitude[last] += 1 }
      for place in 0..<last { magnitude[place] = 0 }
      magnitude.carry(base: 10)
      first = magnitude.lastIndex { $0 != 0 } ?? first
    }
    let last = magnitude.firstIndex { $0 != 0 } ?? first
    var text = isNegative ? "-" : ""
    for place in stride(from: max(first, Self.ones), through: min(last, Self.ones), by: -1) {
      if place == Self.ones - 1 { text += "." }
      text += String(magnitude[place])
    }
    return text
  }

  /// Returns a sum's value: exact if it fits, otherwise rounded to 38 digits; `nil` if it exceeds the range of
  /// `Decimal`.
  package static func value(_ text: String) -> Decimal? {
    if text == "NaN" { return .nan }
    var parsed = DecimalSum()
    parsed.add(Array(text.utf8))
    for text in [text, parsed.text(digits: 38)] {
      if let value = Decimal(string: text, locale: posix), value.stored == text { return value }
    }
    return nil
  }

  private static let posix = Locale(identifier: "en_US_POSIX")
}

/// A sum's digits in ascending order. A digit may be negative or exceed the base until the digits are carried.
extension ContiguousArray<Int64> {
  /// Returns the carried digits of the absolute value, and the sign.
  func carried(base: Int64) -> (digits: Self, isNegative: Bool) {
    var digits = self
    digits.carry(base: base)
    guard (digits.last ?? 0) < 0 else { return (digits, false) }
    digits = Self(map { -$0 })
    digits.carry(base: base)
    return (digits, true)
  }

  mutating func carry(base: Int64) {
    for index in 0..<count - 1 {
      var (quotient, rest) = self[index].quotientAndRemainder(dividingBy: base)
      if rest < 0 {
        rest += base
        quotient -= 1
      }
      self[index] = rest
      self[index + 1] += quotient
    }
  }
}

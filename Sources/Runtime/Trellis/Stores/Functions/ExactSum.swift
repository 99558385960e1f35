/// Adds floating-point numbers without rounding, and rounds once at the end.
///
/// The total does not depend on the order of the numbers, so a store, which reads rows in the order of an index, and a
/// loop over models have equal results. The state is the sum as an integer multiple of the smallest positive `Double`,
/// in digits of 32 bits.
struct ExactSum {
  /// The span of all finite numbers is 2,098 bits; four digits more hold any number of them.
  private var digits = ContiguousArray<Int64>(repeating: 0, count: 70)
  /// Additions since the digits last carried: each adds less than 2^32 to a digit.
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

  /// The sum, rounded to nearest; +0 when nothing is left.
  var total: Double { special ?? rounded(shift: 0) }

  /// The mean of `count` numbers; finite whenever all of them are.
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

  /// The sum times 2^shift.
  private func rounded(shift: Int) -> Double {
    let (magnitude, isNegative) = digits.carried(base: Self.base)
    guard let top = magnitude.lastIndex(where: { $0 != 0 }) else { return 0 }
    let highest = top * 32 + (63 - magnitude[top].leadingZeroBitCount)
    let lowest = max(0, highest - 52)
    func bit(_ position: Int) -> UInt64 {
      UInt64(bitPattern: magnitude[position / 32] >> Int64(position % 32)) & 1
    }
    var significand: UInt64 = 0
    for position in stride(from: highest, through: lowest, by: -1) {
      significand = significand << 1 | bit(position)
    }
    if lowest > 0, bit(lowest - 1) == 1 {
      let isAbove = (0..<lowest - 1).contains { bit($0) == 1 }
      if isAbove || significand & 1 == 1 { significand += 1 }
    }
    return Double(
      sign: isNegative ? .minus : .plus, exponent: lowest + Self.lowest + shift,
      significand: Double(significand))
  }
}

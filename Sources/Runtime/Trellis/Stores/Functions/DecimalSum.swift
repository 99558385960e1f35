import Foundation

/// Adds decimal numbers digit by digit, without rounding and in any order.
struct DecimalSum {
  /// By place, the smallest one first; a digit carries only at the end.
  private var digits = ContiguousArray<Int64>(repeating: 0, count: 340)
  private var isNotANumber = false

  /// The place of the ones: numbers have at most 128 digits behind the point.
  private static let ones = 130

  /// - Parameter text: plain decimal notation, as columns keep it.
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
  var text: String {
    if isNotANumber { return "NaN" }
    let (magnitude, isNegative) = digits.carried(base: 10)
    guard let first = magnitude.lastIndex(where: { $0 != 0 }),
      let last = magnitude.firstIndex(where: { $0 != 0 })
    else { return "0" }
    var text = isNegative ? "-" : ""
    for place in stride(from: max(first, Self.ones), through: min(last, Self.ones), by: -1) {
      if place == Self.ones - 1 { text += "." }
      text += String(magnitude[place])
    }
    return text
  }

  /// The number a sum stands for: exact while it fits, else rounded to 38 digits; nil beyond the
  /// range of `Decimal`.
  static func value(_ text: String) -> Decimal? {
    if text == "NaN" { return .nan }
    if let value = Decimal(string: text, locale: posix), value.stored == text {
      return value
    }
    let rounded = Self.rounded(text)
    guard let value = Decimal(string: rounded, locale: posix), value.stored == rounded
    else { return nil }
    return value
  }

  /// Rounded to 38 digits, halves away from zero.
  private static func rounded(_ text: String) -> String {
    var digits = Array(text.utf8)
    let isDigit = { (byte: UInt8) in byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".") }
    guard let first = digits.firstIndex(where: { isDigit($0) && $0 != UInt8(ascii: "0") }) else {
      return text
    }
    var kept = 0
    var isUp = false
    for index in first..<digits.count where isDigit(digits[index]) {
      if kept == 38 { isUp = digits[index] >= UInt8(ascii: "5") }
      if kept >= 38 { digits[index] = UInt8(ascii: "0") }
      kept += 1
    }
    var cut = DecimalSum()
    cut.add(digits)
    guard isUp, let unit = lastKept(digits, from: first) else { return cut.text }
    // One more in the last place that was kept.
    var one = digits.map { isDigit($0) ? UInt8(ascii: "0") : $0 }
    one[unit] = UInt8(ascii: "1")
    cut.add(one)
    return cut.text
  }

  /// Where the 38th digit stands.
  private static func lastKept(_ digits: [UInt8], from first: Int) -> Int? {
    digits.indices.filter { $0 >= first && digits[$0] != UInt8(ascii: ".") }.dropFirst(37).first
  }

  private static let posix = Locale(identifier: "en_US_POSIX")
}

/// The digits of a sum, the lowest first. A digit may be negative or larger than the base until it is carried.
extension ContiguousArray<Int64> {
  /// The carried digits of the absolute value, and the sign.
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

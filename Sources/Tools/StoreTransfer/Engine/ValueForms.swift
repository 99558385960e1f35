import Foundation

/// Parses ISO 8601 dates as written by databases.
package enum ISODate {
  /// Returns the seconds since 1 January 2001 for text such as `2024-05-01`, `2024-05-01 10:00` or
  /// `2024-05-01T10:00:00.123Z`. If no time zone is given, the time is UTC.
  package static func seconds(of bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var reader = DigitReader(bytes)
    guard (10...40).contains(bytes.count), let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2),
      reader.skip("-"), let day = reader.digits(2), (1...12).contains(month),
      (1...days(in: month, of: year)).contains(day)
    else { return nil }
    var seconds = (days(year, month, day) - 11_323) * 86_400
    var fraction: DigitReader.Fraction?
    if !reader.isAtEnd {
      guard reader.skip("T") || reader.skip(" ") || reader.skip("t"), let hour = reader.digits(2), reader.skip(":"),
        let minute = reader.digits(2), hour < 24, minute < 60
      else { return nil }
      seconds += hour * 3_600 + minute * 60
      if reader.skip(":") {
        guard let second = reader.digits(2), second < 60 else { return nil }
        seconds += second
        if reader.skip(".") || reader.skip(",") {
          guard let part = reader.fraction() else { return nil }
          fraction = part
        }
      }
      guard let offset = zone(&reader), reader.isAtEnd else { return nil }
      seconds -= offset
    }
    let result = Self.seconds(seconds, fraction)
    // Rounding may reach year 10000, which four digits cannot represent.
    return result < 252_423_993_600 ? result : nil
  }

  /// Returns the sum, rounded only once.
  private static func seconds(_ whole: Int, _ fraction: DigitReader.Fraction?) -> Double {
    guard let fraction else { return Double(whole) }
    let (product, isTooLarge) = whole.multipliedReportingOverflow(by: fraction.scale)
    if !isTooLarge, abs(product) < 1 << 53 { return Double(product + fraction.number) / Double(fraction.scale) }
    return Double(whole) + Double(fraction.number) / Double(fraction.scale)
  }

  /// True if a date has more than six fractional digits: a `Double` is exact to the microsecond.
  static func isRounded(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count > 26, let point = bytes.firstIndex(where: { $0 == 0x2E || $0 == 0x2C }) else { return false }
    return bytes[(point + 1)...].prefix { 48...57 ~= $0 }.count > 6
  }

  /// Returns the UTC offset in seconds (0 if no zone is given), or `nil` if the zone is not valid.
  private static func zone(_ reader: inout DigitReader) -> Int? {
    if reader.isAtEnd || reader.skip("Z") || reader.skip("z") { return 0 }
    _ = reader.skip(" ")
    let isBehind = reader.skip("-")
    guard isBehind || reader.skip("+"), let hours = reader.digits(2) else { return nil }
    _ = reader.skip(":")
    let minutes = reader.isAtEnd ? 0 : reader.digits(2)
    guard let minutes, hours < 24, minutes < 60 else { return nil }
    return (isBehind ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Returns the days since 1 January 1970 in the Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

private struct DigitReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, UInt32(bytes[offset]) == character.value else { return false }
    offset += 1
    return true
  }

  mutating func digits(_ count: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[offset..<offset + count] {
      guard 48...57 ~= byte else { return nil }
      number = number * 10 + Int(byte - 48)
    }
    offset += count
    return number
  }

  struct Fraction {
    var number: Int
    var scale: Int
  }

  /// Reads the fractional digits. Only the first 15 are used, because a double has no room for more.
  mutating func fraction() -> Fraction? {
    var (number, scale, count) = (0, 1, 0)
    while offset < bytes.count, 48...57 ~= bytes[offset] {
      if count < 15 {
        number = number * 10 + Int(bytes[offset] - 48)
        scale *= 10
      }
      count += 1
      offset += 1
    }
    return count == 0 ? nil : Fraction(number: number, scale: scale)
  }
}

/// UUIDs as text.
package enum UUIDText {
  private static let dashes: Set<Int> = [8, 13, 18, 23]
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// True for 36 characters in upper case, with dashes.
  static func isCanonical(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 36 else { return false }
    for (index, byte) in bytes.enumerated() {
      switch index {
      case 8, 13, 18, 23: guard byte == 45 else { return false }
      default: guard 48...57 ~= byte || 65...70 ~= byte else { return false }
      }
    }
    return true
  }

  /// Returns the canonical form for 16 bytes, or for text in any case with optional dashes.
  static func canonical(_ bytes: UnsafeBufferPointer<UInt8>, isText: Bool) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(36)
    func separate() { if dashes.contains(result.count) { result.append(45) } }
    guard isText else {
      guard bytes.count == 16 else { return nil }
      for byte in bytes {
        separate()
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
      return result
    }
    guard bytes.count == 36 || bytes.count == 32 else { return nil }
    for (index, byte) in bytes.enumerated() {
      if bytes.count == 36, dashes.contains(index) {
        guard byte == 45 else { return nil }
        continue
      }
      separate()
      switch byte {
      case 48...57, 65...70: result.append(byte)
      case 97...102: result.append(byte - 32)
      default: return nil
      }
    }
    return result
  }
}

/// Decimal numbers as written by `Decimal`.
enum DecimalForm {
  /// True if the text contains only digits, signs, decimal points and exponents, because `Decimal` ignores trailing
  /// text.
  static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var hasDigit = false
    for byte in bytes {
      switch byte {
      case 48...57: hasDigit = true
      case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"): break
      default: return false
      }
    }
    return hasDigit
  }

  /// Returns the canonical form, or `nil` if the text is not a number or has more digits than `Decimal` holds.
  static func canonical(_ text: String) -> String? {
    guard let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !number.isNaN,
      Double(text).map({ abs(Double(number.description) ?? .nan) == abs($0) }) ?? false,
      digits(text) == digits(number.description)
    else { return nil }
    return number.description
  }

  /// The significant digits, excluding the exponent.
  private static func digits(_ text: String) -> Substring {
    let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
    let end = digits.lastIndex { $0 != "0" }.map { digits.index(after: $0) } ?? digits.startIndex
    return digits[..<end].drop { $0 == "0" }
  }
}

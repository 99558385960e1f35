/// Converts dates to ISO 8601 text in UTC, and back to the identical number of seconds since 1 January 2001.
///
/// The text contains the shortest decimal fraction that identifies the number. Dates that have no such text (before
/// year 1, after year 9999, within 0.0001 seconds of 2001, negative zero) are written as numbers.
package enum CalendarText {
  /// Seconds relative to 2001, from the start of year 1 to the end of year 9999.
  private static let years: Range<Double> = -63_113_904_000..<252_423_993_600
  private static let secondsPerDay: Int64 = 86_400
  /// Days from 1970 to 2001.
  private static let epoch: Int64 = 11_323

  /// Appends a date such as `2026-05-01T12:00:00.25Z`. Returns false, appending nothing, if it must be written as a
  /// number.
  package static func append(_ seconds: Double, to sink: inout ByteSink) -> Bool {
    guard years.contains(seconds), seconds != 0 || seconds.sign == .plus else { return false }
    let floor = seconds.rounded(.down)
    guard floor != seconds else {
      append(whole: Int64(floor), to: &sink)
      sink.append(UInt8(ascii: "Z"))
      return true
    }
    var text = seconds.description
    return text.withUTF8 { digits in
      guard let point = digits.firstIndex(of: UInt8(ascii: ".")), !digits.contains(UInt8(ascii: "e")) else {
        return false
      }
      append(whole: Int64(floor), to: &sink)
      sink.append(UInt8(ascii: "."))
      let fraction = UnsafeBufferPointer(rebasing: digits[(point + 1)...])
      if seconds > 0 {
        sink.append(UnsafeRawBufferPointer(fraction))
      } else {
        for digit in complement(fraction) { sink.append(digit) }
      }
      sink.append(UInt8(ascii: "Z"))
      return true
    }
  }

  private static func append(whole seconds: Int64, to sink: inout ByteSink) {
    let day = (seconds >= 0 ? seconds : seconds - secondsPerDay + 1) / secondsPerDay
    let (year, month, date) = civil(day + epoch)
    let second = Int(seconds - day * secondsPerDay)
    sink.append(year, digits: 4)
    sink.append(UInt8(ascii: "-"))
    sink.append(month, digits: 2)
    sink.append(UInt8(ascii: "-"))
    sink.append(date, digits: 2)
    sink.append(UInt8(ascii: "T"))
    sink.append(second / 3600, digits: 2)
    sink.append(UInt8(ascii: ":"))
    sink.append(second / 60 % 60, digits: 2)
    sink.append(UInt8(ascii: ":"))
    sink.append(second % 60, digits: 2)
  }

  /// The digits of 1 - 0.d₁d₂…, for digits that are not all zero.
  private static func complement(_ digits: some BidirectionalCollection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isLast = true
    for digit in digits.reversed() {
      let value = digit - UInt8(ascii: "0")
      if isLast, value == 0 {
        result.append(digit)
      } else {
        result.append(UInt8(ascii: "0") + (isLast ? 10 : 9) - value)
        isLast = false
      }
    }
    return result.reversed()
  }

  // MARK: Reading

  /// Reads `2026-05-01`, `2026-05-01 12:00`, `2026-05-01T12:00:00.25Z` or `2026-05-01T12:00:00+02:00`. If no zone is
  /// given, times are UTC. Returns `nil` for any other text.
  package static func seconds(_ text: UnsafeRawBufferPointer) -> Double? {
    var rest = text[...]
    func number(_ digits: Int, _ range: ClosedRange<Int>) -> Int? {
      guard rest.count >= digits else { return nil }
      var value = 0
      for byte in rest.prefix(digits) {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      rest = rest.dropFirst(digits)
      return range.contains(value) ? value : nil
    }
    func take(_ characters: UInt8...) -> Bool {
      guard let first = rest.first, characters.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    let (dash, colon) = (UInt8(ascii: "-"), UInt8(ascii: ":"))
    guard let year = number(4, 0...9999), take(dash), let month = number(2, 1...12), take(dash),
      let date = number(2, 1...31)
    else { return nil }
    let day = days(year, month, date)
    // Rejects 31 April.
    guard civil(day) == (year, month, date) else { return nil }
    var whole = (day - epoch) * secondsPerDay
    var fraction = text[0..<0]
    if take(UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")) {
      guard let hour = number(2, 0...23), take(colon), let minute = number(2, 0...59) else { return nil }
      var second = 0
      if take(colon) {
        guard let found = number(2, 0...59) else { return nil }
        second = found
        if take(UInt8(ascii: ".")) {
          fraction = rest.prefix { (48...57).contains($0) }
          guard !fraction.isEmpty else { return nil }
          rest = rest[fraction.endIndex...]
        }
      }
      whole += Int64(hour * 3600 + minute * 60 + second)
      if let sign = rest.first, take(UInt8(ascii: "+"), dash) {
        guard let hours = number(2, 0...23) else { return nil }
        _ = take(colon)
        guard let minutes = rest.isEmpty ? 0 : number(2, 0...59) else { return nil }
        let offset = Int64(hours * 3600 + minutes * 60)
        whole -= sign == dash ? -offset : offset
      } else if !rest.isEmpty {
        guard take(UInt8(ascii: "Z"), UInt8(ascii: "z")) else { return nil }
      }
    }
    guard rest.isEmpty else { return nil }
    guard fraction.contains(where: { $0 != 48 }) else { return Double(whole) }
    guard whole < 0 else { return Double("\(whole)." + String(decoding: fraction, as: UTF8.self)) }
    return Double("-\(-(whole + 1))." + String(decoding: complement(fraction), as: UTF8.self))
  }

  // MARK: The Gregorian calendar

  // Both functions count years from March, so that the leap day is the last day of a year.

  private static func civil(_ day: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
    return (Int(year), Int(month < 10 ? month + 3 : month - 9), Int(dayOfYear - (153 * month + 2) / 5 + 1))
  }

  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let shifted = Int64(month > 2 ? year : year - 1)
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

import Foundation

/// Calendar days, parsed as `2026-03-28` and shown as `28 Mar 2026`. A day is stored as midnight in UTC, so that it is
/// equal in all time zones.
enum Day {
  static func parse(_ text: String) -> Date? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard let date = try? Date(text, strategy: style), format(date) == text else { return nil }
    return date
  }

  static func problem(_ text: String) -> String {
    "'\(text)' is not a day; write it like 2026-03-28"
  }

  /// For example `2026-03-28`.
  static func format(_ date: Date) -> String { date.formatted(style) }

  /// For example `28 Mar 2026`.
  static func short(_ date: Date) -> String {
    let parts = parts(date)
    return "\(parts.day) \(parts.month) \(parts.year)"
  }

  /// For example `28 Mar – 2 Apr 2026`. Repeated months and years are omitted.
  static func range(_ start: Date, _ end: Date) -> String {
    let (first, last) = (parts(start), parts(end))
    if first == last { return short(end) }
    if first.year != last.year { return "\(short(start)) – \(short(end))" }
    if first.month != last.month { return "\(first.day) \(first.month) – \(short(end))" }
    return "\(first.day) – \(short(end))"
  }

  /// The midnight at or before a date.
  static func start(of date: Date) -> Date { calendar.startOfDay(for: date) }

  static func year(_ date: Date) -> Int { calendar.component(.year, from: date) }

  private static let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func parts(_ date: Date) -> (day: Int, month: String, year: Int) {
    let parts = calendar.dateComponents([.day, .month, .year], from: date)
    return (parts.day ?? 1, months[((parts.month ?? 1) - 1) % 12], parts.year ?? 1)
  }
}

public import Foundation

extension Double: StandardValue {
  public static var placeholder: Double { 0 }
  static var scalar: ScalarKind { .real }
  init?(stored: Double) { self = stored }
  var stored: Double { self }
}

extension Float: StandardValue {
  public static var placeholder: Float { 0 }
  static var scalar: ScalarKind { .float }

  init?(stored: Double) {
    let value = Float(stored)
    // No Float has written a number that is more precise than a Float or out of its range.
    guard Double(value) == stored || stored.isNaN else { return nil }
    self = value
  }

  var stored: Double { Double(self) }
}

/// Seconds since the beginning of 2001, exactly as `Date` has them.
extension Date: StandardValue {
  public static var placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }
  static var scalar: ScalarKind { .date }
  init?(stored: Double) { self.init(timeIntervalSinceReferenceDate: stored) }
  var stored: Double { timeIntervalSinceReferenceDate }
}

/// The shortest decimal notation: equal values have equal texts.
extension Decimal: StandardValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .decimal) }
  public static var placeholder: Decimal { 0 }
  static var scalar: ScalarKind { .decimal }

  init?(stored: String) {
    if stored == "NaN" {
      self = .nan
      return
    }
    // `Decimal(string:)` ignores the text after the first character that it does not understand.
    guard let value = Decimal(string: stored, locale: Self.posix), value.description == stored else { return nil }
    self = value
  }

  var stored: String { isNaN ? "NaN" : description }

  private static let posix = Locale(identifier: "en_US_POSIX")
}

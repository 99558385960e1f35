import Foundation

/// Exact monetary amounts, parsed with a decimal point and shown with two decimals and grouped digits.
enum Money {
  static func parse(_ text: String) -> Decimal? {
    let text = text.trimmingCharacters(in: .whitespaces)
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }),
      text.utf8.count <= 18
    else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  static func problem(_ text: String) -> String {
    "'\(text)' is not an amount; write it like 1250 or 1250.50"
  }

  /// For example `1,250.00`.
  static func format(_ amount: Decimal) -> String { amount.formatted(style) }

  private static let style = Decimal.FormatStyle(locale: Locale(identifier: "en_US"))
    .precision(.fractionLength(2))

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension Int {
  /// For example `12,345`.
  var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }

  /// For example `1 trip` or `12,345 trips`.
  func of(_ singular: String, _ plural: String? = nil) -> String {
    "\(grouped) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}

/// An attribute's default value in Swift syntax.
enum CoreDataDefault {
  case none
  case value(String)
  /// A default value that a schema cannot express.
  case unwritable(String)

  init(_ attribute: CoreDataAttribute) {
    guard let text = attribute.defaultText ?? attribute.defaultDate else {
      self = .none
      return
    }
    switch Self.swift(text, attribute) {
    case let value?: self = .value(value)
    case nil: self = .unwritable(text)
    }
  }

  private static func swift(_ text: String, _ attribute: CoreDataAttribute) -> String? {
    switch attribute.type {
    case "Boolean":
      switch text.uppercased() {
      case "YES", "TRUE", "1": return "true"
      case "NO", "FALSE", "0": return "false"
      default: return nil
      }
    case "Integer 16", "Integer 32", "Integer 64": return Int64(text).map(String.init)
    case "Double", "Float": return Double(text).flatMap { $0.isFinite ? "\($0)" : nil }
    case "Decimal": return decimal(text)
    case "String": return CoreDataSpelling.literal(text)
    case "Date":
      guard let seconds = Double(attribute.defaultDate ?? text), seconds.isFinite else { return nil }
      return "Date(timeIntervalSinceReferenceDate: \(seconds))"
    // The initializers are failable, so the attribute must be optional.
    case "UUID" where attribute.isOptional: return "UUID(uuidString: \(CoreDataSpelling.literal(text)))"
    case "URI" where attribute.isOptional: return "URL(string: \(CoreDataSpelling.literal(text)))"
    default: return nil
    }
  }

  /// Converts a decimal exactly. A literal with a fraction would be converted through `Double`.
  private static func decimal(_ text: String) -> String? {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" || $0 == "+" }.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first,
      parts.allSatisfy({ part in part.allSatisfy { $0.isASCII && $0.isNumber } }), text.count <= 18
    else { return nil }
    let fraction = (parts.count == 2 ? String(parts[1]) : "").trimmedZeros
    guard let digits = Int64(whole + fraction) else { return nil }
    if fraction.isEmpty { return isNegative ? "-\(digits)" : "\(digits)" }
    return "Decimal(sign: .\(isNegative ? "minus" : "plus"), exponent: -\(fraction.count), significand: \(digits))"
  }
}

extension String {
  /// The text with trailing zeros removed.
  fileprivate var trimmedZeros: String {
    var text = self[...]
    while text.last == "0" { text = text.dropLast() }
    return String(text)
  }
}

import Foundation

/// Values of models in the messages of errors.
enum ValueDescription {
  /// A value as text.
  ///
  /// Foundation stops the process if it is asked for the description of a date that is not a number.
  static func of(_ value: Any) -> String {
    containsInvalidDate(value, depth: 0) ? "'\(type(of: value))' with a date that is not a number" : "\(value)"
  }

  private static func containsInvalidDate(_ value: Any, depth: Int) -> Bool {
    if let date = value as? Date { return date.timeIntervalSinceReferenceDate.isNaN }
    let mirror = Mirror(reflecting: value)
    // The description of an object does not contain its properties.
    guard depth < 16, mirror.displayStyle != .class else { return false }
    return mirror.children.contains { containsInvalidDate($0.value, depth: depth + 1) }
  }
}

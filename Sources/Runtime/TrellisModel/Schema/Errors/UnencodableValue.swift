import Foundation

/// An error for a property value that cannot be encoded.
package struct UnencodableValue: Error {
  /// The property's slot; nil until the error reaches the code that writes the row's properties.
  private(set) var slot: Int?
  package let cause: any Error

  package init(_ cause: any Error) { self.cause = cause }

  /// Runs a block that encodes a property's value.
  ///
  /// - Throws: ``UnencodableValue`` instead of an error thrown by the value's `encode(to:)`.
  static func locating<Result>(_ slot: Int, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch  where error is SwiftDataError || error is DataStoreError || error is SQLiteError {
      throw error
    } catch {
      var located = error as? UnencodableValue ?? UnencodableValue(error)
      located.slot = slot
      throw located
    }
  }

  /// Returns the error that a save throws for this value.
  ///
  /// - Parameter properties: The model's property names by slot.
  func violation(of model: PersistentIdentifier, _ properties: [String]) -> SwiftDataError {
    let property = slot.flatMap { properties.indices.contains($0) ? properties[$0] : nil }
    let violation = SwiftDataError.Violation(
      model: model, properties: property.map { [$0] } ?? [], rule: .unencodable,
      reason: "the value cannot be encoded: \(reason)")
    return .modelValidationFailure.listing([violation], causedBy: cause)
  }

  private var reason: String {
    guard case EncodingError.invalidValue(let value, let context) = cause else { return Self.shortened("\(cause)") }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    return Self.shortened(context.debugDescription) + (path.isEmpty ? "" : " At '\(Self.shortened(path))'.")
      + " Value: \(Self.shortened(ValueDescription.of(value)))"
  }

  private static func shortened(_ text: String) -> String {
    text.count > 120 ? text.prefix(120) + "…" : text
  }
}

/// Formats model values for error messages.
package enum ValueDescription {
  /// Returns a value as text.
  ///
  /// Does not format a date that is not a number, because Foundation would stop the process.
  package static func of(_ value: Any) -> String {
    containsInvalidDate(value, depth: 0) ? "'\(type(of: value))' with a date that is not a number" : "\(value)"
  }

  private static func containsInvalidDate(_ value: Any, depth: Int) -> Bool {
    if let date = value as? Date { return date.timeIntervalSinceReferenceDate.isNaN }
    let mirror = Mirror(reflecting: value)
    // An object's description does not contain its properties.
    guard depth < 16, mirror.displayStyle != .class else { return false }
    return mirror.children.contains { containsInvalidDate($0.value, depth: depth + 1) }
  }
}

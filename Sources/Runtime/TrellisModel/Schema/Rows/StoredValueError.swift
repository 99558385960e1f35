/// An error for a stored value that is not valid for the property.
///
/// ```swift
/// do {
///   let trips = try context.fetch(FetchDescriptor<Trip>())
/// } catch let error as StoredValueError {
///   print(error)  // the value 'cruise' of 'Trip.kind' in Trip/17 is not a 'TripKind'
/// }
/// ```
///
/// A newer app version may have stored the value, for example a new enum case, or another tool may have changed the
/// file. ``Schema/Attribute/Option/unknown(_:)`` lets the property read the default value instead. Not in SwiftData.
public struct StoredValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The row's entity.
  public let entity: String
  /// The property that cannot be read.
  public let property: String
  /// The row that contains the value.
  public let identifier: PersistentIdentifier
  /// The stored value as a SQL literal, truncated if it is long.
  public let value: String
  /// The expected type.
  public let type: String

  package init(entity: String, property: String, identifier: PersistentIdentifier, value: String, type: String) {
    self.entity = entity
    self.property = property
    self.identifier = identifier
    self.value = value
    self.type = type
  }

  /// The value, property, row and expected type.
  public var description: String {
    "the value \(value) of '\(entity).\(property)' in \(identifier) is not a '\(type)'"
  }
}

extension StatementRow {
  /// Returns the error for a column value that does not have the expected type.
  @inline(never) public func unreadable(_ column: Int32, as type: Any.Type) -> any Error {
    StoredValueError(
      entity: shape.rowEntity.name,
      property: shape.property(inColumn: column)?.name ?? "column \(column)",
      identifier: identifier, value: describe(column),
      type: "\(wrappedType(of: type))")
  }

  private func describe(_ column: Int32) -> String {
    if let cells = aside?.cells { return cells.describe(column) }
    return ValueCells([Statement.value(statement, column)]).describe(0)
  }
}

extension RowCells {
  /// Returns the value for an error message.
  fileprivate func describe(_ column: Int32) -> String {
    if isNull(column) { return "NULL" }
    if let number = integer(column) { return "\(number)" }
    if let number = real(column) { return "\(number)" }
    if let text = text(column).map({ String(decoding: $0, as: UTF8.self) }) {
      return text.count > 60 ? "'\(text.prefix(60))…'" : "'\(text)'"
    }
    return blob(column).map { "<\($0.count) bytes>" } ?? "of another type"
  }
}

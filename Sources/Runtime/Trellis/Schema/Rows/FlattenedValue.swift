/// A struct that can have a column for each of its properties: `@Attribute(.flattened)`.
///
/// The schema compiler writes the conformance.
public protocol FlattenedValue: ColumnValue {
  /// The properties in the order of their columns.
  static var _$members: [FlattenedMember] { get }

  /// Reads each property from its column.
  init(_$row row: inout StatementRow, _ columns: [Int32]) throws

  /// Binds each property to its parameter.
  func _$bind(to row: inout StatementBinder, _ parameters: [Int32]) throws
}

/// One property of a flattened struct.
public struct FlattenedMember: @unchecked Sendable {  // key paths without captured values
  package let name: String
  package let type: any ColumnValue.Type
  /// From the struct to the property.
  let keyPath: AnyKeyPath
  /// From an optional of the struct.
  let optionalKeyPath: AnyKeyPath
  /// What rows get that were written before the struct had the property.
  let preset: (any ColumnValue)?

  /// Made by generated code.
  public init<Root, Value: ColumnValue>(
    _ name: String, _ keyPath: KeyPath<Root, Value>, _ optionalKeyPath: AnyKeyPath,
    default preset: Value? = nil
  ) {
    self.name = name
    self.type = Value.self
    self.keyPath = keyPath
    self.optionalKeyPath = optionalKeyPath
    self.preset = preset
  }

  /// Of a struct this program does not have: nothing leads to the property.
  package init(described name: String, type: any ColumnValue.Type) {
    self.name = name
    self.type = type
    keyPath = \FlattenedMember.name
    optionalKeyPath = \FlattenedMember.name
    preset = nil
  }
}

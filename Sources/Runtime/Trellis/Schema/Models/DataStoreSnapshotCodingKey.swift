/// The keys of a snapshot's encoded form.
public enum DataStoreSnapshotCodingKey: CodingKey, Sendable, Hashable {
  /// The identifier of the model.
  case persistentIdentifier
  /// A stored property of the model, by name.
  case modeledProperty(String)

  /// The property of that name.
  public init?(stringValue: String) {
    self =
      stringValue == Self.identifierName ? .persistentIdentifier : .modeledProperty(stringValue)
  }

  /// Nil: snapshots have no numbered keys.
  public init?(intValue: Int) { nil }

  /// The name of the property.
  public var stringValue: String {
    switch self {
    case .persistentIdentifier: Self.identifierName
    case .modeledProperty(let name): name
    }
  }

  /// Nil: properties have names.
  public var intValue: Int? { nil }

  private static let identifierName = "persistentIdentifier"
}

extension DataStoreSnapshotCodingKey: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { stringValue }
  public var debugDescription: String { "DataStoreSnapshotCodingKey(\(stringValue))" }
}

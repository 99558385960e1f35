/// The values of one model, on their way between a context and a store.
public protocol DataStoreSnapshot: Codable, Sendable {
  /// Takes the values out of a model's storage.
  ///
  /// - Parameters:
  ///   - backingData: the model's storage.
  ///   - relatedBackingDatas: storages of related models; what is added will be made snapshots of.
  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// The identifier of the model.
  var persistentIdentifier: PersistentIdentifier { get }

  /// The same values under another identifier.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: the identifier of the copy.
  ///   - remappedIdentifiers: references to the keys become references to the values.
  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// What can be a property of a snapshot.
public typealias DataStoreSnapshotValue = Codable & Sendable

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

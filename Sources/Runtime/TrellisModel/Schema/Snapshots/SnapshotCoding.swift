import Foundation

extension ModelSnapshot {
  /// Decodes the values by property name.
  ///
  /// - Throws: `DecodingError` if a property that has no default value is missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    var row = StatementRow(
      SnapshotFieldReader(
        container: container, definition: Model._$definition,
        identifier: try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)))
    self = try Self.read(&row)
  }

  /// Encodes the identifier and the values by property name. Nil values and unloaded to-many relationships are omitted.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` if a value cannot be encoded.
  public func encode(to encoder: any Encoder) throws {
    let writer = SnapshotFieldWriter(
      container: encoder.container(keyedBy: DataStoreSnapshotCodingKey.self),
      layout: Model._$definition.layout, remapping: nil)
    try writer.container.encode(persistentIdentifier, forKey: .persistentIdentifier)
    var row = StatementBinder(writer)
    do {
      try write(to: &row)
    } catch let error as UnencodableValue {
      throw error.violation(of: persistentIdentifier, Model._$definition.layout.columns.map(\.name))
    }
  }
}

/// The encoded form for a `Decimal` NaN. Encoders would write the NaN like a number, which no decoder can read.
enum NotANumber {
  static let text = "NaN"

  static func value<T>(_ type: T.Type) -> T? {
    type == Decimal.self || type == Decimal?.self ? Decimal.nan as? T : nil
  }
}

/// Writes a row's slots as fields named after the properties.
final class SnapshotFieldWriter: RowWriter {
  var container: KeyedEncodingContainer<DataStoreSnapshotCodingKey>
  let layout: ModelLayout
  /// The permanent identifiers for models inserted by the save that created the snapshot.
  let remapping: IdentifierRemapping?

  init(
    container: KeyedEncodingContainer<DataStoreSnapshotCodingKey>, layout: ModelLayout,
    remapping: IdentifierRemapping?
  ) {
    self.container = container
    self.layout = layout
    self.remapping = remapping
  }

  func codable<T: Codable>(_ slot: Int, _ value: T) throws {
    if (value as? any OptionalValue)?.isNil == true { return }
    if let decimal = value as? Decimal, decimal.isNaN {
      return try container.encode(
        NotANumber.text, forKey: .modeledProperty(layout.columns[slot].name))
    }
    try NestingCheck.check(value)
    try container.encode(value, forKey: .modeledProperty(layout.columns[slot].name))
  }

  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
    guard let identifier else { return }
    let key = DataStoreSnapshotCodingKey.modeledProperty(layout.columns[slot].name)
    try container.encode(resolve(identifier), forKey: key)
  }

  func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws {
    guard let identifiers else { return }
    let key = DataStoreSnapshotCodingKey.modeledProperty(layout.lists[slot].name)
    try container.encode(identifiers.map(resolve), forKey: key)
  }

  private func resolve(_ identifier: PersistentIdentifier) -> PersistentIdentifier {
    remapping?.resolve(identifier) ?? identifier
  }
}

/// Reads a row's slots from fields named after the properties.
struct SnapshotFieldReader: RowReader {
  let container: KeyedDecodingContainer<DataStoreSnapshotCodingKey>
  let definition: ModelDefinition
  let identifier: PersistentIdentifier

  mutating func codable<T: Codable>(_ slot: Int) throws -> T {
    let name = definition.layout.columns[slot].name
    let key = DataStoreSnapshotCodingKey.modeledProperty(name)
    guard container.contains(key) else {
      if definition.layout.columns[slot].isOptional, let none = NilLiteral.value(T.self) { return none }
      // The snapshot predates the property.
      let metadata = definition.modelType.schemaMetadata.first { $0.name == name }
      if let value = metadata?.defaultValue as? T { return value }
      throw DecodingError.keyNotFound(
        key, .init(codingPath: container.codingPath, debugDescription: "no value of '\(name)'"))
    }
    if let none = NilLiteral.value(T.self), try container.decodeNil(forKey: key) { return none }
    if let none = NotANumber.value(T.self), (try? container.decode(String.self, forKey: key)) == NotANumber.text {
      return none
    }
    return try container.decode(T.self, forKey: key)
  }

  mutating func reference(_ slot: Int) throws -> PersistentIdentifier? {
    let key = DataStoreSnapshotCodingKey.modeledProperty(definition.layout.columns[slot].name)
    return try container.decodeIfPresent(PersistentIdentifier.self, forKey: key)
  }

  mutating func references(_ slot: Int) throws -> [PersistentIdentifier]? {
    let key = DataStoreSnapshotCodingKey.modeledProperty(definition.layout.lists[slot].name)
    return try container.decodeIfPresent([PersistentIdentifier].self, forKey: key)
  }
}

/// An encoded snapshot's keys.
///
/// Use them to decode a few properties of an encoded ``DefaultSnapshot``, which requires no schema:
///
/// ```swift
/// struct TripName: Decodable {
///   let id: PersistentIdentifier
///   let name: String
///
///   init(from decoder: any Decoder) throws {
///     let values = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
///     id = try values.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)
///     name = try values.decode(String.self, forKey: .modeledProperty("name"))
///   }
/// }
/// ```
public enum DataStoreSnapshotCodingKey: CodingKey, Sendable, Hashable {
  /// The model's identifier.
  case persistentIdentifier
  /// A stored property, by name.
  case modeledProperty(String)

  /// Creates the key for a property name.
  public init?(stringValue: String) {
    self =
      stringValue == Self.identifierName ? .persistentIdentifier : .modeledProperty(stringValue)
  }

  /// Returns nil, because snapshots have no integer keys.
  public init?(intValue: Int) { nil }

  /// The property name.
  public var stringValue: String {
    switch self {
    case .persistentIdentifier: Self.identifierName
    case .modeledProperty(let name): name
    }
  }

  /// Always nil: properties have names.
  public var intValue: Int? { nil }

  private static let identifierName = "persistentIdentifier"
}

import Foundation

/// The values that a history preserves of a deleted model: its attributes marked `preserveValueOnDeletion`.
///
///     let name = deletion.tombstone[\.name] as? String
public struct HistoryTombstone<Model: PersistentModel>: Sendable {
  private let keyPaths: [any PartialKeyPath<Model> & Sendable]
  private let values: [any Sendable]

  /// Creates a tombstone with the values in the given order. The initialiser is not public in SwiftData, so custom
  /// stores cannot create tombstones there.
  public init(_ values: [(keyPath: any PartialKeyPath<Model> & Sendable, value: any Sendable)]) {
    // Not a dictionary by key path: generic code creates a new object for each key path.
    self.keyPaths = values.map { $0.keyPath }
    self.values = values.map { $0.value }
  }

  /// The value of an attribute before the deletion; nil if the attribute was not preserved.
  public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    keyPaths.firstIndex { $0 == keyPath }.map { values[$0] }
  }
}

extension HistoryTombstone: Sequence {
  /// The value of an attribute.
  public typealias Element = Any

  /// An iterator over the preserved values.
  public struct Iterator: IteratorProtocol {
    private var rest: IndexingIterator<[any Sendable]>

    init(_ values: [any Sendable]) { rest = values.makeIterator() }

    /// The next value; nil after the last one.
    public mutating func next() -> Any? { rest.next() }
  }

  /// Returns an iterator over the preserved values, in declaration order.
  public func makeIterator() -> Iterator { Iterator(values) }
}

/// The values by property name, for custom stores that keep their history. Not in SwiftData.
extension HistoryTombstone: Codable {
  /// Decodes the values of the model's properties. Values that have no property are left out.
  ///
  /// - Throws: `DecodingError` if a value has another type than its property.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    func value<T: Decodable>(_: T.Type, _ key: DataStoreSnapshotCodingKey) throws -> any Sendable {
      let isNotANumber = (try? container.decode(String.self, forKey: key)) == NotANumber.text
      let value: Any =
        if isNotANumber, let none = NotANumber.value(T.self) { none } else { try container.decode(T.self, forKey: key) }
      // An attribute's type is sendable. A cast cannot test that, because it has no part at run time. Without `as Any`,
      // the call would be generic over the type of the value.
      return unsafeBitCast(value as Any, to: (any Sendable).self)
    }
    self.init(
      try Model._$definition.layout.columns.compactMap { property in
        let key = DataStoreSnapshotCodingKey.modeledProperty(property.name)
        guard container.contains(key), case .attribute(let type) = property.kind,
          let decodable = type as? any Decodable.Type, let keyPath = property.path(of: Model.self)
        else { return nil }
        return (keyPath: keyPath, value: try value(decodable, key))
      })
  }

  /// Encodes the values.
  ///
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    for (keyPath, value) in zip(keyPaths, values) {
      guard let property = Model._$definition.layout.property(for: keyPath), let value = value as? any Encodable
      else { continue }
      let key = DataStoreSnapshotCodingKey.modeledProperty(property.name)
      if let decimal = value as? Decimal, decimal.isNaN {
        try container.encode(NotANumber.text, forKey: key)
      } else {
        try container.encode(value, forKey: key)
      }
    }
  }
}

import Foundation

/// Reads the slots of a row out of any backing data, by key path.
struct BackingDataReader<Model: PersistentModel>: RowReader {
  let backingData: any BackingData<Model>
  let layout: ModelLayout
  let identifier: PersistentIdentifier

  init(backingData: any BackingData<Model>, layout: ModelLayout) {
    self.backingData = backingData
    self.layout = layout
    self.identifier =
      backingData.persistentModelID ?? Model._$definition.temporaryIdentifier()
  }

  mutating func codable<T: Codable>(_ slot: Int) throws -> T {
    let property = layout.columns[slot]
    // Where the field may be empty, its type is the optional of the property's.
    func open<W>(_: W.Type) -> T? {
      guard let keyPath = property.keyPath as? KeyPath<Model, W>,
        let decodable = W.self as? any Decodable.Type
      else { return nil }
      func get<D: Decodable>(_: D.Type) -> T? {
        (keyPath as? KeyPath<Model, D>).flatMap { backingData.getValue(forKey: $0) as? T }
      }
      return _openExistential(decodable, do: get)
    }
    if let optional = T.self as? any OptionalValue.Type, !property.isOptional,
      let value = _openExistential(optional.wrappedType, do: open)
    {
      return value
    }
    return try backingData.getValue(forKey: keyPath(property) as KeyPath<Model, T>)
  }

  mutating func transformed<T>(
    _ slot: Int, by transformer: TransformerReference
  ) throws -> T {
    let property = layout.columns[slot]
    func open<W>(_: W.Type) -> T? {
      (property.keyPath as? KeyPath<Model, W>)
        .flatMap { backingData.getTransformableValue(forKey: $0) as? T }
    }
    if let optional = T.self as? any OptionalValue.Type, !property.isOptional,
      let value = _openExistential(optional.wrappedType, do: open)
    {
      return value
    }
    return try backingData.getTransformableValue(forKey: keyPath(property) as KeyPath<Model, T>)
  }

  mutating func reference(_ slot: Int) throws -> PersistentIdentifier? {
    let property = layout.columns[slot]
    guard case .toOne(let type, let isOptional) = property.kind else { return nil }
    func open<Other: PersistentModel>(_: Other.Type) throws -> PersistentIdentifier? {
      if isOptional {
        let path: KeyPath<Model, Other?> = try keyPath(property)
        return backingData.getValue(forKey: path)?.persistentModelID
      }
      let path: KeyPath<Model, Other> = try keyPath(property)
      return backingData.getValue(forKey: path).persistentModelID
    }
    return try open(type)
  }

  mutating func references(_ slot: Int) throws -> [PersistentIdentifier]? {
    let property = layout.lists[slot]
    guard case .toMany(let type, let isOptional) = property.kind else { return nil }
    func open<Other: PersistentModel>(_: Other.Type) throws -> [PersistentIdentifier]? {
      if isOptional {
        let path: KeyPath<Model, [Other]?> = try keyPath(property)
        return backingData.getValue(forKey: path)?.map(\.persistentModelID)
      }
      let path: KeyPath<Model, [Other]> = try keyPath(property)
      return backingData.getValue(forKey: path).map(\.persistentModelID)
    }
    return try open(type)
  }

  private func keyPath<T>(_ property: ModelProperty) throws -> KeyPath<Model, T> {
    guard let keyPath = property.keyPath as? KeyPath<Model, T> else {
      throw SwiftDataError.unsupportedKeyPath.explained(
        "'\(Model.self).\(property.name)' is not of type '\(T.self)'")
    }
    return keyPath
  }
}

/// Optional arrays of models are relationships, too.
extension Optional: RelationshipCollection where Wrapped: RelationshipCollection {
  /// The model of the members.
  public typealias PersistentElement = Wrapped.PersistentElement
}

extension SnapshotBuffer {
  /// A buffer of one with the values of any backing data.
  package static func row(of backingData: any BackingData) -> SnapshotBuffer {
    func open<B: BackingData>(_ backingData: B) -> SnapshotBuffer {
      if let buffer = (backingData as? any SnapshotBacked)?.snapshotBatch, buffer.count > 0 {
        return buffer
      }
      let definition = B.Model._$definition
      let buffer = definition.codec.makeBuffer(capacity: 1)
      let reader = BackingDataReader<B.Model>(
        backingData: backingData, layout: definition.layout)
      try? definition.codec.read(reader, into: buffer)
      if buffer.count == 0 {
        definition.codec.addPlaceholder(reader.identifier, to: buffer)
      }
      return buffer
    }
    return open(backingData)
  }
}

extension ModelDefinition {
  /// The typed values inside a model's backing data.
  public func values<M: PersistentModel, S: ModelSnapshot>(
    of backingData: any BackingData<M>
  ) -> S {
    if let buffer = (backingData as? any SnapshotBacked)?.snapshotBatch as? TypedBuffer<S>,
      let values = buffer.first
    {
      return values
    }
    var values = S(placeholder: backingData.persistentModelID ?? temporaryIdentifier())
    var row = StatementRow(BackingDataReader(backingData: backingData, layout: layout))
    if let read = try? S.read(&row) { values = read }
    return values
  }
}

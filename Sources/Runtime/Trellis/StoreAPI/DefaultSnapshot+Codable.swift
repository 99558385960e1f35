extension DefaultSnapshot {
  /// Decodes a snapshot that ``encode(to:)`` encoded.
  ///
  /// The encoded entity name determines the model. Within a call of a store, models are looked up in the schema of the
  /// container; elsewhere, set `decoder.userInfo[.schema]`.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if the schema does not contain the entity. `DecodingError` if a
  ///   property without default value is missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    let identifier = try container.decode(
      PersistentIdentifier.self, forKey: .persistentIdentifier)
    let definition = try SchemaScope.definition(
      named: identifier.entityName, userInfo: decoder.userInfo)
    let buffer = definition.codec.makeBuffer(capacity: 1)
    let reader = SnapshotFieldReader(
      container: container, definition: definition, identifier: identifier)
    try definition.codec.read(reader, into: buffer)
    self.init(buffer: buffer, index: 0)
  }

  /// Encodes the identifier and the values by property name.
  ///
  /// The encoder determines the format of dates. Nil values and to-many relationships that were not loaded are left
  /// out.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if the snapshot has no model definition, and errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    guard let definition = buffer.definition else { throw SwiftDataError.unknownSchema }
    let identifier = persistentIdentifier
    let writer = SnapshotFieldWriter(
      container: encoder.container(keyedBy: DataStoreSnapshotCodingKey.self),
      layout: definition.layout, remapping: remapping)
    try writer.container.encode(
      remapping?.resolve(identifier) ?? identifier, forKey: .persistentIdentifier)
    try buffer.write(index, to: writer)
  }
}

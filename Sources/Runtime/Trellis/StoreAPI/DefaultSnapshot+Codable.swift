extension DefaultSnapshot {
  /// Reads a snapshot that was encoded by ``encode(to:)``.
  ///
  /// The entity's name says which model it is of. Inside a call of a store the models are those of
  /// the container; elsewhere set `decoder.userInfo[.schema]`.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` when the model is not known, `DecodingError` when a
  ///   property without default value is missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    let identifier = try container.decode(
      PersistentIdentifier.self, forKey: .persistentIdentifier)
    let definition = try SchemaScope.definition(
      named: identifier.entityName, userInfo: decoder.userInfo)
    let batch = definition.codec.makeBatch(capacity: 1)
    let reader = SnapshotFieldReader(
      container: container, definition: definition, identifier: identifier)
    try definition.codec.read(reader, into: batch)
    self.init(batch: batch, index: 0)
  }

  /// Writes the identifier and the values by property name, dates as the coder is told to.
  ///
  /// Nil is left out, and so are to-many relationships that were not loaded.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    guard let definition = batch.definition else { throw SwiftDataError.unknownSchema }
    let identifier = persistentIdentifier
    let writer = SnapshotFieldWriter(
      container: encoder.container(keyedBy: DataStoreSnapshotCodingKey.self),
      layout: definition.layout, remapping: remapping)
    try writer.container.encode(
      remapping?.resolve(identifier) ?? identifier, forKey: .persistentIdentifier)
    try batch.write(index, to: writer)
  }
}

extension PersistentModel {
  /// Returns the model's values, which are read without recording an observation access.
  package func capturedRow() -> SnapshotBuffer {
    let codec = type(of: self)._$definition.codec
    let buffer = codec.makeBuffer(capacity: 1)
    codec.capture(self, into: buffer)
    return buffer
  }
}

/// Optional arrays of models are relationships as well.
extension Optional: RelationshipCollection where Wrapped: RelationshipCollection {
  /// The member model.
  public typealias PersistentElement = Wrapped.PersistentElement
}

extension SnapshotBuffer {
  /// Returns a one-row buffer with the backing data's values.
  package static func row(of backingData: any BackingData) -> SnapshotBuffer {
    if let own = backingData as? any SnapshotBacked { return own.snapshotBatch }
    return placeholder(for: backingData)
  }

  /// Returns placeholder values for a foreign backing data type, because callers cannot throw an error.
  private static func placeholder<Values: BackingData>(for foreign: Values) -> SnapshotBuffer {
    let definition = Values.Model._$definition
    let identifier = foreign.persistentModelID ?? definition.temporaryIdentifier()
    let reason = "'\(Values.self)' is not a backing data type of Trellis: only models and stores provide one"
    ModelIssue.unreadableModels(identifier, count: 1, reason: reason).report()
    let buffer = definition.codec.makeBuffer(capacity: 1)
    definition.codec.addPlaceholder(identifier, to: buffer)
    return buffer
  }
}

extension ModelDefinition {
  /// Returns the typed values in a model's backing data.
  public func values<M: PersistentModel, S: ModelSnapshot>(
    of backingData: any BackingData<M>
  ) -> S {
    (SnapshotBuffer.row(of: backingData) as? TypedBuffer<S>)?.first
      ?? S(placeholder: backingData.persistentModelID ?? temporaryIdentifier())
  }
}

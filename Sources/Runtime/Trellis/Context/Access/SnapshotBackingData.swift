import Foundation

/// Backing data for a live model or for detached values.
struct SnapshotBackingData<Model: PersistentModel>: BackingData, SnapshotBacked {
  private let model: Model
  /// True if the model only stores values and related models do not refer back to it.
  private let isDetached: Bool

  /// Creates a view of a live model. Reads and writes involve the model's context and observers.
  init(model: Model) {
    self.model = model
    isDetached = false
  }

  /// Creates values that do not belong to a model yet.
  init(for modelType: Model.Type) {
    let definition = modelType._$definition
    model = definition.codec.placeholder(definition.temporaryIdentifier(), as: Model.self)
    isDetached = true
  }

  /// Creates values from a row. Related models are placeholders with identifiers.
  init?(_ buffer: SnapshotBuffer, _ index: Int) {
    guard let model = buffer.makeModel(index) as? Model else { return nil }
    self.model = model
    isDetached = true
    for relation in Model._$definition.relations.all {
      let codec = relation.destination.codec
      if relation.isToMany, let members = buffer.references(index, relation.slot) {
        let objects = members.map { codec.makePlaceholder($0) as AnyObject }
        model.side.links.setList(relation.slot, codec.makeList(stored: objects[...]))
      } else if !relation.isToMany, let identifier = buffer.reference(index, relation.slot) {
        model.side.links.setTarget(relation.slot, codec.makePlaceholder(identifier))
      }
    }
  }

  var snapshotBatch: SnapshotBuffer {
    let row = model.capturedRow()
    guard isDetached else { return row }
    for relation in Model._$definition.relations.toMany {
      row.setReferences(0, relation.slot, model.side.links.list(relation.slot)?.identifiers)
    }
    return row
  }

  var persistentModelID: PersistentIdentifier? {
    get { model._$identifier }
    set { model._$adopt(newValue ?? Model._$definition.temporaryIdentifier()) }
  }

  /// The model's runtime definition.
  var metadata: Any { Model._$definition }

  // MARK: attributes

  func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value { model.getValue(forKey: forKey) }

  mutating func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value) {
    model.setValue(forKey: forKey, to: newValue)
  }

  func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value {
    model.getTransformableValue(forKey: forKey)
  }

  mutating func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) {
    model.setTransformableValue(forKey: forKey, to: newValue)
  }

  // MARK: relationships

  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value { model.getValue(forKey: forKey) }
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value? { model.getValue(forKey: forKey) }

  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    model.getValue(forKey: forKey)
  }

  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    model.getValue(forKey: forKey)
  }

  mutating func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>, to newValue: Value) {
    if isDetached { link(forKey, newValue) } else { model.setValue(forKey: forKey, to: newValue) }
  }

  mutating func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>, to newValue: Value?) {
    if isDetached { link(forKey, newValue) } else { model.setValue(forKey: forKey, to: newValue) }
  }

  mutating func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setMembers(forKey, to: newValue)
  }

  mutating func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setMembers(forKey, to: newValue)
  }

  private func setMembers<Value: RelationshipCollection>(_ keyPath: KeyPath<Model, Value>, to newValue: Value) {
    guard isDetached else { return model.setValue(forKey: keyPath, to: newValue) }
    guard let slot = slot(keyPath) else { return }
    let members = newValue as? [Value.PersistentElement]
    let codec = Value.PersistentElement._$definition.codec
    model.side.links.setList(slot, members.map { codec.makeList(stored: ($0 as [AnyObject])[...]) })
  }

  private func link(_ keyPath: PartialKeyPath<Model>, _ other: (any PersistentModel)?) {
    guard let slot = slot(keyPath) else { return }
    Model._$definition.codec.setReference(slot, of: model, to: other?.persistentModelID)
    model.side.links.setTarget(slot, other)
  }

  private func slot(_ keyPath: PartialKeyPath<Model>) -> Int? { Model._$definition.layout.property(for: keyPath)?.slot }
}

extension SnapshotBuffer {
  /// Returns a row as backing data, for custom snapshot types.
  package func makeBackingData(_ index: Int) -> (any BackingData)? {
    guard let type = definition?.modelType else { return nil }
    func open<M: PersistentModel>(_: M.Type) -> (any BackingData)? { SnapshotBackingData<M>(self, index) }
    return open(type)
  }
}

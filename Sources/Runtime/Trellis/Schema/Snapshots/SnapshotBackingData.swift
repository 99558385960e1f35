import Foundation

/// Backing data over our typed values: those of a live model, or a row that belongs to none.
struct SnapshotBackingData<Model: PersistentModel>: BackingData, SnapshotBacked {
  private enum Source {
    /// Reads and writes go to the model, its context and its observers.
    case model(Model)
    case row(SnapshotBuffer)
  }

  private var source: Source
  /// Relationships set on a row without a model.
  private var links: [AnyKeyPath: Any] = [:]
  /// Finds the models a row refers to; without it they are placeholders that know who they are.
  var resolve: ((PersistentIdentifier, ModelDefinition) -> (any PersistentModel)?)?

  /// The storage of a live model.
  init(model: Model) { source = .model(model) }

  /// Values that belong to no model yet.
  init(for modelType: Model.Type) {
    let codec = modelType._$definition.codec
    let buffer = codec.makeBuffer(capacity: 1)
    codec.capture(
      codec.makePlaceholder(modelType._$definition.temporaryIdentifier()), into: buffer)
    source = .row(buffer)
  }

  /// The first row of a buffer.
  init(
    row: SnapshotBuffer,
    resolve: ((PersistentIdentifier, ModelDefinition) -> (any PersistentModel)?)? = nil
  ) {
    source = .row(row)
    self.resolve = resolve
  }

  var snapshotBatch: SnapshotBuffer {
    switch source {
    case .row(let buffer): return buffer
    case .model(let model): return model.capturedRow()
    }
  }

  /// The live model; nil for values that belong to none.
  private var model: Model? { if case .model(let model) = source { model } else { nil } }

  var persistentModelID: PersistentIdentifier? {
    get {
      switch source {
      case .model(let model): model._$identifier
      case .row(let buffer): buffer.identifier(0)
      }
    }
    set {
      let identifier = newValue ?? Model._$definition.temporaryIdentifier()
      switch source {
      case .model(let model): model._$adopt(identifier)
      case .row(let buffer):
        let copy = buffer.copy(0)
        copy.setIdentifier(0, identifier)
        source = .row(copy)
      }
    }
  }

  /// The runtime's table of the model.
  var metadata: Any { Model._$definition }

  // MARK: attributes

  func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value {
    if let model { return model.getValue(forKey: forKey) }
    return attribute(forKey) ?? Placeholder.make()
  }

  mutating func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value) {
    if let model { return model.setValue(forKey: forKey, to: newValue) }
    setAttribute(forKey, to: newValue)
  }

  func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value {
    switch source {
    case .model(let model): return model.getTransformableValue(forKey: forKey)
    case .row:
      if let value = attribute(forKey) { return value }
      return NilLiteral.value(Value.self) ?? placeholderModel()[keyPath: forKey]
    }
  }

  mutating func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) {
    if let model { return model.setTransformableValue(forKey: forKey, to: newValue) }
    setAttribute(forKey, to: newValue)
  }

  private func attribute<Value>(_ keyPath: KeyPath<Model, Value>) -> Value? {
    guard case .row(let buffer) = source,
      let slot = Model._$definition.layout.property(for: keyPath)?.slot, slot >= 0
    else { return nil }
    let value = buffer.value(0, column: slot)
    if let boxed = value as? Unchecked<Value> { return boxed.value }
    if let boxed = value as? Unchecked<Value?> { return boxed.value }
    return value as? Value ?? (value == nil ? NilLiteral.value(Value.self) : nil)
  }

  private mutating func setAttribute<Value>(_ keyPath: KeyPath<Model, Value>, to value: Value) {
    guard case .row(let buffer) = source,
      let property = Model._$definition.layout.property(for: keyPath), property.slot >= 0,
      let copy = try? buffer.replacing(0, property: property, with: value)
    else { return }
    source = .row(copy)
  }

  // MARK: relationships

  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value {
    switch source {
    case .model(let model): return model.getValue(forKey: forKey)
    case .row(let buffer):
      if let link = links[forKey], let linked = link as? Value { return linked }
      return model(slot(forKey).flatMap { buffer.reference(0, $0) })
    }
  }

  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value? {
    switch source {
    case .model(let model): return model.getValue(forKey: forKey)
    case .row(let buffer):
      if let link = links[forKey], let linked = link as? Value { return linked }
      guard let identifier = slot(forKey).flatMap({ buffer.reference(0, $0) }) else { return nil }
      return model(identifier)
    }
  }

  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    switch source {
    case .model(let model): return model.getValue(forKey: forKey)
    case .row(let buffer):
      if let link = links[forKey], let linked = link as? Value { return linked }
      let members = slot(forKey).flatMap { buffer.references(0, $0) } ?? []
      let models = members.map { model($0) as OtherModel }
      // Arrays and optional arrays are all there is.
      return models as? Value ?? placeholderModel()[keyPath: forKey]
    }
  }

  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    members(forKey)
  }

  /// Picks the overload for collections of models.
  private func members<Value: RelationshipCollection>(_ keyPath: KeyPath<Model, Value>) -> Value {
    getValue(forKey: keyPath)
  }

  mutating func setValue<Value: PersistentModel>(
    forKey: KeyPath<Model, Value>, to newValue: Value
  ) {
    if let model { return model.setValue(forKey: forKey, to: newValue) }
    link(forKey, newValue, to: newValue.persistentModelID)
  }

  mutating func setValue<Value: PersistentModel>(
    forKey: KeyPath<Model, Value?>, to newValue: Value?
  ) {
    if let model { return model.setValue(forKey: forKey, to: newValue) }
    link(forKey, newValue, to: newValue?.persistentModelID)
  }

  mutating func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    switch source {
    case .model(let model): model.setValue(forKey: forKey, to: newValue)
    case .row(let buffer):
      links[forKey] = newValue
      guard let slot = slot(forKey) else { return }
      let copy = buffer.copy(0)
      copy.setReferences(
        0, slot, (newValue as? [OtherModel])?.map(\.persistentModelID))
      source = .row(copy)
    }
  }

  mutating func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setMembers(forKey, to: newValue)
  }

  /// Picks the overload for collections of models.
  private mutating func setMembers<Value: RelationshipCollection>(
    _ keyPath: KeyPath<Model, Value>, to newValue: Value
  ) {
    setValue(forKey: keyPath, to: newValue)
  }

  private mutating func link(
    _ keyPath: PartialKeyPath<Model>, _ value: Any?, to identifier: PersistentIdentifier?
  ) {
    guard case .row(let buffer) = source, let slot = slot(keyPath) else { return }
    links[keyPath] = value
    let copy = buffer.copy(0)
    copy.setReference(0, slot, identifier)
    source = .row(copy)
  }

  private func slot(_ keyPath: PartialKeyPath<Model>) -> Int? {
    Model._$definition.layout.property(for: keyPath)?.slot
  }

  /// The model a row refers to.
  private func model<Other: PersistentModel>(_ identifier: PersistentIdentifier?) -> Other {
    let definition = Other._$definition
    if let identifier, let found = resolve?(identifier, definition) as? Other { return found }
    return definition.codec.placeholder(
      identifier ?? definition.temporaryIdentifier(), as: Other.self)
  }

  private func placeholderModel() -> Model {
    let definition = Model._$definition
    return definition.codec.placeholder(
      persistentModelID ?? definition.temporaryIdentifier(), as: Model.self)
  }
}

extension SnapshotBuffer {
  /// One row as backing data, for snapshots of a store's own type.
  package func makeBackingData(_ index: Int) -> (any BackingData)? {
    guard let type = definition?.modelType else { return nil }
    let row = copy(index)
    func open<M: PersistentModel>(_: M.Type) -> any BackingData { SnapshotBackingData<M>(row: row) }
    return open(type)
  }
}

extension PersistentModel {
  /// The values of this model, read without notifying anyone.
  func capturedRow() -> SnapshotBuffer {
    let codec = type(of: self)._$definition.codec
    let buffer = codec.makeBuffer(capacity: 1)
    codec.capture(self, into: buffer)
    return buffer
  }
}

/// Optional arrays of models are relationships, too.
extension Optional: RelationshipCollection where Wrapped: RelationshipCollection {
  /// The model of the members.
  public typealias PersistentElement = Wrapped.PersistentElement
}

extension SnapshotBuffer {
  /// A buffer of one with the values of backing data.
  package static func row(of backingData: any BackingData) -> SnapshotBuffer {
    if let own = backingData as? any SnapshotBacked { return own.snapshotBatch }
    return placeholder(for: backingData)
  }

  /// What stands for values of a foreign type, which no caller can refuse with an error.
  private static func placeholder<Values: BackingData>(for foreign: Values) -> SnapshotBuffer {
    let definition = Values.Model._$definition
    let identifier = foreign.persistentModelID ?? definition.temporaryIdentifier()
    let reason = "'\(Values.self)' is no backing data of Trellis: only models and stores provide it"
    ModelIssue.unreadableModels(identifier, count: 1, reason: reason).report()
    let buffer = definition.codec.makeBuffer(capacity: 1)
    definition.codec.addPlaceholder(identifier, to: buffer)
    return buffer
  }
}

extension ModelDefinition {
  /// The typed values inside a model's backing data.
  public func values<M: PersistentModel, S: ModelSnapshot>(
    of backingData: any BackingData<M>
  ) -> S {
    (SnapshotBuffer.row(of: backingData) as? TypedBuffer<S>)?.first
      ?? S(placeholder: backingData.persistentModelID ?? temporaryIdentifier())
  }
}

/// The in-memory storage behind one model, reached by key path.
///
/// Generated models keep typed values and reach them without this protocol; it exists for
/// hand-written snapshots, which are made from it, and for SwiftData's `init(backingData:)`.
public protocol BackingData<Model> {
  /// The model whose values these are.
  associatedtype Model: PersistentModel

  /// Storage for a new model, with the defaults of the schema.
  init(for modelType: Model.Type)
  /// The identifier of the model; nil before it has one.
  var persistentModelID: PersistentIdentifier? { get set }
  /// What the conforming type knows beyond the values.
  var metadata: Any { get }

  /// The value of an attribute.
  func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value
  /// The model a required to-one relationship leads to.
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value
  /// The model a to-one relationship leads to.
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value?
  /// The members of a to-many relationship.
  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// The members of a to-many relationship whose models are `Decodable`.
  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement

  /// Replaces the value of an attribute.
  mutating func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value)
  /// Replaces the model a required to-one relationship leads to.
  mutating func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  /// Replaces the model a to-one relationship leads to.
  mutating func setValue<Value: PersistentModel>(
    forKey: KeyPath<Model, Value?>, to newValue: Value?)
  /// Replaces the members of a to-many relationship.
  mutating func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// Replaces the members of a to-many relationship whose models are `Encodable`.
  mutating func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement

  /// The value of an attribute that passes through a transformer.
  func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value
  /// Replaces the value of an attribute that passes through a transformer.
  mutating func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)
}

/// A collection of related models: arrays, and optional arrays.
public protocol RelationshipCollection {
  /// The model of the members.
  associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
  /// The model of the members.
  public typealias PersistentElement = Element
}

/// Backing data that is a snapshot of ours.
protocol SnapshotBacked {
  var snapshotBatch: SnapshotBuffer { get }
}

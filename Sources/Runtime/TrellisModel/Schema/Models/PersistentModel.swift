import Foundation
public import Observation

/// A class whose instances a store keeps. The schema compiler writes every conformance.
///
/// Models belong to the ``ModelContext`` they were inserted into or fetched by and stay in its
/// isolation; pass a ``PersistentIdentifier`` or a snapshot across, never a model.
///
/// Members that begin with `_$` are written and called by generated code only.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  /// The root class of an inheritance chain; the model itself when it inherits from no model.
  associatedtype Root: PersistentModel = Self

  /// Makes a model from the in-memory storage of another one or of a store.
  init(backingData: any BackingData<Self>)

  /// What the schema says of the stored properties, in declaration order, inherited ones first.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }

  /// The runtime's table of the model: entity name, columns, key paths and codec.
  static var _$definition: ModelDefinition { get }

  /// Owner, observation and change tracking of this instance.
  var _$state: ModelState { get set }

  /// The identifier, in the stored values.
  var _$identifier: PersistentIdentifier { get }

  /// Puts another identifier into the stored values. A function and not a setter, which every model
  /// would have a coroutine for.
  func _$adopt(_ identifier: PersistentIdentifier)
}

extension PersistentModel {
  /// The identity of this model: temporary until the first save, permanent from then on.
  public var persistentModelID: PersistentIdentifier { _$identifier }

  /// The same as ``persistentModelID``.
  public var id: PersistentIdentifier { _$identifier }

  /// Models are equal when they are the same object.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs === rhs }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The in-memory storage behind one model, reached by key path.
///
/// Generated models keep typed values and reach them without this protocol; it exists for
/// hand-written snapshots, which are made from it, and for SwiftData's `init(backingData:)`. Models and stores provide
/// it; programs do not conform to it.
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
package protocol SnapshotBacked {
  var snapshotBatch: SnapshotBuffer { get }
}

/// Tells whether code is running inside `withObservationTracking`.
///
/// Observation has no public function for this, but its registrar hashes the key path of an access
/// only inside `withObservationTracking`. The probe's key path has a subscript argument that sets a flag when
/// it is hashed. A test watches that this stays true. One probe a context, and one a thread for models
/// without one.
@usableFromInline package final class TrackingProbe: Observable {
  package struct Key: Hashable, @unchecked Sendable {  // used in the isolation of its context only
    let flag: UnsafeMutablePointer<Bool>

    package static func == (lhs: Key, rhs: Key) -> Bool { lhs.flag == rhs.flag }

    package func hash(into hasher: inout Hasher) { flag.pointee = true }
  }

  /// Which thread uses the context.
  package let occupancy = ContextOccupancy()
  private let registrar = ObservationRegistrar()
  private let flag: UnsafeMutablePointer<Bool>
  private let path: KeyPath<TrackingProbe, Int>

  subscript(key: Key) -> Int { 0 }

  package init() {
    flag = .allocate(capacity: 1)
    flag.initialize(to: false)
    path = \TrackingProbe.[Key(flag: flag)]
  }

  deinit { flag.deallocate() }

  /// Whether a model of the context was ever deleted or dropped, so that lists may name some that are
  /// not to be seen.
  @exclusivity(unchecked) package var hasUnusableModels = false

  /// True if each write has to be reported: to an undo manager, autosave, results observers or an
  /// index of pending values.
  @exclusivity(unchecked) package var hasListeners = false

  /// How many models were fetched without some of their values.
  @exclusivity(unchecked) package var incompleteModels = 0

  /// True if a read has to be reported to the model first.
  @usableFromInline var isTracking: Bool {
    #if DEBUG
      if occupancy.isDisputed { return true }
    #endif
    return incompleteModels > 0 || isObserved
  }

  /// Whether the read is inside `withObservationTracking`.
  package var isObserved: Bool {
    flag.pointee = false
    registrar.access(self, keyPath: path)
    return flag.pointee
  }
}

/// What the library keeps for a thread; made when the thread first needs it.
final class ThreadState {
  /// For models without a context.
  private let probe = TrackingProbe()
  /// How many models are being released, each by the one before; see ``ChainRelease``.
  var releaseDepth = 0
  var waitingLinks: [ModelLinks] = []

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { state in
      guard let state = state as UnsafeMutableRawPointer? else { return }
      Unmanaged<ThreadState>.fromOpaque(state).release()
    }
    return key
  }()

  static var current: ThreadState {
    if let known = pthread_getspecific(key) { return Unmanaged<ThreadState>.fromOpaque(known).takeUnretainedValue() }
    let state = ThreadState()
    pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
    return state
  }

  static var isTracking: Bool { current.probe.isTracking }
}

// MARK: Generated code

/// Names the generation of generated code this library works with, and holds what only generated code
/// calls.
///
/// Each generated file refers to it. When it is not found, the generator and the library are of
/// different versions: update the package and build again.
@_documentation(visibility: private)
public enum GeneratedCode1 {
  /// Marks an attribute of a subclass as initialised; takes no room.
  @frozen public struct Token: Sendable {
    @inlinable public init() {}
  }

  /// Fails to compile when a type a schema stores cannot be stored.
  ///
  /// Generated code calls it at the position of the property in the schema.
  @inlinable public static func requireCodable<T: Codable, S: Sendable>(_ type: T.Type, _ same: S.Type) {}

  // MARK: Isolation

  // Default values, key paths and conformances of a program are isolated to the main actor if a model or the whole
  // target is. Contexts of other actors need them as well. These functions call such code wherever they are called.

  /// The result of a function that the main actor may isolate.
  public static func unisolated<T>(_ body: @escaping @MainActor () -> T) -> T { unisolatedFunction(body)() }

  /// A function without isolation.
  public static func unisolatedFunction<T>(_ body: @escaping @MainActor () -> T) -> @Sendable () -> T {
    unsafeBitCast(body, to: (@Sendable () -> T).self)
  }

  /// Reads a value with conformances that the main actor may isolate.
  ///
  /// - Throws: The error of the function.
  public static func read<T, Failure: Error>(
    _ row: inout StatementRow, _ body: @escaping @MainActor (inout StatementRow) throws(Failure) -> T
  ) throws(Failure) -> T {
    try unsafeBitCast(body, to: ((inout StatementRow) throws(Failure) -> T).self)(&row)
  }

  /// Writes a value with conformances that the main actor may isolate.
  ///
  /// - Throws: The error of the function.
  public static func write<T>(
    _ row: inout StatementBinder, _ value: T, _ body: @escaping @MainActor (inout StatementBinder, T) throws -> Void
  ) throws {
    try unsafeBitCast(body, to: ((inout StatementBinder, T) throws -> Void).self)(&row, value)
  }
}

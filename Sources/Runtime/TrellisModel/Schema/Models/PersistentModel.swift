import Foundation
public import Observation

/// A class whose instances are stored. The schema compiler generates every conformance.
///
/// A model belongs to the ``ModelContext`` that inserted or fetched it and must remain in the same isolation. To cross
/// isolations, pass a ``PersistentIdentifier`` or a snapshot, never a model.
///
/// Generic code accepts any model:
///
/// ```swift
/// func isEmpty<T: PersistentModel>(_ type: T.Type) throws -> Bool {
///   try context.fetchCount(FetchDescriptor<T>()) == 0
/// }
/// if try isEmpty(Trip.self) { print("Plan your first trip") }
/// ```
///
/// Members that begin with `_$` are implemented and called only by generated code.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  /// The inheritance chain's root class; the model itself if it inherits from no model.
  associatedtype Root: PersistentModel = Self

  /// Creates a model from in-memory storage provided by a model or a store.
  init(backingData: any BackingData<Self>)

  /// The schema's metadata for the stored properties, in declaration order, with inherited properties first.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }

  /// The model's run-time definition: entity name, columns, key paths and codec.
  static var _$definition: ModelDefinition { get }

  /// This instance's owner, observation and change tracking.
  var _$state: ModelState { get set }

  /// The identifier in the stored values.
  var _$identifier: PersistentIdentifier { get }

  /// Replaces the identifier in the stored values. A function instead of a setter, because a setter would add a
  /// coroutine to every model.
  func _$adopt(_ identifier: PersistentIdentifier)
}

extension PersistentModel {
  /// The model's identifier: temporary until the first save, permanent afterwards.
  public var persistentModelID: PersistentIdentifier { _$identifier }

  /// Equal to ``persistentModelID``.
  public var id: PersistentIdentifier { _$identifier }

  /// Returns true if both models are the same object.
  ///
  /// Each context has a separate object for a row. Compare models from different contexts by identifier:
  ///
  /// ```swift
  /// let copy = ModelContext(container).model(for: trip.persistentModelID) as? Trip
  /// copy == trip  // false
  /// copy?.persistentModelID == trip.persistentModelID  // true
  /// ```
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs === rhs }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A model's in-memory storage, accessed by key path.
///
/// Generated models use typed values and bypass this protocol. It exists for handwritten snapshots, which are created
/// from it, and for SwiftData's `init(backingData:)`. Models and stores provide conforming types; apps do not conform
/// to it.
///
/// The initializer of a custom ``DataStoreSnapshot`` casts the storage to the model and reads the values:
///
/// ```swift
/// func title(of backingData: any BackingData) -> String? {
///   switch backingData {
///   case let item as any BackingData<BucketListItem>: item.getValue(forKey: \.title)
///   case let trip as any BackingData<Trip>: trip.getValue(forKey: \.name)
///   default: nil
///   }
/// }
/// ```
public protocol BackingData<Model> {
  /// The model that the values belong to.
  associatedtype Model: PersistentModel

  /// Creates storage for a new model, with the schema's default values.
  init(for modelType: Model.Type)
  /// The model's identifier. Assign nil to replace it with a new temporary identifier.
  var persistentModelID: PersistentIdentifier? { get set }
  /// Additional information about the conforming type.
  var metadata: Any { get }

  /// Returns an attribute's value.
  func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value
  /// Returns a required to-one relationship's destination.
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value
  /// Returns a to-one relationship's destination.
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value?
  /// Returns a to-many relationship's members.
  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// Returns the members of a to-many relationship whose models are `Decodable`.
  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement

  /// Replaces an attribute's value.
  mutating func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value)
  /// Replaces a required to-one relationship's destination.
  mutating func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  /// Replaces a to-one relationship's destination.
  mutating func setValue<Value: PersistentModel>(
    forKey: KeyPath<Model, Value?>, to newValue: Value?)
  /// Replaces a to-many relationship's members.
  mutating func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// Replaces the members of a to-many relationship whose models are `Encodable`.
  mutating func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement

  /// Returns the value of a transformable attribute.
  func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value
  /// Replaces the value of a transformable attribute.
  mutating func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)
}

/// A collection of related models: arrays and optional arrays.
///
/// Generic code finds a to-many relationship's member model through this protocol:
///
/// ```swift
/// func memberEntity<Members: RelationshipCollection>(of list: KeyPath<Trip, Members>) -> String {
///   Schema.entityName(for: Members.PersistentElement.self)
/// }
/// print(memberEntity(of: \.bucketList))  // BucketListItem
/// ```
public protocol RelationshipCollection {
  /// The member model.
  associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
  /// The member model.
  public typealias PersistentElement = Element
}

/// Backing data that is a Trellis snapshot.
package protocol SnapshotBacked {
  var snapshotBatch: SnapshotBuffer { get }
}

/// Detects whether code is running inside `withObservationTracking`.
///
/// Observation has no public API for this, but its registrar hashes the key path of an access only inside
/// `withObservationTracking`. The probe's key path has a subscript argument that sets a flag when it is hashed. A test
/// verifies this behavior. There is one probe per context, and one per thread for models outside a context.
@usableFromInline package final class TrackingProbe: Observable {
  package struct Key: Hashable, @unchecked Sendable {  // used only in the context's isolation
    let flag: UnsafeMutablePointer<Bool>

    package static func == (lhs: Key, rhs: Key) -> Bool { lhs.flag == rhs.flag }

    package func hash(into hasher: inout Hasher) { flag.pointee = true }
  }

  /// The thread that uses the context.
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

  /// True if a model in the context was ever deleted or discarded, so that lists can contain models that must not be
  /// visible.
  @exclusivity(unchecked) package var hasUnusableModels = false

  /// True if every write must be reported to an undo manager, autosave, results observers or an index of pending
  /// values.
  @exclusivity(unchecked) package var hasListeners = false

  /// The number of models that were fetched with missing values.
  @exclusivity(unchecked) package var incompleteModels = 0

  /// True if a read must be reported to the model first.
  @usableFromInline var isTracking: Bool {
    #if DEBUG
      if occupancy.isDisputed { return true }
    #endif
    return incompleteModels > 0 || isObserved
  }

  /// True if the read is inside `withObservationTracking`.
  package var isObserved: Bool {
    flag.pointee = false
    registrar.access(self, keyPath: path)
    return flag.pointee
  }
}

/// The library's per-thread state, created on demand.
final class ThreadState {
  /// The probe for models outside a context.
  private let probe = TrackingProbe()
  /// The current nesting depth for model deallocations; see ``ChainRelease``.
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

/// Identifies the generation of generated code that this library supports, and contains functions that only generated
/// code calls.
///
/// Every generated file refers to this type. If the compiler does not find it, the generator and the library have
/// incompatible versions: update the package and build again.
@_documentation(visibility: private)
public enum GeneratedCode1 {
  /// Marks a subclass's attribute as initialized. Occupies no memory.
  @frozen public struct Token: Sendable {
    @inlinable public init() {}
  }

  /// Makes compilation fail if the schema uses a property type that cannot be stored.
  ///
  /// Generated code contains a call at the property's position in the schema.
  @inlinable public static func requireCodable<T: Codable, S: Sendable>(_ type: T.Type, _ same: S.Type) {}

  // MARK: Isolation

  // An app's default values, key paths and conformances are isolated to the main actor if a model or the whole target
  // is. Contexts on other actors need them as well. These functions call such code from any isolation.

  /// Returns the result of a function that may be isolated to the main actor.
  public static func unisolated<T>(_ body: @escaping @MainActor () -> T) -> T { unisolatedFunction(body)() }

  /// Returns the function as nonisolated.
  public static func unisolatedFunction<T>(_ body: @escaping @MainActor () -> T) -> @Sendable () -> T {
    unsafeBitCast(body, to: (@Sendable () -> T).self)
  }

  /// Reads a value with conformances that may be isolated to the main actor.
  ///
  /// - Throws: The function's error.
  public static func read<T, Failure: Error>(
    _ row: inout StatementRow, _ body: @escaping @MainActor (inout StatementRow) throws(Failure) -> T
  ) throws(Failure) -> T {
    try unsafeBitCast(body, to: ((inout StatementRow) throws(Failure) -> T).self)(&row)
  }

  /// Writes a value with conformances that may be isolated to the main actor.
  ///
  /// - Throws: The function's error.
  public static func write<T>(
    _ row: inout StatementBinder, _ value: T, _ body: @escaping @MainActor (inout StatementBinder, T) throws -> Void
  ) throws {
    try unsafeBitCast(body, to: ((inout StatementBinder, T) throws -> Void).self)(&row, value)
  }
}

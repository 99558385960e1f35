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

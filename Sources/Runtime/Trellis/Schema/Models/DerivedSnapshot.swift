/// The snapshot of a model that inherits from another one. Generated code conforms to it.
///
/// What is inherited and what is the model's own are two values; both are read and written by the names
/// of their properties:
///
/// ```swift
/// snapshot.company  // snapshot.own.company
/// snapshot.name     // snapshot.base.name
/// ```
@dynamicMemberLookup
public protocol DerivedSnapshot: ModelSnapshot {
  /// The snapshot of the model that is inherited from.
  associatedtype Base: ModelSnapshot
  /// What the model stores beyond that.
  associatedtype OwnValues: Sendable

  /// What is inherited.
  var base: Base { get set }
  /// What is not.
  var own: OwnValues { get set }
}

extension DerivedSnapshot {
  /// A property of the model's own.
  public subscript<Value>(dynamicMember path: WritableKeyPath<OwnValues, Value>) -> Value {
    get { own[keyPath: path] }
    set { own[keyPath: path] = newValue }
  }

  /// An inherited property.
  public subscript<Value>(dynamicMember path: WritableKeyPath<Base, Value>) -> Value {
    get { base[keyPath: path] }
    set { base[keyPath: path] = newValue }
  }
}

/// What a schema can hold for a model: an attribute, a relationship, an index or a constraint.
public protocol SchemaProperty: Codable, Hashable {
  /// The name of the property in Swift.
  var name: String { get set }
  /// The name in the previous version of the schema; ``name`` when it was not renamed.
  var originalName: String { get set }
  /// The type of the property in Swift.
  var valueType: any Any.Type { get set }
  /// Whether no two models may have the same value.
  var isUnique: Bool { get }
  /// Whether the property holds a value.
  var isAttribute: Bool { get }
  /// Whether the property refers to models.
  var isRelationship: Bool { get }
  /// Whether the value is never written to a store.
  var isTransient: Bool { get }
  /// Whether nil is a value.
  var isOptional: Bool { get }
}

extension SchemaProperty {
  /// False unless the property says otherwise.
  public var isAttribute: Bool { false }
  /// False unless the property says otherwise.
  public var isRelationship: Bool { false }
  public var isTransient: Bool { false }
  public var isOptional: Bool { valueType is any OptionalValue.Type }
}

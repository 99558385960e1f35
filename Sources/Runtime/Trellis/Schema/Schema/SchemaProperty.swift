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

/// The property by its class. A cast of Swift's takes a thousand instructions, comparing two types
/// takes ten, and nearly every property is of one of the two classes.
extension SchemaProperty {
  /// The property itself, if it is an attribute.
  var asAttribute: Schema.Attribute? {
    guard isAttribute else { return nil }
    guard Self.self == Schema.Attribute.self else { return self as? Schema.Attribute }
    return unsafeBitCast(self, to: Unmanaged<Schema.Attribute>.self).takeUnretainedValue()
  }

  /// The property itself, if it is a relationship.
  var asRelationship: Schema.Relationship? {
    guard isRelationship else { return nil }
    guard Self.self == Schema.Relationship.self else { return self as? Schema.Relationship }
    return unsafeBitCast(self, to: Unmanaged<Schema.Relationship>.self).takeUnretainedValue()
  }
}

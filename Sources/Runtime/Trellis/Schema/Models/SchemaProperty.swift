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

extension Schema {
  /// One entry of a model's `schemaMetadata`: a stored property, or a constraint of the model.
  public struct PropertyMetadata {
    // No initialiser is inlined: generated code calls one for each property of each model, and does so
    // once in a process.

    package let name: String
    /// Nil for a constraint.
    package let keypath: AnyKeyPath?
    /// The property from an optional of the model; nil if no reference leads to the model.
    let chain: AnyKeyPath?
    let defaultValue: Any?
    package let metadata: (any SchemaProperty)?

    /// Describes a stored property.
    ///
    /// - Parameters:
    ///   - name: the property's name in Swift.
    ///   - keypath: the property, spelled through the model class itself.
    ///   - chain: the property, spelled through an optional of the class. Sort orders over optional references need it.
    ///   - defaultValue: what the schema assigns to the property; nil when it assigns nothing.
    ///   - metadata: a ``Schema/Attribute`` or ``Schema/Relationship`` with what was written in
    ///     front of the property; nil for a property without annotation.
    @inline(never)
    public init(
      name: String, keypath: AnyKeyPath, chain: AnyKeyPath? = nil, defaultValue: Any? = nil,
      metadata: (any SchemaProperty)? = nil
    ) {
      self.name = name
      self.keypath = keypath
      self.chain = chain
      self.defaultValue = defaultValue
      self.metadata = metadata
    }

    /// Describes a stored property of which the schema says no more.
    @inline(never)
    public init(name: String, keypath: AnyKeyPath) {
      self.name = name
      self.keypath = keypath
      chain = nil
      self.defaultValue = nil
      self.metadata = nil
    }

    /// Describes a constraint of the model: a ``Schema/Unique`` or a ``Schema/Index``.
    ///
    /// SwiftData has no counterpart of this initialiser.
    @inline(never)
    public init(constraint: any SchemaProperty) {
      self.name = constraint.name
      self.keypath = nil
      chain = nil
      self.defaultValue = nil
      self.metadata = constraint
    }
  }
}

/// Uniqueness whose model type is not known.
protocol UniquenessConstraint {
  var propertyNames: [[String]] { get }
  var onConflict: Schema.ConflictPolicy { get }
}

/// Indices whose model type is not known.
protocol IndexConstraint {
  var definitions: [Schema.IndexKeys] { get }
}

extension String {
  /// Nil for the empty string.
  var nonEmpty: String? { isEmpty ? nil : self }
}

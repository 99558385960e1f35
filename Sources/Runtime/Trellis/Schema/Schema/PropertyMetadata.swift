extension Schema {
  /// One entry of a model's `schemaMetadata`: a stored property, or a constraint of the model.
  public struct PropertyMetadata {
    // No initialiser is inlined: generated code calls one for each property of each model, and does so
    // once in a process.

    package let name: String
    /// Nil for a constraint.
    package let keypath: AnyKeyPath?
    let defaultValue: Any?
    package let metadata: (any SchemaProperty)?

    /// Describes a stored property.
    ///
    /// - Parameters:
    ///   - name: the property's name in Swift.
    ///   - keypath: the property, spelled through the model class itself.
    ///   - defaultValue: what the schema assigns to the property; nil when it assigns nothing.
    ///   - metadata: a ``Schema/Attribute`` or ``Schema/Relationship`` with what was written in
    ///     front of the property; nil for a property without annotation.
    @inline(never)
    public init(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil,
      metadata: (any SchemaProperty)? = nil
    ) {
      self.name = name
      self.keypath = keypath
      self.defaultValue = defaultValue
      self.metadata = metadata
    }

    /// Describes a stored property of which the schema says no more.
    @inline(never)
    public init(name: String, keypath: AnyKeyPath) {
      self.name = name
      self.keypath = keypath
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
      self.defaultValue = nil
      self.metadata = constraint
    }
  }
}

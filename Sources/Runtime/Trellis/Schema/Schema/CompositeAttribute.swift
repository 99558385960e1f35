extension Schema {
  /// An attribute made of attributes: a struct declared in the schema.
  ///
  /// A schema made from model types derives the parts from the struct's placeholder value; a
  /// `Codable` type the schema does not declare stays one plain attribute.
  public final class CompositeAttribute: Attribute, @unchecked Sendable {  // as its superclass
    /// The attributes this one is made of, in declaration order.
    public var properties: [Attribute] = []

    /// An attribute made of others; ``properties`` starts empty.
    public override init(
      name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
      defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      super.init(
        name: name, originalName: originalName, options: options, valueType: valueType,
        defaultValue: defaultValue, hashModifier: hashModifier)
      properties = Self.parts(of: valueType)
      // Properties inside a text have no columns.
      if !options.contains(.flattened) { for property in properties { property.typeRawType = nil } }
    }

    override func isEqual(to other: Attribute) -> Bool {
      guard let other = other as? CompositeAttribute else { return false }
      return super.isEqual(to: other) && properties == other.properties
    }

    /// Decodes what ``encode(to:)`` has written.
    ///
    /// - Throws: `DecodingError` if the data has another form.
    public required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let parts = try container.decode([AnyAttribute].self, forKey: .properties)
      try super.init(from: decoder)
      properties = parts.map(\.attribute)
    }

    /// Encodes the value.
    ///
    /// - Throws: what the encoder throws.
    public override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(properties.map(AnyAttribute.init), forKey: .properties)
    }

    public override var debugDescription: String {
      super.debugDescription + " { " + properties.map(\.debugDescription).joined(separator: "; ")
        + " }"
    }

    /// The attributes a struct is made of; empty for anything that is not a struct of the schema.
    static func parts(of type: any Any.Type) -> [Attribute] {
      let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
      guard !StandardValues.contains(wrapped),
        !(wrapped is any RawRepresentable.Type), let column = wrapped as? any ColumnValue.Type
      else { return [] }
      let mirror = Mirror(reflecting: column.placeholder)
      guard mirror.displayStyle == .struct else { return [] }
      return mirror.children.compactMap { child in
        guard let label = child.label else { return nil }
        return Attribute.make(name: label, valueType: Swift.type(of: child.value))
      }
    }
  }
}

extension Schema.Attribute {
  /// A plain or a composite attribute, as the type asks for.
  static func make(
    name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
    defaultValue: Any? = nil, hashModifier: String? = nil
  ) -> Schema.Attribute {
    guard Schema.CompositeAttribute.parts(of: valueType).isEmpty else {
      return Schema.CompositeAttribute(
        name: name, originalName: originalName, options: options, valueType: valueType,
        defaultValue: defaultValue, hashModifier: hashModifier)
    }
    return Schema.Attribute(
      name: name, originalName: originalName, options: options, valueType: valueType,
      defaultValue: defaultValue, hashModifier: hashModifier)
  }
}

/// Decodes an attribute as the class it was written as.
struct AnyAttribute: Codable {
  let attribute: Schema.Attribute

  init(_ attribute: Schema.Attribute) { self.attribute = attribute }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Schema.Attribute.CodingKeys.self)
    attribute =
      container.contains(.properties)
      ? try Schema.CompositeAttribute(from: decoder) : try Schema.Attribute(from: decoder)
  }

  func encode(to encoder: any Encoder) throws { try attribute.encode(to: encoder) }
}

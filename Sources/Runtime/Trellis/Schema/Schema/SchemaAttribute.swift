extension Schema {
  /// A stored property of a model that is not a relationship.
  ///
  /// Two attributes are equal when a store would keep them alike: the default value is not compared
  /// (`Date()` differs each time it is asked for).
  public class Attribute: SchemaProperty, CustomDebugStringConvertible,
    @unchecked Sendable  // changed only before its schema is shared
  {
    public var name: String
    /// The name in the previous version of the schema; ``name`` when it was not renamed.
    public var originalName: String
    /// How the attribute is kept.
    public var options: [Option]
    /// The type of the Swift property.
    ///
    /// For an attribute read from a file whose type this program does not have: `Any`.
    public var valueType: any Any.Type {
      didSet {
        type = ValueTypeName(valueType)
        typeRawType = RawValueType.name(of: valueType)
      }
    }
    /// What the property is when nothing is said; nil when the schema assigns nothing.
    public var defaultValue: Any? {
      didSet { decodedDefaultText = nil }
    }
    /// Tells two versions of an attribute apart whose name and type are the same.
    public var hashModifier: String?
    public var isOptional: Bool

    /// The type by name, which outlives the program that wrote the schema.
    package var type: ValueTypeName
    /// The name of the standard type of the raw values that its column has; nil for a column in another form.
    var rawType: String? { options.contains(where: \.replacesRawValues) ? nil : typeRawType }
    /// That of the type, whatever the options say.
    package var typeRawType: String?
    /// The default value as JSON. Asked for when a schema is written down, not when one is made.
    var defaultText: String? { decodedDefaultText ?? ValueText.text(of: defaultValue) }
    /// The same as it was read, also of a type this program does not have.
    private var decodedDefaultText: String?
    /// How the types in its text are coded, as generated code says it; see ``CodedForm``.
    package var codedForm: String?
    /// The types of the values in its JSON, as generated code says it; see ``JSONFields``.
    package var jsonFields: String?
    /// The columns of a flattened struct this program does not have.
    package var describedMembers: [FlattenedMember]?

    /// What generated code writes in front of a property; name and type follow from its entry in
    /// `schemaMetadata`.
    ///
    /// - Parameters:
    ///   - options: how the value is kept.
    ///   - originalName: the name in the previous version of the schema.
    ///   - hashModifier: tells two versions apart whose name and type are the same.
    public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      self.name = ""
      self.originalName = originalName ?? ""
      self.options = options
      self.valueType = Any.self
      self.type = ValueTypeName(Any.self)
      self.hashModifier = hashModifier
      self.isOptional = false
    }

    /// A complete description, for schemas that are put together by hand.
    public init(
      name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
      defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      self.name = name
      self.originalName = originalName ?? name
      self.options = options
      self.valueType = valueType
      self.type = ValueTypeName(valueType)
      self.typeRawType = RawValueType.name(of: valueType)
      self.defaultValue = defaultValue
      self.hashModifier = hashModifier
      self.isOptional = valueType is any OptionalValue.Type
    }

    /// Called by generated code where values are written as text in another form than Swift's own: with
    /// other names, or by code. It is part of what stores are distinguished by.
    public func _$coded(_ form: String) -> Attribute {
      codedForm = form
      return self
    }

    /// Called by generated code for values that are stored as JSON of declared types: the types of what is inside. Stores
    /// record it, and it is no part of what they are distinguished by.
    public func _$fields(_ types: String) -> Attribute {
      jsonFields = types
      return self
    }

    /// True.
    public var isAttribute: Bool { true }
    /// False.
    public var isRelationship: Bool { false }
    /// Whether the value is never written: an ``Option/ephemeral`` attribute.
    public var isTransient: Bool { options.contains(.ephemeral) }
    /// Whether values pass through a ``ValueTransformer``.
    public var isTransformable: Bool { options.contains { $0.keyword == "transformable" } }
    public var isUnique: Bool { options.contains(.unique) }
    /// Whether the value is kept in its `Codable` form.
    public var isCodable: Bool { options.contains(.codable) }

    // MARK: Equality

    public static func == (lhs: Attribute, rhs: Attribute) -> Bool { lhs.isEqual(to: rhs) }

    /// Overridden by ``CompositeAttribute``.
    func isEqual(to other: Attribute) -> Bool {
      Swift.type(of: self) == Swift.type(of: other) && name == other.name
        && originalName == other.originalName && options == other.options && type == other.type
        && hashModifier == other.hashModifier && isOptional == other.isOptional
        && codedForm == other.codedForm && rawType == other.rawType
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    // MARK: Coding

    enum CodingKeys: String, CodingKey {
      case name, originalName, options, valueType, isOptional, defaultValue, hashModifier
      case properties, codedForm, rawType, jsonFields
    }

    /// Decodes what ``encode(to:)`` has written.
    ///
    /// - Throws: `DecodingError` if the data has another form.
    public required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      originalName =
        try container.decodeIfPresent(String.self, forKey: .originalName)
        ?? container.decode(String.self, forKey: .name)
      options = try container.decodeIfPresent([Option].self, forKey: .options) ?? []
      type = try container.decode(ValueTypeName.self, forKey: .valueType)
      valueType = type.resolved ?? Any.self
      isOptional = try container.decode(Bool.self, forKey: .isOptional)
      let defaultText = try container.decodeIfPresent(String.self, forKey: .defaultValue)
      hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
      codedForm = try container.decodeIfPresent(String.self, forKey: .codedForm)
      typeRawType = try container.decodeIfPresent(String.self, forKey: .rawType)
      jsonFields = try container.decodeIfPresent(String.self, forKey: .jsonFields)
      defaultValue = defaultText.flatMap { ValueText.value($0, of: valueType) }
      decodedDefaultText = defaultText
    }

    /// Encodes the value.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      if originalName != name { try container.encode(originalName, forKey: .originalName) }
      if !options.isEmpty { try container.encode(options, forKey: .options) }
      try container.encode(type, forKey: .valueType)
      try container.encode(isOptional, forKey: .isOptional)
      try container.encodeIfPresent(defaultText, forKey: .defaultValue)
      try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
      try container.encodeIfPresent(codedForm, forKey: .codedForm)
      try container.encodeIfPresent(rawType, forKey: .rawType)
      try container.encodeIfPresent(jsonFields, forKey: .jsonFields)
    }

    /// `name: Swift.String [.unique]`
    public var debugDescription: String {
      let suffix = options.isEmpty ? "" : " \(options)"
      return "\(name): \(type.name)\(suffix)"
    }
  }
}

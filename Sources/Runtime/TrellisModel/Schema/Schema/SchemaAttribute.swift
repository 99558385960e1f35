#if canImport(ObjectiveC)
  public import Foundation
#else
  import Foundation
#endif

extension Schema {
  /// A stored property that is not a relationship.
  ///
  /// ```swift
  /// let entity = container.schema.entity(for: LivingAccommodation.self)
  /// let keys = entity?.attributes.filter(\.isUnique).map(\.name)  // ["bookingReference"]
  /// ```
  ///
  /// Two attributes are equal if a store stores them in the same way. Default values are not compared, because an
  /// expression such as `Date()` has a different value each time it is evaluated.
  public class Attribute: SchemaProperty, CustomDebugStringConvertible,
    @unchecked Sendable  // changed only before the schema is shared
  {
    public var name: String
    /// The name in the previous schema version; equal to ``name`` if the property was not renamed.
    public var originalName: String
    /// The storage options.
    public var options: [Option]
    /// The Swift property type.
    ///
    /// `Any` if the attribute was decoded and the type does not exist in this process.
    public var valueType: any Any.Type {
      didSet {
        type = ValueTypeName(valueType)
        typeRawType = RawValueType.name(of: valueType)
      }
    }
    /// The default value; nil if the schema assigns none.
    public var defaultValue: Any? {
      didSet { decodedDefaultText = nil }
    }
    /// Distinguishes two attribute versions with the same name and type.
    public var hashModifier: String?
    /// True if the value can be nil; initially derived from the value type.
    public var isOptional: Bool

    /// The type name, which does not depend on the process that wrote the schema.
    package var type: ValueTypeName
    /// The standard type name of the raw values in the column; nil if the column has a different form.
    package var rawType: String? { options.contains(where: \.replacesRawValues) ? nil : typeRawType }
    /// The property type's raw type, regardless of the options.
    package var typeRawType: String?
    /// The default value as JSON. Computed when a schema is encoded, not when it is created.
    var defaultText: String? {
      decodedDefaultText ?? (defaultValue as? any Encodable).flatMap { try? JSONColumn.text(of: $0) }
    }
    /// The decoded default value, preserved even if the type does not exist in this process.
    private var decodedDefaultText: String?
    /// The encoding of declared types in the attribute's text, as provided by generated code; see ``CodedForm``.
    package var codedForm: String?
    /// The value types in the attribute's JSON, as provided by generated code; see ``JSONFields``.
    package var jsonFields: String?
    /// The columns for a flattened struct that does not exist in this process.
    package var describedMembers: [FlattenedMember]?

    /// Creates a property's annotation in generated code. The name and type are taken from the property's entry in
    /// `schemaMetadata`.
    ///
    /// - Parameters:
    ///   - options: The storage options.
    ///   - originalName: The name in the previous schema version.
    ///   - hashModifier: Distinguishes two versions with the same name and type.
    public convenience init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      self.init(
        name: "", originalName: originalName, options: options, valueType: Any.self, hashModifier: hashModifier)
    }

    /// Creates a complete description, for handwritten schemas.
    ///
    /// ```swift
    /// let code = Schema.Attribute(name: "code", options: [.unique], valueType: String.self)
    /// let seats = Schema.Attribute(name: "seats", valueType: Int.self, defaultValue: 1)
    /// let bus = Schema.Entity("Bus", properties: code, seats)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The property name.
    ///   - originalName: The name in the previous schema version; nil if the property was not renamed.
    ///   - options: The storage options.
    ///   - valueType: The Swift property type.
    ///   - defaultValue: The default value; nil for no default value.
    ///   - hashModifier: Distinguishes two versions with the same name and type.
    public required init(
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

    /// Called by generated code if custom names or custom code make the values' encoded text differ from Swift's
    /// default. The form contributes to the store's fingerprint.
    public func _$coded(_ form: String) -> Attribute {
      codedForm = form
      return self
    }

    /// Called by generated code for values that are stored as JSON and contain declared types. The string describes the
    /// nested values' types. Stores record it, but the fingerprint excludes it.
    public func _$fields(_ types: String) -> Attribute {
      jsonFields = types
      return self
    }

    /// Always true.
    public var isAttribute: Bool { true }
    /// Always false.
    public var isRelationship: Bool { false }
    /// True if the value is never stored: an ``Option/ephemeral`` attribute.
    public var isTransient: Bool { options.contains(.ephemeral) }
    /// True if values are converted by a ``ValueTransformer``.
    public var isTransformable: Bool { transformerName != nil }
    var transformerName: String? { options.first { $0.keyword == "transformable" }?.argument }
    public var isUnique: Bool { options.contains(.unique) }
    /// True if the value is stored in `Codable` form.
    public var isCodable: Bool { options.contains(.codable) }

    // MARK: Equality

    /// Returns true if a store stores both attributes in the same way.
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

    /// The encoded properties.
    struct Form: Codable {
      var name, originalName: String
      var options: [Option]
      var type: ValueTypeName
      var isOptional: Bool
      var defaultText, hashModifier, codedForm, rawType, jsonFields: String?
      /// A composite attribute's parts; nil for any other attribute.
      var properties: [Form]?
    }

    var form: Form {
      Form(
        name: name, originalName: originalName, options: options, type: type, isOptional: isOptional,
        defaultText: defaultText, hashModifier: hashModifier, codedForm: codedForm, rawType: rawType,
        jsonFields: jsonFields)
    }

    init(_ form: Form) {
      name = form.name
      originalName = form.originalName
      options = form.options
      type = form.type
      valueType = type.resolved ?? Any.self
      isOptional = form.isOptional
      hashModifier = form.hashModifier
      codedForm = form.codedForm
      typeRawType = form.rawType
      jsonFields = form.jsonFields
      if let type = valueType as? any Decodable.Type {
        defaultValue = form.defaultText.flatMap { try? JSONColumn.value(type, from: Data($0.utf8)) }
      }
      decodedDefaultText = form.defaultText
    }

    /// Decodes an attribute that ``encode(to:)`` encoded.
    ///
    /// - Throws: `DecodingError` if the data has a different structure.
    public required convenience init(from decoder: any Decoder) throws { self.init(try Form(from: decoder)) }

    /// Encodes the attribute.
    ///
    /// - Throws: Any error from the encoder.
    public func encode(to encoder: any Encoder) throws { try form.encode(to: encoder) }

    /// `name: Swift.String [.unique]`
    public var debugDescription: String {
      let suffix = options.isEmpty ? "" : " \(options)"
      return "\(name): \(type.name)\(suffix)"
    }
  }
}

// MARK: Options

extension Schema.Attribute {
  /// An attribute's storage option, as written in `@Attribute`.
  ///
  /// ```swift
  /// @Model
  /// class Passport {
  ///   @Attribute(.unique, .preserveValueOnDeletion) var number: String
  ///   @Attribute(.externalStorage) var scan: Data?
  ///   @Attribute(.ephemeral) var isExpanded: Bool = false
  ///   init(number: String) { self.number = number }
  /// }
  /// ```
  public struct Option: Sendable, Hashable, Codable {
    package let keyword: String
    /// A transformable attribute's transformer.
    package let argument: String?

    package init(_ keyword: String, argument: String? = nil) {
      self.keyword = keyword
      self.argument = argument
    }

    /// True if the option keeps raw values out of the column.
    var replacesRawValues: Bool { ["codable", "json", "transformable", "ephemeral"].contains(keyword) }

    /// Values must be unique among the models of the type. The conflict policy determines how duplicates are handled.
    public static var unique: Option { Option("unique") }
    /// Large values are stored as files next to the store.
    public static var externalStorage: Option { Option("externalStorage") }
    /// The history preserves the value after the model has been deleted.
    public static var preserveValueOnDeletion: Option { Option("preserveValueOnDeletion") }
    /// Changes to the value are tracked, but the value is never stored.
    public static var ephemeral: Option { Option("ephemeral") }
    /// Accepted for compatibility with models shared with Apple's platforms. Has no effect.
    public static var allowsCloudEncryption: Option { Option("allowsCloudEncryption") }
    /// Accepted for compatibility with models shared with Apple's platforms. Has no effect.
    public static var spotlight: Option { Option("spotlight") }

    /// The value is converted by a transformer when it is stored and read.
    ///
    /// - Parameter transformerType: The class. The library creates and registers a single instance.
    public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
      _ = TransformerTable.transformer(transformerType)
      return Option("transformable", argument: String(reflecting: transformerType))
    }

    /// The value is converted by the transformer registered under a name.
    ///
    /// - Parameter transformerName: The name that was passed to `ValueTransformer.setValueTransformer(_:forName:)`
    ///   before the container was created. Otherwise creating the container throws ``SwiftDataError/unknownSchema``.
    public static func transformable(by transformerName: String) -> Option {
      Option("transformable", argument: transformerName)
    }

    /// The value is stored in `Codable` form.
    public static var codable: Option { Option("codable") }
    /// Has no effect. Schemas that were released with the option keep it, because it contributes to the stores'
    /// fingerprint. Not in SwiftData.
    public static var fullText: Option { Option("fullText") }
    /// The value is stored as JSON text, which the store can read and search. Not in SwiftData.
    public static var json: Option { Option("json") }
    /// Each property is stored in a separate column. Not in SwiftData.
    public static var flattened: Option { Option("flattened") }
    /// The policy for stored values that the property's type does not support, for example values written by a newer
    /// app version; see ``UnknownValuePolicy``. Not in SwiftData.
    public static func unknown(_ policy: UnknownValuePolicy) -> Option {
      Option("unknown", argument: policy.rawValue)
    }
    /// The value is stored as a raw value. Not in SwiftData.
    public static var raw: Option { Option("raw") }
  }
}

extension Schema.Attribute {
  /// The policy for stored values that the property's type does not support.
  ///
  /// ```swift
  /// @Model
  /// class Visa {
  ///   enum Status: String, Codable { case requested, granted, other }
  ///   @Attribute(.unknown(.default)) var status: Status = .other  // also if the store contains 'revoked'
  ///   init() {}
  /// }
  /// ```
  ///
  /// Not in SwiftData.
  public enum UnknownValuePolicy: String, Sendable, Codable {
    /// The fetch throws a ``StoredValueError``. The default policy.
    case fail
    /// The property has the default value, or nil. The stored value is preserved until a new value is saved.
    case `default`
  }
}

extension Schema.Attribute.Option: CustomDebugStringConvertible {
  /// The option as spelled in a schema: `.unique`.
  public var debugDescription: String {
    let label = keyword == "transformable" ? "by: " : ""
    return argument.map { ".\(keyword)(\(label)\($0))" } ?? ".\(keyword)"
  }
}

// MARK: Default values

extension Schema.Attribute {
  /// The default value in column form; nil if missing.
  package var preset: SQLValue? {
    guard let value = (defaultValue as? any OptionalValue).map(\.wrappedValue) ?? defaultValue else { return nil }
    if let name = transformerName {
      return try? ColumnForm(TransformerTable.data(of: value, by: TransformerTable.transformer(named: name))).value
    }
    guard let value = value as? any Encodable else { return nil }
    let isJSON = options.contains(.codable) || options.contains(.json)
    return try? isJSON ? .text(JSONColumn.text(of: value)) : SQLValue(stored: value)
  }
}

// MARK: Structs

extension Schema {
  /// An attribute with several parts: a struct declared in the schema.
  ///
  /// ```swift
  /// let address = container.schema.entity(for: Trip.self)?.attributesByName["address"]
  /// if let address = address as? Schema.CompositeAttribute {
  ///   address.properties.map(\.name)  // ["street", "city", "postalCode", "country"]
  /// }
  /// ```
  ///
  /// A schema created from model types derives the parts from the struct's placeholder value. A `Codable` type that the
  /// schema does not declare remains a plain attribute.
  public final class CompositeAttribute: Attribute, @unchecked Sendable {  // like the superclass
    /// The attribute's parts, in declaration order.
    public var properties: [Attribute] = []

    /// Creates a composite attribute. The parts are derived from the value type.
    ///
    /// ```swift
    /// let address = Schema.CompositeAttribute(name: "address", valueType: Address?.self)
    /// address.properties.first { $0.name == "postalCode" }?.isOptional  // true
    /// ```
    ///
    /// - Parameters:
    ///   - name: The property name.
    ///   - originalName: The name in the previous schema version; nil if the property was not renamed.
    ///   - options: The storage options.
    ///   - valueType: A struct that the schema declares, or an optional struct. Any other type has no parts.
    ///   - defaultValue: The default value; nil for no default value.
    ///   - hashModifier: Distinguishes two versions with the same name and type.
    public required init(
      name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
      defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      super.init(
        name: name, originalName: originalName, options: options, valueType: valueType,
        defaultValue: defaultValue, hashModifier: hashModifier)
      properties = Self.parts(of: valueType)
      // Properties inside a text value have no columns.
      if !options.contains(.flattened) { for property in properties { property.typeRawType = nil } }
    }

    override func isEqual(to other: Attribute) -> Bool {
      guard let other = other as? CompositeAttribute else { return false }
      return super.isEqual(to: other) && properties == other.properties
    }

    override var form: Form {
      var form = super.form
      form.properties = properties.map(\.form)
      return form
    }

    override init(_ form: Form) {
      super.init(form)
      properties = form.properties?.map(Attribute.make) ?? []
    }

    /// The attribute's description, followed by the parts.
    public override var debugDescription: String {
      super.debugDescription + " { " + properties.map(\.debugDescription).joined(separator: "; ")
        + " }"
    }

    /// Returns a struct's parts; empty for any type that is not a struct in the schema.
    static func parts(of type: any Any.Type) -> [Attribute] {
      let wrapped = wrappedType(of: type)
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
  /// Creates a plain or composite attribute, depending on the type.
  static func make(
    name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
    defaultValue: Any? = nil, hashModifier: String? = nil
  ) -> Schema.Attribute {
    let isPlain = Schema.CompositeAttribute.parts(of: valueType).isEmpty
    let type = isPlain ? Schema.Attribute.self : Schema.CompositeAttribute.self
    return type.init(
      name: name, originalName: originalName, options: options, valueType: valueType,
      defaultValue: defaultValue, hashModifier: hashModifier)
  }

  /// Creates an attribute whose class is the encoded attribute's class.
  static func make(_ form: Form) -> Schema.Attribute {
    form.properties == nil ? Schema.Attribute(form) : Schema.CompositeAttribute(form)
  }
}

#if canImport(ObjectiveC)
  public import Foundation
#else
  import Foundation
#endif

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
    package var rawType: String? { options.contains(where: \.replacesRawValues) ? nil : typeRawType }
    /// That of the type, whatever the options say.
    package var typeRawType: String?
    /// The default value as JSON. Asked for when a schema is written down, not when one is made.
    var defaultText: String? {
      decodedDefaultText ?? (defaultValue as? any Encodable).flatMap { try? JSONColumn.text(of: $0) }
    }
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
    public convenience init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      self.init(
        name: "", originalName: originalName, options: options, valueType: Any.self, hashModifier: hashModifier)
    }

    /// A complete description, for schemas that are put together by hand.
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
    public var isTransformable: Bool { transformerName != nil }
    var transformerName: String? { options.first { $0.keyword == "transformable" }?.argument }
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

    /// The facts that are coded.
    struct Form: Codable {
      var name, originalName: String
      var options: [Option]
      var type: ValueTypeName
      var isOptional: Bool
      var defaultText, hashModifier, codedForm, rawType, jsonFields: String?
      /// The parts of a composite attribute; nil for any other one.
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

    /// Decodes what ``encode(to:)`` has written.
    ///
    /// - Throws: `DecodingError` if the data has another form.
    public required convenience init(from decoder: any Decoder) throws { self.init(try Form(from: decoder)) }

    /// Encodes the value.
    ///
    /// - Throws: what the encoder throws.
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
  /// How one attribute is kept.
  public struct Option: Sendable, Hashable, Codable {
    package let keyword: String
    /// The transformer of a transformable attribute.
    package let argument: String?

    package init(_ keyword: String, argument: String? = nil) {
      self.keyword = keyword
      self.argument = argument
    }

    /// True for an option under which a column has no raw values.
    var replacesRawValues: Bool { ["codable", "json", "transformable", "ephemeral"].contains(keyword) }

    /// No two models of the type have the same value; the conflict policy says what happens then.
    public static var unique: Option { Option("unique") }
    /// The value is kept as a file beside the store.
    public static var externalStorage: Option { Option("externalStorage") }
    /// The value is kept in the history after its model was deleted.
    public static var preserveValueOnDeletion: Option { Option("preserveValueOnDeletion") }
    /// Changes of the value are tracked, the value itself is never written.
    public static var ephemeral: Option { Option("ephemeral") }
    /// Accepted for the sake of models shared with Apple's platforms; has no effect.
    public static var allowsCloudEncryption: Option { Option("allowsCloudEncryption") }
    /// Accepted for the sake of models shared with Apple's platforms; has no effect.
    public static var spotlight: Option { Option("spotlight") }

    /// The value goes through a transformer on its way to the store and back.
    public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
      _ = TransformerTable.transformer(transformerType)
      return Option("transformable", argument: String(reflecting: transformerType))
    }

    /// The value goes through the transformer registered under a name.
    public static func transformable(by transformerName: String) -> Option {
      Option("transformable", argument: transformerName)
    }

    /// The value is kept in its `Codable` form.
    public static var codable: Option { Option("codable") }
    /// Has no effect. Schemas that were released with the option keep it, because it is part of the
    /// fingerprint of their stores. Not in SwiftData.
    public static var fullText: Option { Option("fullText") }
    /// The value is kept as JSON text, readable and searchable by the store. Not in SwiftData.
    public static var json: Option { Option("json") }
    /// Each property of the value has a separate column. Not in SwiftData.
    public static var flattened: Option { Option("flattened") }
    /// What reading does with a stored value the property's type does not know, as a newer version of
    /// the program may have written it. Not in SwiftData.
    ///
    ///     @Attribute(.unknown(.default)) var kind: Kind = .other
    public static func unknown(_ policy: UnknownValuePolicy) -> Option {
      Option("unknown", argument: policy.rawValue)
    }
    /// The value is kept as its raw value. Not in SwiftData.
    public static var raw: Option { Option("raw") }
  }
}

extension Schema.Attribute {
  /// What reading does with a stored value that the property's type does not know.
  public enum UnknownValuePolicy: String, Sendable, Codable {
    /// The fetch throws a ``StoredValueError``; the policy where none is stated.
    case fail
    /// The property has its default value, or nil. The stored value stays until another one is saved.
    case `default`
  }
}

extension Schema.Attribute.Option: CustomDebugStringConvertible {
  /// The option as a schema spells it: `.unique`.
  public var debugDescription: String {
    let label = keyword == "transformable" ? "by: " : ""
    return argument.map { ".\(keyword)(\(label)\($0))" } ?? ".\(keyword)"
  }
}

// MARK: Default values

extension Schema.Attribute {
  /// The default value as the column keeps it; nil if missing.
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
  /// An attribute made of attributes: a struct declared in the schema.
  ///
  /// A schema made from model types derives the parts from the struct's placeholder value; a
  /// `Codable` type the schema does not declare stays one plain attribute.
  public final class CompositeAttribute: Attribute, @unchecked Sendable {  // as its superclass
    /// The attributes this one is made of, in declaration order.
    public var properties: [Attribute] = []

    /// An attribute made of others; ``properties`` starts empty.
    public required init(
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

    override var form: Form {
      var form = super.form
      form.properties = properties.map(\.form)
      return form
    }

    override init(_ form: Form) {
      super.init(form)
      properties = form.properties?.map(Attribute.make) ?? []
    }

    public override var debugDescription: String {
      super.debugDescription + " { " + properties.map(\.debugDescription).joined(separator: "; ")
        + " }"
    }

    /// The attributes a struct is made of; empty for anything that is not a struct of the schema.
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
  /// A plain or a composite attribute, as the type asks for.
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

  /// An attribute of the class that was coded.
  static func make(_ form: Form) -> Schema.Attribute {
    form.properties == nil ? Schema.Attribute(form) : Schema.CompositeAttribute(form)
  }
}

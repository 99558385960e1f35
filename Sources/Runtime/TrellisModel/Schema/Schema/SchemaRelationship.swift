extension Schema {
  /// A property that refers to other models.
  ///
  /// ```swift
  /// if let list = container.schema.entity(for: Trip.self)?.relationshipsByName["bucketList"] {
  ///   list.destination  // "BucketListItem"
  ///   list.inverseName  // "trip"
  ///   list.deleteRule  // .cascade
  /// }
  /// ```
  ///
  /// Key paths are neither encoded nor compared; names represent them. Two relationships are equal if a store stores
  /// them in the same way; ``denyMessage`` is not compared.
  public final class Relationship: SchemaProperty,
    @unchecked Sendable  // changed only before the schema is shared
  {
    public var name: String
    /// The name in the previous schema version; equal to ``name`` if the property was not renamed.
    public var originalName: String
    /// The storage options.
    public var options: [Option]
    /// The Swift property type: a model, an array of models, or an optional of either.
    ///
    /// `Any` if the relationship was decoded.
    public var valueType: any Any.Type {
      get { declaredType ?? type.resolved ?? Any.self }
      set {
        (declaredType, type) = (newValue, ValueTypeName(newValue))
        guard newValue != Any.self else { return }
        let wrapped = (newValue as? any OptionalValue.Type)?.wrappedType
        isNilAllowed = wrapped != nil
        isToMany = (wrapped ?? newValue) is any RelationshipCollection.Type
      }
    }
    /// The property's key path; nil if the relationship was decoded.
    public var keypath: AnyKeyPath?
    /// The destination entity's name.
    public var destination: String
    /// The inverse property's name; nil for a one-way relationship.
    public var inverseName: String?
    /// The inverse property's key path.
    public var inverseKeyPath: AnyKeyPath?
    /// The delete rule for related models when the owner is deleted.
    public var deleteRule: DeleteRule
    /// The error message if ``DeleteRule/deny`` rejects a deletion; nil for the default message. Not in SwiftData.
    public var denyMessage: String?
    /// The minimum model count in a non-nil value; 0 and nil for no minimum.
    public var minimumModelCount: Int?
    /// The maximum model count in a value; 0 and nil for no limit.
    public var maximumModelCount: Int?
    /// Distinguishes two relationship versions with the same name and type.
    public var hashModifier: String?

    private var declaredType: (any Any.Type)?
    private(set) var type = ValueTypeName(Any.self)
    /// True if the value is an array.
    package private(set) var isToMany = false
    /// True if the value can be nil.
    private(set) var isNilAllowed = true

    /// Creates a relationship's annotation. The remaining properties are taken from the entry in `schemaMetadata`.
    ///
    /// - Parameters:
    ///   - options: The storage options. A delete rule is also accepted, as in SwiftData's original interface.
    ///   - deleteRule: The delete rule for related models when the owner is deleted.
    ///   - denyMessage: The error message if the rule `.deny` rejects a deletion.
    ///   - minimumModelCount: The minimum model count, checked unless it is nil.
    ///   - maximumModelCount: The maximum model count; 0 for no limit.
    ///   - originalName: The name in the previous schema version.
    ///   - inverse: The inverse property. Generated code always specifies it, even if the schema omits it because
    ///     exactly one property fits.
    ///   - hashModifier: Distinguishes two versions with the same name and type.
    public init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, denyMessage: String? = nil,
      minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
      inverse: AnyKeyPath? = nil, hashModifier: String? = nil
    ) {
      self.name = ""
      self.originalName = originalName ?? ""
      self.options = options.filter { $0.deleteRule == nil }
      self.destination = ""
      self.inverseKeyPath = inverse
      self.deleteRule = options.lazy.compactMap(\.deleteRule).first ?? deleteRule
      self.denyMessage = denyMessage
      self.minimumModelCount = minimumModelCount
      self.maximumModelCount = maximumModelCount
      self.hashModifier = hashModifier
    }

    /// Completes the annotation with the property's name, key path and kind.
    func describe(name: String, keypath: AnyKeyPath, kind: ModelProperty.Kind) {
      let valueType = Swift.type(of: keypath).valueType
      describe(
        name: name, typeName: ValueTypeName(valueType).name, isToMany: kind.isToMany, isOptional: kind.isOptional,
        destination: kind.destination?._$definition.entityName ?? "", inverse: inverseName)
      declaredType = valueType
      self.keypath = keypath
      (minimumModelCount, maximumModelCount) = (minimumModelCount ?? 0, maximumModelCount ?? 0)
    }

    /// Completes the annotation for a relationship with classes that do not exist in this process.
    package func describe(
      name: String, typeName: String, isToMany: Bool, isOptional: Bool, destination: String, inverse: String?
    ) {
      self.name = name
      if originalName.isEmpty { originalName = name }
      type = ValueTypeName(named: typeName)
      self.isToMany = isToMany
      isNilAllowed = isOptional
      self.destination = destination
      inverseName = inverse
    }

    /// True if the value is a single model.
    public var isToOneRelationship: Bool { !isToMany }
    /// Always true.
    public var isRelationship: Bool { true }
    public var isUnique: Bool { options.contains(.unique) }
    /// True if the property's value can be nil.
    public var isOptional: Bool { isNilAllowed }
    /// True if the members are ordered. Not in SwiftData.
    public var isOrdered: Bool { options.contains(.ordered) }

    /// Returns true if a store stores both relationships in the same way.
    public static func == (lhs: Relationship, rhs: Relationship) -> Bool {
      lhs.name == rhs.name && lhs.originalName == rhs.originalName && lhs.options == rhs.options
        && lhs.type == rhs.type && lhs.destination == rhs.destination
        && lhs.inverseName == rhs.inverseName && lhs.deleteRule == rhs.deleteRule
        && lhs.minimumModelCount == rhs.minimumModelCount
        && lhs.maximumModelCount == rhs.maximumModelCount && lhs.hashModifier == rhs.hashModifier
        && lhs.isToMany == rhs.isToMany && lhs.isNilAllowed == rhs.isNilAllowed
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    // Contains every compared property.
    private enum CodingKeys: CodingKey {
      case name, originalName, options, type, destination, inverseName, deleteRule
      case minimumModelCount, maximumModelCount, hashModifier, isToMany, isNilAllowed
    }
  }
}

extension Schema.Relationship: CustomDebugStringConvertible {
  /// `trip: Swift.Optional<App.Trip> -> Trip.bucketList, nullify`
  public var debugDescription: String {
    let inverse = inverseName.map { ".\($0)" } ?? ""
    return "\(name): \(type.name) -> \(destination)\(inverse), \(deleteRule.rawValue)"
  }
}

// MARK: Options

extension Schema.Relationship {
  /// The effect on related models when the property's owner is deleted.
  ///
  /// ```swift
  /// @Model
  /// class Tour {
  ///   @Relationship(deleteRule: .deny, denyMessage: "has booked stops") var stops: [Stop] = []
  ///   init() {}
  /// }
  /// @Model
  /// class Stop {
  ///   var tour: Tour?
  ///   init() {}
  /// }
  /// ```
  public enum DeleteRule: String, Codable, Sendable {
    /// The references to the owner are set to nil. The default. If such a reference is required, saving throws
    /// ``SwiftDataError/modelValidationFailure``.
    case nullify
    /// The related models are deleted as well.
    case cascade
    /// The owner cannot be deleted while related models exist: saving throws ``SwiftDataError/modelValidationFailure``.
    case deny
    /// No effect: references to the owner remain in the store, and the caller must repair them. Until then, an optional
    /// reference reads as nil and a required reference as a deleted model.
    case noAction
  }

  /// A relationship's storage option, as written in `@Relationship`.
  ///
  /// ```swift
  /// @Model
  /// class Route {
  ///   @Relationship(.ordered) var halts: [Halt] = []
  ///   init() {}
  /// }
  /// @Model
  /// class Halt {
  ///   var route: Route?
  ///   init() {}
  /// }
  /// ```
  public struct Option: Sendable, Hashable, Codable {
    let keyword: String

    init(_ keyword: String) { self.keyword = keyword }

    /// No two models may refer to the same model.
    public static var unique: Option { Option("unique") }
    /// The members are ordered. Not in SwiftData.
    public static var ordered: Option { Option("ordered") }
    /// The relationship intentionally has no inverse: `inverse: nil` in a schema. Not in SwiftData.
    public static var unidirectional: Option { Option("unidirectional") }

    /// The delete rule in SwiftData's original spelling.
    @available(*, deprecated, message: "write 'deleteRule: .cascade'")
    public static var cascade: Option { Option("cascade") }
    /// The delete rule in SwiftData's original spelling.
    @available(*, deprecated, message: "write 'deleteRule: .nullify'")
    public static var nullify: Option { Option("nullify") }
    /// The delete rule in SwiftData's original spelling.
    @available(*, deprecated, message: "write 'deleteRule: .deny'")
    public static var deny: Option { Option("deny") }
    /// The delete rule in SwiftData's original spelling.
    @available(*, deprecated, message: "write 'deleteRule: .noAction'")
    public static var noAction: Option { Option("noAction") }

    /// The delete rule that an option in the original spelling represents.
    var deleteRule: DeleteRule? { DeleteRule(rawValue: keyword) }
  }
}

extension Schema.Relationship.Option: CustomDebugStringConvertible {
  /// The option as spelled in a schema: `.ordered`.
  public var debugDescription: String { ".\(keyword)" }
}

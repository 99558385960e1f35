extension Schema {
  /// A property of a model that refers to other models.
  ///
  /// Key paths are not written down and not compared; names stand for them. Two relationships are equal when a store would
  /// keep them alike: ``denyMessage`` is not compared.
  public final class Relationship: SchemaProperty,
    @unchecked Sendable  // changed only before its schema is shared
  {
    public var name: String
    /// The name in the previous version of the schema; ``name`` when it was not renamed.
    public var originalName: String
    /// How the relationship is kept.
    public var options: [Option]
    /// The type of the Swift property: a model, an array of models, or an optional of these.
    ///
    /// `Any` for a relationship read from a file.
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
    /// The property itself; nil for a relationship read from a file.
    public var keypath: AnyKeyPath?
    /// The name of the entity at the other end.
    public var destination: String
    /// The property at the other end that holds the same fact; nil for a one-way relationship.
    public var inverseName: String?
    /// The property at the other end, as it was written.
    public var inverseKeyPath: AnyKeyPath?
    /// What happens to the related models when the owner is deleted.
    public var deleteRule: DeleteRule
    /// The reason in the error when ``DeleteRule/deny`` refuses a deletion; nil for a general one. Not in SwiftData.
    public var denyMessage: String?
    /// The fewest models a non-nil value may hold; 0 and nil ask for nothing.
    public var minimumModelCount: Int?
    /// The most models a value may hold; 0 and nil are no limit.
    public var maximumModelCount: Int?
    /// Tells two versions of a relationship apart whose name and type are the same.
    public var hashModifier: String?

    private var declaredType: (any Any.Type)?
    private(set) var type = ValueTypeName(Any.self)
    /// Whether the value is an array.
    package private(set) var isToMany = false
    /// Whether nil is a value.
    private(set) var isNilAllowed = true

    /// What a schema says of a relationship; the rest follows from its entry in `schemaMetadata`.
    ///
    /// - Parameters:
    ///   - options: how the relationship is kept; a delete rule here is the spelling of 2023.
    ///   - deleteRule: what happens to the related models when the property's owner is deleted.
    ///   - denyMessage: the reason in the error when the rule `.deny` refuses a deletion.
    ///   - minimumModelCount: the fewest models the value may hold, checked while it is not nil.
    ///   - maximumModelCount: the most models the value may hold; 0 is no limit.
    ///   - originalName: the name in the previous version of the schema.
    ///   - inverse: the property at the other end. Generated code states it, also where a schema leaves it out because
    ///     exactly one property fits.
    ///   - hashModifier: tells two versions apart whose name and type are the same.
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

    /// Completes the written facts with those of the property.
    func describe(name: String, keypath: AnyKeyPath, kind: ModelProperty.Kind) {
      let valueType = Swift.type(of: keypath).valueType
      describe(
        name: name, typeName: ValueTypeName(valueType).name, isToMany: kind.isToMany, isOptional: kind.isOptional,
        destination: kind.destination?._$definition.entityName ?? "", inverse: inverseName)
      declaredType = valueType
      self.keypath = keypath
      (minimumModelCount, maximumModelCount) = (minimumModelCount ?? 0, maximumModelCount ?? 0)
    }

    /// Completes the written facts of a relationship that this program has no classes for.
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

    /// Whether the value is a single model.
    public var isToOneRelationship: Bool { !isToMany }
    /// True.
    public var isRelationship: Bool { true }
    public var isUnique: Bool { options.contains(.unique) }
    /// Whether nil is a value of the property.
    public var isOptional: Bool { isNilAllowed }
    /// Whether the members keep their order. Not in SwiftData.
    public var isOrdered: Bool { options.contains(.ordered) }

    public static func == (lhs: Relationship, rhs: Relationship) -> Bool {
      lhs.name == rhs.name && lhs.originalName == rhs.originalName && lhs.options == rhs.options
        && lhs.type == rhs.type && lhs.destination == rhs.destination
        && lhs.inverseName == rhs.inverseName && lhs.deleteRule == rhs.deleteRule
        && lhs.minimumModelCount == rhs.minimumModelCount
        && lhs.maximumModelCount == rhs.maximumModelCount && lhs.hashModifier == rhs.hashModifier
        && lhs.isToMany == rhs.isToMany && lhs.isNilAllowed == rhs.isNilAllowed
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    // What is compared is coded, too.
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
  /// What happens to the related models when the model that owns the property is deleted.
  public enum DeleteRule: String, Codable, Sendable {
    /// Their references to it become nil. The default.
    case nullify
    /// They are deleted, too.
    case cascade
    /// The model cannot be deleted while it has any: saving throws
    /// ``SwiftDataError/modelValidationFailure``.
    case deny
    /// Nothing: their references are left dangling and are the caller's to repair.
    case noAction
  }

  /// How one relationship is kept.
  public struct Option: Sendable, Hashable, Codable {
    let keyword: String

    init(_ keyword: String) { self.keyword = keyword }

    /// No two models refer to the same one.
    public static var unique: Option { Option("unique") }
    /// The members keep the order they were put in. Not in SwiftData.
    public static var ordered: Option { Option("ordered") }
    /// The relationship has no inverse, on purpose. Not in SwiftData.
    public static var unidirectional: Option { Option("unidirectional") }

    /// The delete rule as it was spelled in 2023.
    @available(*, deprecated, message: "write 'deleteRule: .cascade'")
    public static var cascade: Option { Option("cascade") }
    /// The delete rule as it was spelled in 2023.
    @available(*, deprecated, message: "write 'deleteRule: .nullify'")
    public static var nullify: Option { Option("nullify") }
    /// The delete rule as it was spelled in 2023.
    @available(*, deprecated, message: "write 'deleteRule: .deny'")
    public static var deny: Option { Option("deny") }
    /// The delete rule as it was spelled in 2023.
    @available(*, deprecated, message: "write 'deleteRule: .noAction'")
    public static var noAction: Option { Option("noAction") }

    /// The delete rule an option of 2023 stands for.
    var deleteRule: DeleteRule? { DeleteRule(rawValue: keyword) }
  }
}

extension Schema.Relationship.Option: CustomDebugStringConvertible {
  /// The option as a schema spells it: `.ordered`.
  public var debugDescription: String { ".\(keyword)" }
}

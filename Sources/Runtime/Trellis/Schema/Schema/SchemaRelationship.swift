extension Schema {
  /// A property of a model that refers to other models.
  ///
  /// Key paths are not written down and not compared; names stand for them.
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
      didSet {
        type = ValueTypeName(valueType)
        guard valueType != Any.self else { return }
        let wrapped = (valueType as? any OptionalValue.Type)?.wrappedType
        isNilAllowed = wrapped != nil
        isToMany = (wrapped ?? valueType) is any RelationshipCollection.Type
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
    /// The fewest models a non-nil value may hold; 0 and nil ask for nothing.
    public var minimumModelCount: Int?
    /// The most models a value may hold; 0 and nil are no limit.
    public var maximumModelCount: Int?
    /// Tells two versions of a relationship apart whose name and type are the same.
    public var hashModifier: String?

    package var type: ValueTypeName
    /// Whether the value is an array.
    package var isToMany: Bool
    /// Whether nil is a value.
    package var isNilAllowed: Bool

    /// What a schema says of a relationship; the rest follows from its entry in `schemaMetadata`.
    ///
    /// - Parameters:
    ///   - options: how the relationship is kept; a delete rule here is the spelling of 2023.
    ///   - deleteRule: what happens to the related models when the property's owner is deleted.
    ///   - minimumModelCount: the fewest models the value may hold, checked while it is not nil.
    ///   - maximumModelCount: the most models the value may hold; 0 is no limit.
    ///   - originalName: the name in the previous version of the schema.
    ///   - inverse: the property at the other end. Left out it is inferred where exactly one fits;
    ///     ``Option/unidirectional`` says that there is none.
    ///   - hashModifier: tells two versions apart whose name and type are the same.
    public init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) {
      self.name = ""
      self.originalName = originalName ?? ""
      self.options = options.filter { $0.deleteRule == nil }
      self.valueType = Any.self
      self.type = ValueTypeName(Any.self)
      self.destination = ""
      self.inverseKeyPath = inverse
      self.deleteRule = options.lazy.compactMap(\.deleteRule).first ?? deleteRule
      self.minimumModelCount = minimumModelCount
      self.maximumModelCount = maximumModelCount
      self.hashModifier = hashModifier
      self.isToMany = false
      self.isNilAllowed = true
    }

    /// What was written (nil: nothing) and what the property's own entry says.
    init(
      _ written: Relationship?, name: String, keypath: AnyKeyPath, kind: ModelProperty.Kind
    ) {
      let valueType = Swift.type(of: keypath).valueType
      self.name = name
      self.originalName = written?.originalName.nonEmpty ?? name
      self.options = written?.options ?? []
      self.valueType = valueType
      self.type = ValueTypeName(valueType)
      self.keypath = keypath
      self.destination = kind.destination?._$definition.entityName ?? ""
      self.inverseName = written?.inverseName
      self.inverseKeyPath = written?.inverseKeyPath
      self.deleteRule = written?.deleteRule ?? .nullify
      self.minimumModelCount = written?.minimumModelCount ?? 0
      self.maximumModelCount = written?.maximumModelCount ?? 0
      self.hashModifier = written?.hashModifier
      self.isToMany = kind.isToMany
      self.isNilAllowed =
        switch kind {
        case .attribute: false
        case .toOne(_, let isOptional), .toMany(_, let isOptional): isOptional
        }
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

    // MARK: Coding

    private enum CodingKeys: String, CodingKey {
      case name, originalName, options, valueType, destination, inverseName, deleteRule
      case minimumModelCount, maximumModelCount, hashModifier, isToMany, isOptional
    }

    /// Decodes what ``encode(to:)`` has written.
    ///
    /// - Throws: `DecodingError` if the data has another form.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      originalName =
        try container.decodeIfPresent(String.self, forKey: .originalName)
        ?? container.decode(String.self, forKey: .name)
      options = try container.decodeIfPresent([Option].self, forKey: .options) ?? []
      type = try container.decode(ValueTypeName.self, forKey: .valueType)
      valueType = type.resolved ?? Any.self
      destination = try container.decode(String.self, forKey: .destination)
      inverseName = try container.decodeIfPresent(String.self, forKey: .inverseName)
      deleteRule = try container.decode(DeleteRule.self, forKey: .deleteRule)
      minimumModelCount = try container.decodeIfPresent(Int.self, forKey: .minimumModelCount)
      maximumModelCount = try container.decodeIfPresent(Int.self, forKey: .maximumModelCount)
      hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
      isToMany = try container.decode(Bool.self, forKey: .isToMany)
      isNilAllowed = try container.decode(Bool.self, forKey: .isOptional)
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
      try container.encode(destination, forKey: .destination)
      try container.encodeIfPresent(inverseName, forKey: .inverseName)
      try container.encode(deleteRule, forKey: .deleteRule)
      try container.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
      try container.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
      try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
      try container.encode(isToMany, forKey: .isToMany)
      try container.encode(isNilAllowed, forKey: .isOptional)
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

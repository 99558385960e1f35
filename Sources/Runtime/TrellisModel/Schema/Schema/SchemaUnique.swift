extension Schema {
  /// The policy for a new model whose unique values already exist.
  ///
  /// ```swift
  /// @Model
  /// class Ticket {
  ///   #Unique<Ticket>([\.code], onConflict: .fail)
  ///   var code: String
  ///   init(code: String) { self.code = code }
  /// }
  /// ```
  ///
  /// The policy applies to new models. If a change to an existing model causes a conflict, the save throws
  /// ``SwiftDataError/modelValidationFailure`` under every policy. Nil never conflicts.
  ///
  /// Not in SwiftData, which always replaces.
  public enum ConflictPolicy: String, Codable, Sendable {
    /// The save throws ``SwiftDataError/modelValidationFailure`` and writes nothing.
    case fail
    /// The existing model receives the new model's values. To-many relationships contain the members of both models.
    /// The default.
    case replace
    /// The existing model's attributes and to-one relationships remain unchanged, and the new model is dropped. To-many
    /// relationships contain the members of both models.
    case keep
  }

  /// Unique constraints on a model's properties.
  ///
  /// A schema declares them with `#Unique`:
  ///
  /// ```swift
  /// Schema.Unique<LivingAccommodation>([\.bookingReference], [\.placeName, \.trip])
  /// // CREATE UNIQUE INDEX … ON "LivingAccommodation" ("bookingReference")
  /// // CREATE UNIQUE INDEX … ON "LivingAccommodation" ("placeName", "trip")
  /// ```
  public final class Unique<T: PersistentModel>: SchemaProperty,
    @unchecked Sendable  // changed only before the schema is shared
  {
    /// One array per constraint. The properties in an array must be unique as a combination.
    public let constraints: [[PartialKeyPath<T>]]
    /// The conflict policy for a new model whose values already exist. Not in SwiftData.
    public let onConflict: ConflictPolicy
    public var name = "Unique"
    public var originalName = "Unique"
    public var valueType: any Any.Type = T.self

    /// Creates unique constraints.
    ///
    /// - Parameters:
    ///   - constraints: Attributes and to-one relationships, with one array per constraint.
    ///   - onConflict: The conflict policy for a new model whose values already exist.
    public init(_ constraints: [PartialKeyPath<T>]..., onConflict: ConflictPolicy = .replace) {
      self.constraints = constraints
      self.onConflict = onConflict
    }

    public var isUnique: Bool { true }
    public var isOptional: Bool { false }

    /// Each constraint's property names.
    var propertyNames: [[String]] { constraints.map(Schema.names) }

    /// Returns true if the constraints and the policies are equal.
    public static func == (lhs: Unique, rhs: Unique) -> Bool {
      lhs.constraints == rhs.constraints && lhs.onConflict == rhs.onConflict
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(constraints) }

    /// The keys of the encoded form.
    public enum CodingKeys: CodingKey { case constraints }

    private struct Form: Codable {
      var constraints: [[String]]
      var onConflict: ConflictPolicy
    }

    /// Decodes constraints that ``encode(to:)`` encoded.
    ///
    /// - Throws: `DecodingError` if the data has a different structure.
    public init(from decoder: any Decoder) throws {
      let form = try Form(from: decoder)
      constraints = try form.constraints.map { try Schema.keyPaths($0, in: decoder.codingPath) }
      onConflict = form.onConflict
    }

    /// Encodes the constraints.
    ///
    /// - Throws: Any error from the encoder.
    public func encode(to encoder: any Encoder) throws {
      try Form(constraints: propertyNames, onConflict: onConflict).encode(to: encoder)
    }
  }
}

extension Schema.Unique: CustomDebugStringConvertible {
  /// `Unique<Person>([id], [givenName, familyName])`
  public var debugDescription: String {
    "Unique<\(T.self)>("
      + propertyNames.map { "[\($0.joined(separator: ", "))]" }
      .joined(separator: ", ") + ")"
  }
}

extension Schema.Unique: SchemaConstraint {
  func add(to entity: Schema.Entity) {
    for names in propertyNames { entity.add(unique: names, onConflict) }
  }
}

extension Schema {
  /// Returns property names as they appear in the model's table.
  static func names<T: PersistentModel>(of keyPaths: [PartialKeyPath<T>]) -> [String] {
    keyPaths.map { keyPath in
      T._$definition.layout.property(for: keyPath)?.name
        ?? T._$definition.layout.member(for: keyPath)?.name ?? "\(keyPath)"
    }
  }

  /// Returns key paths by property name.
  static func keyPaths<T: PersistentModel>(
    _ names: [String], in codingPath: [any CodingKey]
  ) throws -> [PartialKeyPath<T>] {
    try names.map { name in
      guard
        let keyPath = T._$definition.layout.keyPath(named: name) as? PartialKeyPath<T>
      else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: codingPath, debugDescription: "'\(T.self)' has no property '\(name)'"))
      }
      return keyPath
    }
  }
}

// MARK: Indexes

extension Schema {
  /// Indexes on a model's properties.
  ///
  /// A schema declares them with `#Index`:
  ///
  /// ```swift
  /// Schema.Index<Trip>([\.startDate], [\.destination, \.startDate])
  /// // CREATE INDEX … ON "Trip" ("startDate")
  /// // CREATE INDEX … ON "Trip" ("destination", "startDate")
  /// ```
  public final class Index<T: PersistentModel>: SchemaProperty,
    @unchecked Sendable  // changed only before the schema is shared
  {
    /// The kinds of index.
    ///
    /// ```swift
    /// Schema.Index<Trip>(.binary([\.destination, \.startDate]), .binary([\.budget]))
    /// ```
    public enum Types<P: PersistentModel> {
      /// Sorted by the values, beginning with the first property.
      case binary([PartialKeyPath<P>])
      /// Accepted for models shared with SwiftData. Creates the same index as `binary`.
      case rtree([PartialKeyPath<P>])
    }

    /// The indexes in declaration order.
    public let indices: [Types<T>]
    public var name = "Index"
    public var originalName = "Index"
    public var valueType: any Any.Type = T.self

    /// Creates indexes with the given kinds.
    public init(_ indices: Types<T>...) {
      self.indices = indices
    }

    /// Creates binary indexes, one per array.
    public init(_ binaryIndices: [PartialKeyPath<T>]...) {
      self.indices = binaryIndices.map { .binary($0) }
    }

    public var isUnique: Bool { false }
    public var isOptional: Bool { false }

    var definitions: [IndexKeys] {
      indices.map { index in
        switch index {
        case .binary(let keyPaths):
          IndexKeys(kind: .binary, properties: Schema.names(of: keyPaths))
        case .rtree(let keyPaths):
          IndexKeys(kind: .rtree, properties: Schema.names(of: keyPaths))
        }
      }
    }

    /// Returns true if both sides define the same kinds of index on the same properties.
    public static func == (lhs: Index, rhs: Index) -> Bool { lhs.definitions == rhs.definitions }

    public func hash(into hasher: inout Hasher) { hasher.combine(definitions) }

    /// The keys of the encoded form.
    public enum CodingKeys: CodingKey { case indices }

    /// Decodes indexes that ``encode(to:)`` encoded.
    ///
    /// - Throws: `DecodingError` if the data has a different structure.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      indices = try container.decode([IndexKeys].self, forKey: .indices).map {
        let keyPaths: [PartialKeyPath<T>] = try Schema.keyPaths(
          $0.properties, in: container.codingPath)
        return $0.kind == .rtree ? .rtree(keyPaths) : .binary(keyPaths)
      }
    }

    /// Encodes the indexes.
    ///
    /// - Throws: Any error from the encoder.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(definitions, forKey: .indices)
    }
  }

  /// An index with property names.
  struct IndexKeys: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Sendable { case binary, rtree }

    var kind: Kind
    var properties: [String]
  }
}

extension Schema.Index: CustomDebugStringConvertible {
  /// `Index<Trip>([startDate], rtree [latitude, longitude])`
  public var debugDescription: String {
    let parts = definitions.map { definition in
      (definition.kind == .rtree ? "rtree " : "")
        + "[\(definition.properties.joined(separator: ", "))]"
    }
    return "Index<\(T.self)>(\(parts.joined(separator: ", ")))"
  }
}

extension Schema.Index: SchemaConstraint {
  func add(to entity: Schema.Entity) {
    for index in definitions { entity.add(index: index.properties, isRTree: index.kind == .rtree) }
  }
}

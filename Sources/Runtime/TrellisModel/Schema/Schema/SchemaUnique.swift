extension Schema {
  /// What a store does with a new model whose unique values another one already has.
  ///
  /// Not in SwiftData, which always replaces.
  public enum ConflictPolicy: String, Codable, Sendable {
    /// Saving throws ``SwiftDataError/modelValidationFailure`` and nothing is written.
    case fail
    /// The existing model takes over the values of the new one. The default.
    case replace
    /// The existing model stays as it is and the new one is dropped.
    case keep
  }

  /// Properties of a model of which no two models may have the same values.
  ///
  ///     Schema.Unique<Person>([\.id], [\.givenName, \.familyName])
  ///     // UNIQUE ("id"), UNIQUE ("givenName", "familyName")
  public final class Unique<T: PersistentModel>: SchemaProperty,
    @unchecked Sendable  // changed only before its schema is shared
  {
    /// One array per constraint; the properties of an array count together.
    public let constraints: [[PartialKeyPath<T>]]
    /// What happens at a conflict. Not in SwiftData.
    public let onConflict: ConflictPolicy
    public var name = "Unique"
    public var originalName = "Unique"
    public var valueType: any Any.Type = T.self

    /// Makes constraints.
    ///
    /// - Parameters:
    ///   - constraints: attributes and to-one relationships; one array per constraint.
    ///   - onConflict: what happens when a new model has the values of an existing one.
    public init(_ constraints: [PartialKeyPath<T>]..., onConflict: ConflictPolicy = .replace) {
      self.constraints = constraints
      self.onConflict = onConflict
    }

    public var isUnique: Bool { true }
    public var isOptional: Bool { false }

    /// The constraints by property name.
    var propertyNames: [[String]] { constraints.map(Schema.names) }

    public static func == (lhs: Unique, rhs: Unique) -> Bool {
      lhs.constraints == rhs.constraints && lhs.onConflict == rhs.onConflict
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(constraints) }

    public enum CodingKeys: CodingKey { case constraints }

    private struct Form: Codable {
      var constraints: [[String]]
      var onConflict: ConflictPolicy
    }

    /// Decodes what ``encode(to:)`` has written.
    ///
    /// - Throws: `DecodingError` if the data has another form.
    public init(from decoder: any Decoder) throws {
      let form = try Form(from: decoder)
      constraints = try form.constraints.map { try Schema.keyPaths($0, in: decoder.codingPath) }
      onConflict = form.onConflict
    }

    /// Encodes the value.
    ///
    /// - Throws: what the encoder throws.
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
  /// The names of properties, as the model's table has them.
  static func names<T: PersistentModel>(of keyPaths: [PartialKeyPath<T>]) -> [String] {
    keyPaths.map { keyPath in
      T._$definition.layout.property(for: keyPath)?.name
        ?? T._$definition.layout.member(for: keyPath)?.name ?? "\(keyPath)"
    }
  }

  /// The properties with these names.
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
  /// Properties of a model a store keeps an index for.
  ///
  ///     Schema.Index<Trip>([\.startDate], [\.destination, \.startDate])
  ///     // CREATE INDEX … ON "Trip" ("startDate")
  ///     // CREATE INDEX … ON "Trip" ("destination", "startDate")
  public final class Index<T: PersistentModel>: SchemaProperty,
    @unchecked Sendable  // changed only before its schema is shared
  {
    /// The kinds of index.
    public enum Types<P: PersistentModel> {
      /// Sorted by the values, the first property first.
      case binary([PartialKeyPath<P>])
      /// For questions about ranges of two to five numbers at once.
      case rtree([PartialKeyPath<P>])
    }

    /// What was written between the parentheses.
    public let indices: [Types<T>]
    public var name = "Index"
    public var originalName = "Index"
    public var valueType: any Any.Type = T.self

    /// Makes indices of the given kinds.
    public init(_ indices: Types<T>...) {
      self.indices = indices
    }

    /// Makes binary indices, one per array.
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

    public static func == (lhs: Index, rhs: Index) -> Bool { lhs.definitions == rhs.definitions }

    public func hash(into hasher: inout Hasher) { hasher.combine(definitions) }

    public enum CodingKeys: CodingKey { case indices }

    /// Decodes what ``encode(to:)`` has written.
    ///
    /// - Throws: `DecodingError` if the data has another form.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      indices = try container.decode([IndexKeys].self, forKey: .indices).map {
        let keyPaths: [PartialKeyPath<T>] = try Schema.keyPaths(
          $0.properties, in: container.codingPath)
        return $0.kind == .rtree ? .rtree(keyPaths) : .binary(keyPaths)
      }
    }

    /// Encodes the value.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(definitions, forKey: .indices)
    }
  }

  /// An index by property name.
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

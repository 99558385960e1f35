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
    public var name: String
    public var originalName: String
    public var valueType: any Any.Type

    /// Makes indices of the given kinds.
    public init(_ indices: Types<T>...) {
      self.indices = indices
      self.name = "Index"
      self.originalName = "Index"
      self.valueType = T.self
    }

    /// Makes binary indices, one per array.
    public init(_ binaryIndices: [PartialKeyPath<T>]...) {
      self.indices = binaryIndices.map { .binary($0) }
      self.name = "Index"
      self.originalName = "Index"
      self.valueType = T.self
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
      name = "Index"
      originalName = "Index"
      valueType = T.self
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
    enum Kind: String, Codable, Sendable { case binary, rtree }

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

extension Schema.Index: IndexConstraint {}

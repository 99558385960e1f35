extension Schema {
  /// A schema version: three numbers, ordered as in Semantic Versioning.
  ///
  /// ```swift
  /// Schema.Version(1, 9, 0) < Schema.Version(1, 10, 0)  // true
  /// SampleTripsSchema.Current.versionIdentifier.description  // 3.0.0
  /// ```
  public struct Version: Sendable, Hashable {
    /// The major version: incremented if stored data is lost, or if existing rows need a value.
    public let major: Int
    /// The minor version: incremented for additions.
    public let minor: Int
    /// The patch version: incremented for all other changes.
    public let patch: Int

    /// Creates a version.
    ///
    /// - Precondition: No number is negative.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      precondition(
        major >= 0 && minor >= 0 && patch >= 0, "the parts of a schema version must not be negative")
      self.major = major
      self.minor = minor
      self.patch = patch
    }
  }
}

extension Schema.Version: Comparable {
  /// Compares the major version first, then the minor version, then the patch version.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
  }
}

extension Schema.Version: CustomStringConvertible {
  /// `2.0.1`
  public var description: String { "\(major).\(minor).\(patch)" }
}

extension Schema.Version: Codable {
  /// Decodes a version that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if the data has a different structure.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func part(_ key: CodingKeys) throws -> Int {
      let number = try container.decode(Int.self, forKey: key)
      guard number >= 0 else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "a schema version cannot be negative")
      }
      return number
    }
    self.init(try part(.major), try part(.minor), try part(.patch))
  }
}

/// The schema of the container whose call is running.
///
/// Decoded snapshots find the model codec here. The value is set for the duration of every call into a store. There is
/// no process-wide table, so two containers may use the same entity name for different models.
package enum SchemaScope {
  @TaskLocal package static var current: Schema?

  /// Returns an entity's model definition, used to decode snapshots.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if no schema is available or the schema does not contain the entity.
  static func definition(
    named name: String, userInfo: [CodingUserInfoKey: Any]
  ) throws -> ModelDefinition {
    guard let definition = (userInfo[.schema] as? Schema ?? current)?.definition(named: name) else {
      throw SwiftDataError.unknownSchema.explained(
        "no schema contains '\(name)': add the model to the container, or set decoder.userInfo[.schema] where a "
          + "snapshot is decoded outside of a store's call")
    }
    return definition
  }
}

extension CodingUserInfoKey {
  /// The ``Schema`` in which a decoder finds the models of ``DefaultSnapshot``s.
  ///
  /// Required only outside calls to a store. Not in SwiftData.
  ///
  /// ```swift
  /// let decoder = JSONDecoder()
  /// decoder.userInfo[.schema] = container.schema
  /// let snapshots = try decoder.decode([DefaultSnapshot].self, from: Data(contentsOf: url))
  /// ```
  // Cannot be nil: every string is a valid raw value.
  public static let schema = CodingUserInfoKey(rawValue: "trellis.schema").unsafelyUnwrapped
}

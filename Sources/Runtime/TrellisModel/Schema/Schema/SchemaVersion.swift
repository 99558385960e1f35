extension Schema {
  /// The version of a schema: three numbers that order as Semantic Versioning says.
  ///
  ///     Schema.Version(1, 9, 0) < Schema.Version(1, 10, 0)   // true
  public struct Version: Sendable, Hashable {
    /// Grows with changes that stored data does not survive by itself.
    public let major: Int
    /// Grows with additions.
    public let minor: Int
    /// Grows with corrections.
    public let patch: Int

    /// Makes a version.
    ///
    /// - Precondition: none of the numbers is negative.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      precondition(
        major >= 0 && minor >= 0 && patch >= 0, "the parts of a schema version are not negative")
      self.major = major
      self.minor = minor
      self.patch = patch
    }
  }
}

extension Schema.Version: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
  }
}

extension Schema.Version: CustomStringConvertible {
  /// `2.0.1`
  public var description: String { "\(major).\(minor).\(patch)" }
}

extension Schema.Version: Codable {
  /// Decodes what ``encode(to:)`` has written.
  ///
  /// - Throws: `DecodingError` if the data has another form.
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
/// A decoded snapshot finds its model's codec here. Bound around every call into a store; there is
/// no table for the whole process, so two containers may use one entity name for different models.
package enum SchemaScope {
  @TaskLocal package static var current: Schema?

  /// The model of an entity, for decoding one of its snapshots.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` when there is no schema to look in or it has no
  ///   such entity.
  static func definition(
    named name: String, userInfo: [CodingUserInfoKey: Any]
  ) throws -> ModelDefinition {
    guard let definition = (userInfo[.schema] as? Schema ?? current)?.definition(named: name) else {
      throw SwiftDataError.unknownSchema.explained(
        "no schema says what '\(name)' is: add the model to the container, or set decoder.userInfo[.schema] where a "
          + "snapshot is decoded outside of a store's call")
    }
    return definition
  }
}

extension CodingUserInfoKey {
  /// The ``Schema`` in which a decoder finds the models of ``DefaultSnapshot``s.
  ///
  /// Needed outside of a store's call only. Not in SwiftData.
  ///
  ///     decoder.userInfo[.schema] = container.schema
  // Every text is the raw value of a key.
  public static let schema = CodingUserInfoKey(rawValue: "trellis.schema").unsafelyUnwrapped
}

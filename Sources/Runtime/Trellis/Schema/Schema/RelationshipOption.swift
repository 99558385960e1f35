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
  public struct Option: Sendable, Hashable {
    let keyword: String

    init(_ keyword: String) { self.keyword = keyword }

    /// No two models refer to the same one.
    public static var unique: Option { Option("unique") }
    /// The members keep the order they were put in. Not in SwiftData.
    public static var ordered: Option { Option("ordered") }
    /// The relationship has no inverse, on purpose: none is inferred. Not in SwiftData.
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

extension Schema.Relationship.Option: Codable {
  /// Decodes what ``encode(to:)`` has written.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the value.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(keyword)
  }
}

#if canImport(ObjectiveC)
  public import Foundation
#else
  import Foundation
#endif

extension Schema.Attribute {
  /// How one attribute is kept.
  public struct Option: Sendable, Hashable {
    let keyword: String
    /// The transformer of a transformable attribute.
    let argument: String?

    init(_ keyword: String, argument: String? = nil) {
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

extension Schema.Attribute.Option: Codable {
  /// Decodes what ``encode(to:)`` has written.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let parts = text.split(separator: ":", maxSplits: 1)
    self.init(
      parts.first.map(String.init) ?? "", argument: parts.count > 1 ? String(parts[1]) : nil)
  }

  /// Encodes the value.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(argument.map { "\(keyword):\($0)" } ?? keyword)
  }
}

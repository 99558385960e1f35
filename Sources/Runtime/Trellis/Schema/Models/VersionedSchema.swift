/// One version of a schema: its models and its number.
///
/// The schema compiler writes one per version.
public protocol VersionedSchema: SendableMetatype {
  /// The models of the version.
  static var models: [any PersistentModel.Type] { get }
  /// The number of the version.
  static var versionIdentifier: Schema.Version { get }
  /// The schema text this version was generated from; written by generated code.
  static var _$source: SchemaSource { get }
}

extension VersionedSchema {
  /// A version written by hand has no text.
  public static var _$source: SchemaSource { .none }
}

/// The schema text a version was generated from.
public struct SchemaSource: Sendable, Hashable {
  /// The name of the schema.
  public let name: String
  /// Changes exactly when the meaning of the schema does.
  public let fingerprint: String
  public let text: String
  /// True if a version of the schema was frozen when the code was generated.
  public let hasReleases: Bool

  /// The text of one schema file.
  public init(name: String, fingerprint: String, text: String, hasReleases: Bool = false) {
    self.name = name
    self.fingerprint = fingerprint
    self.text = text
    self.hasReleases = hasReleases
  }

  /// What a version written by hand has.
  static var none: SchemaSource { SchemaSource(name: "", fingerprint: "", text: "") }
}

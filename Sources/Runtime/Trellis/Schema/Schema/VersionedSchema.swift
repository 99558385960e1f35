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

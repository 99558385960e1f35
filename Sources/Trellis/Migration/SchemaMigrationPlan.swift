/// The versions of a schema, oldest first, and how to get from each to the next.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// Oldest first; the last one is the current version.
  static var schemas: [any VersionedSchema.Type] { get }
  /// One stage per step that is not inferred, in order.
  static var stages: [MigrationStage] { get }
}

/// One step of a migration, between two neighbouring versions.
public enum MigrationStage: @unchecked Sendable {  // closures run while one container opens
  /// The store's shape changes and its values follow without help.
  ///
  /// Models and properties that are new, gone or renamed by `originalName`, values whose type can hold
  /// every old one, and values that become optional. What is no longer in the schema is dropped with its
  /// values. A change that would need values that neither the schema nor ``SchemaMigrationPlan/steps`` give
  /// ends the migration before it begins.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// Code of the program takes part.
  ///
  /// - Parameters:
  ///   - willMigrate: called with a context over the models of `fromVersion`, before the store's
  ///     shape changes.
  ///   - didMigrate: called with a context over the models of `toVersion`, after it changed.
  ///
  /// What the closures leave unsaved is not kept. An error one of them throws ends the migration
  /// and leaves the store as it was.
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)

  /// The version the stage starts from.
  package var fromVersion: any VersionedSchema.Type {
    switch self {
    case .lightweight(let from, _), .custom(let from, _, _, _): from
    }
  }

  /// The version the stage leads to.
  package var toVersion: any VersionedSchema.Type {
    switch self {
    case .lightweight(_, let to), .custom(_, let to, _, _): to
    }
  }
}

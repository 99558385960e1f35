import Trellis

// The custom migration steps of 'App'. Each function receives the old rows ('migration.old') and the new
// rows ('migration.new'). Until it is implemented, the migration fails and leaves the store unchanged.
extension AppMigrationPlan {
  /// From 1.0.0 to 2.0.0.
  public static func migrateSchemaV1ToSchemaV2(_ migration: MigrationRows) throws {
    // The stage in the SwiftData source:
    //
    // custom(fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil, didMigrate: { _ in })
    throw AppMigrationCodeIsMissing(step: "migrateSchemaV1ToSchemaV2")
  }
}

private struct AppMigrationCodeIsMissing: Error {
  let step: String
}

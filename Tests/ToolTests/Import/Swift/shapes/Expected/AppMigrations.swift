import Trellis

// The steps of 'App' that need code. Each one gets the rows as they were ('migration.old') and as they
// become ('migration.new'); until its code is written, a migration ends with an error, and the store stays as it was.
extension AppMigrationPlan {
  /// From 1.0.0 to 2.0.0.
  public static func migrateSchemaV1ToSchemaV2(_ migration: MigrationRows) throws {
    // The stage of the SwiftData source:
    //
    // custom(fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil, didMigrate: { _ in })
    throw AppMigrationCodeIsMissing(step: "migrateSchemaV1ToSchemaV2")
  }
}

private struct AppMigrationCodeIsMissing: Error {
  let step: String
}

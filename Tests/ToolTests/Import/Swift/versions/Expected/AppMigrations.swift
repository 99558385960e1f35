import Trellis

// The steps of 'App' that need code. Each one gets the rows as they were ('migration.old') and as they
// become ('migration.new'); until its code is written, a migration ends with an error, and the store stays as it was.
extension AppMigrationPlan {
  /// From 1.1.0 to 2.0.0.
  public static func migrateV2ToV3(_ migration: MigrationRows) throws {
    // The stage of the SwiftData source:
    //
    // custom(fromVersion: V2.self, toVersion: V3.self, willMigrate: { context in
    // try context.save() }, didMigrate: nil)
    throw AppMigrationCodeIsMissing(step: "migrateV2ToV3")
  }
}

private struct AppMigrationCodeIsMissing: Error {
  let step: String
}

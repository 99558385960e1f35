import Trellis

// The custom migration steps of 'App'. Each function receives the old rows ('migration.old') and the new
// rows ('migration.new'). Until it is implemented, the migration fails and leaves the store unchanged.
extension AppMigrationPlan {
  /// From 1.1.0 to 2.0.0.
  public static func migrateV2ToV3(_ migration: MigrationRows) throws {
    // The stage in the SwiftData source:
    //
    // custom(fromVersion: V2.self, toVersion: V3.self, willMigrate: { context in
    // try context.save() }, didMigrate: nil)
    throw AppMigrationCodeIsMissing(step: "migrateV2ToV3")
  }
}

private struct AppMigrationCodeIsMissing: Error {
  let step: String
}

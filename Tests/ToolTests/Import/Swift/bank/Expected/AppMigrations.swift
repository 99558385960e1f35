import Trellis

// The custom migration steps of 'App'. Each function receives the old rows ('migration.old') and the new
// rows ('migration.new'). Until it is implemented, the migration fails and leaves the store unchanged.
extension AppMigrationPlan {
  /// From 2.0.0 to 4.0.0.
  public static func migrateBankSchemaV2ToBankSchemaV4(_ migration: MigrationRows) throws {
    // The stage in the SwiftData source:
    //
    // custom(fromVersion: BankSchemaV3.self, toVersion: BankSchemaV4.self, willMigrate: { _ in }, didMigrate: { _ in })
    throw AppMigrationCodeIsMissing(step: "migrateBankSchemaV2ToBankSchemaV4")
  }
}

private struct AppMigrationCodeIsMissing: Error {
  let step: String
}

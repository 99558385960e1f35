import Trellis

// The steps of 'App' that need code. Each one gets the rows as they were ('migration.old') and as they
// become ('migration.new'); until its code is written, a migration ends with an error, and the store stays as it was.
extension AppMigrationPlan {
  /// From 2.0.0 to 4.0.0.
  public static func migrateBankSchemaV2ToBankSchemaV4(_ migration: MigrationRows) throws {
    // The stage of the SwiftData source:
    //
    // custom(fromVersion: BankSchemaV3.self, toVersion: BankSchemaV4.self, willMigrate: { _ in }, didMigrate: { _ in })
    throw AppMigrationCodeIsMissing(step: "migrateBankSchemaV2ToBankSchemaV4")
  }
}

private struct AppMigrationCodeIsMissing: Error {
  let step: String
}

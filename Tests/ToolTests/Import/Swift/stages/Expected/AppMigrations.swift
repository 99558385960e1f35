import Trellis

// The steps of 'App' that need code. Each one gets the rows as they were ('migration.old') and as they
// become ('migration.new'); until its code is written, a migration ends with an error, and the store stays as it was.
extension AppMigrationPlan {
  /// From 1.1.0 to 2.0.0.
  public static func migrateSchemaV2ToSchemaV3(_ migration: MigrationRows) throws {
    // The stage of the SwiftData source:
    //
    // custom(
    // fromVersion: Versions.SchemaV2.self,
    // toVersion: Versions.SchemaV3.self,
    // willMigrate: { context in
    //     let trips = try context.fetch(FetchDescriptor<Versions.SchemaV2.Trip>())
    //     for trip in trips { budgets[trip.title] = trip.budget }
    // },
    // didMigrate: { context in
    //     let trips = try context.fetch(FetchDescriptor<Versions.SchemaV3.Trip>())
    //     for trip in trips { trip.cents = Int((budgets[trip.title] ?? 0) * 100) }
    //     try context.save()
    // })
    throw AppMigrationCodeIsMissing(step: "migrateSchemaV2ToSchemaV3")
  }
}

private struct AppMigrationCodeIsMissing: Error {
  let step: String
}

import Trellis

// The custom migration steps of 'App'. Each function receives the old rows ('migration.old') and the new
// rows ('migration.new'). Until it is implemented, the migration fails and leaves the store unchanged.
extension AppMigrationPlan {
  /// From 1.1.0 to 2.0.0.
  public static func migrateSchemaV2ToSchemaV3(_ migration: MigrationRows) throws {
    // The stage in the SwiftData source:
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

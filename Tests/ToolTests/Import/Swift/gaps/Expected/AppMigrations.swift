import Trellis

// The custom migration steps of 'App'. Each function receives the old rows ('migration.old') and the new
// rows ('migration.new'). Until it is implemented, the migration fails and leaves the store unchanged.
extension AppMigrationPlan {
  /// From 1.0.0 to 3.0.0.
  public static func migrateSchemaV1ToSchemaV3(_ migration: MigrationRows) throws {
    // The stage in the SwiftData source:
    //
    // custom(
    //     fromVersion: SchemaV1.self,
    //     toVersion: SchemaV3.self,
    //     willMigrate: nil,
    //     didMigrate: { context in
    //         for note in try context.fetch(FetchDescriptor<SchemaV3.Note>()) { note.rating = 5 }
    //         try context.save()
    //     }
    // )
    throw AppMigrationCodeIsMissing(step: "migrateSchemaV1ToSchemaV3")
  }
}

private struct AppMigrationCodeIsMissing: Error {
  let step: String
}

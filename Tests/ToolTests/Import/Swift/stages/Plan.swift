import SwiftData

enum TripsPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [Versions.SchemaV1.self, Versions.SchemaV2.self, Versions.SchemaV3.self, Versions.SchemaV4.self]
    }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: Versions.SchemaV1.self, toVersion: Versions.SchemaV2.self), toCents] }
}

extension TripsPlan {
    nonisolated(unsafe) static var budgets: [String: Double] = [:]

    static let toCents = MigrationStage.custom(
        fromVersion: Versions.SchemaV2.self,
        toVersion: Versions.SchemaV3.self,
        willMigrate: { context in
            let trips = try context.fetch(FetchDescriptor<Versions.SchemaV2.Trip>())
            for trip in trips { budgets[trip.title] = trip.budget }
        },
        didMigrate: { context in
            let trips = try context.fetch(FetchDescriptor<Versions.SchemaV3.Trip>())
            for trip in trips { trip.cents = Int((budgets[trip.title] ?? 0) * 100) }
            try context.save()
        })
}
